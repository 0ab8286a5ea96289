"""Early stopping on Spark: the decisions of one process, the best network with its updater, DL4J's defects not there."""

import numpy as np
import pytest
from local_spark import X, Y, frame, iris, on_spark

import pydl4j as dl
from pydl4j.earlystopping import (
    AutoencoderScoreCalculator,
    BestScoreEpochTerminationCondition,
    ClassificationScoreCalculator,
    DataSetLossCalculator,
    EarlyStoppingConfiguration,
    InvalidScoreIterationTerminationCondition,
    LocalFileModelSaver,
    MaxEpochsTerminationCondition,
    MaxScoreIterationTerminationCondition,
    MaxTimeIterationTerminationCondition,
    RegressionScoreCalculator,
    ROCScoreCalculator,
    ScoreImprovementEpochTerminationCondition,
)
from pydl4j.errors import ConfigError, NaNScoreError
from pydl4j.layers import DenseLayer, OutputLayer
from pydl4j.spark import SharedTrainingMaster, SparkDl4jMultiLayer

TRAIN, HELD_OUT = slice(0, None, 2), slice(1, None, 2)
ONE_HOT = np.eye(3, dtype="f4")[Y]
QUIET = {"validation": (X[HELD_OUT], ONE_HOT[HELD_OUT]), "progress": False, "shuffle": False}
PATIENCE = [
    MaxEpochsTerminationCondition(max_epochs=12),
    ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=2, min_improvement=1e-3),
]


def network(learning_rate: float | dl.schedules.ISchedule = 0.5, **output) -> dl.MultiLayerConfiguration:
    output = {"loss": "mcxent", "activation": "softmax"} | output
    layers = [DenseLayer(n_out=8, activation="tanh"), OutputLayer(n_out=3, **output)]
    return iris(updater=dl.updaters.Nesterovs(learning_rate=learning_rate), layers=layers)


def both(spark, conf: dl.MultiLayerConfiguration, early: EarlyStoppingConfiguration, **options):
    """Fits on Spark and in its driver, on the same minibatches; the networks and their histories."""
    mine = on_spark(spark, conf, batch_size_per_worker=25, averaging_frequency=1, num_workers=1)
    local = on_spark(spark, conf).network
    history = mine.fit(X[TRAIN], ONE_HOT[TRAIN], early_stopping=early, **(QUIET | options))
    expected = local.fit(X[TRAIN], ONE_HOT[TRAIN], early_stopping=early, batch_size=25, **(QUIET | options))
    return mine, local, history, expected


def same(mine, local, history, expected) -> None:
    found, wanted = history.early_stopping, expected.early_stopping
    for name in ("termination_reason", "termination_details", "total_epochs", "best_model_epoch"):
        assert getattr(found, name) == getattr(wanted, name)
    assert found.score_vs_epoch == pytest.approx(wanted.score_vs_epoch, rel=1e-4)
    assert len(history) == len(expected)
    np.testing.assert_allclose(mine.network.params, local.params, rtol=1e-4, atol=1e-6)


SCORES = {
    "loss": DataSetLossCalculator(),
    "sum of losses": DataSetLossCalculator(average=False),
    "f1": ClassificationScoreCalculator(metric="f1"),
    "r2": RegressionScoreCalculator(metric="r2"),
    "auc": ROCScoreCalculator(type="multiclass"),
    "auprc": ROCScoreCalculator(type="binary", metric="auprc"),
}


@pytest.mark.parametrize("score", SCORES)
def test_decisions_are_those_of_one_process(spark, score):
    early = EarlyStoppingConfiguration(epoch_termination_conditions=PATIENCE, score_calculator=SCORES[score])
    mine, local, history, expected = both(spark, network(0.2), early)
    same(mine, local, history, expected)
    stopped = history.early_stopping
    np.testing.assert_array_equal(stopped.best_model.params, mine.network.params)
    # the updater's state is that of the best epoch, too: training goes on alike
    for net, size in ((mine, {}), (local, {"batch_size": 25})):
        net.fit(X[TRAIN], ONE_HOT[TRAIN], epochs=2, progress=False, shuffle=False, **size)
    np.testing.assert_allclose(mine.network.params, local.params, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("every", [2, 3])
def test_every_few_epochs(spark, every):
    """In DL4J it is scored once then, and training never ends."""
    best = BestScoreEpochTerminationCondition(best_expected_score=0.6)
    early = EarlyStoppingConfiguration(epoch_termination_conditions=[best], evaluate_every_n_epochs=every)
    mine, local, history, expected = both(spark, network(0.02), early)
    same(mine, local, history, expected)
    assert list(history.early_stopping.score_vs_epoch) == list(range(1, len(history) + 1, every))
    assert [e.number for e in history if e.validation_score is not None] == list(range(1, len(history) + 1, every))


def test_a_score_that_ends_training_half_way(spark):
    jump = dl.schedules.MapSchedule(schedule_type="iteration", values={0: 0.1, 7: 1e4})
    condition = MaxScoreIterationTerminationCondition(max_score=5.0)
    early = EarlyStoppingConfiguration(iteration_termination_conditions=[condition], save_last_model=True)
    mine, local, history, expected = both(spark, network(jump), early)
    same(mine, local, history, expected)
    stopped = history.early_stopping
    assert stopped.termination_reason == "iteration_termination_condition"
    np.testing.assert_allclose(
        stopped.latest_model.params, expected.early_stopping.latest_model.params, rtol=1e-4, atol=1e-5
    )


def test_a_score_of_nan_ends_training_where_that_is_a_condition(spark):
    conf = network(1e30, activation="identity", loss="mse")
    net = on_spark(spark, conf, batch_size_per_worker=25)
    before = net.network.params.copy()
    with pytest.raises(NaNScoreError):
        net.fit(X, ONE_HOT, early_stopping=EarlyStoppingConfiguration(), epochs=9, **QUIET)
    np.testing.assert_array_equal(net.network.params, before)
    conditions = [InvalidScoreIterationTerminationCondition()]
    early = EarlyStoppingConfiguration(iteration_termination_conditions=conditions)
    stopped = net.fit(X, ONE_HOT, early_stopping=early, **QUIET).early_stopping
    assert stopped.termination_details == "InvalidScoreIterationTerminationCondition()"
    assert (stopped.total_epochs, stopped.best_model_epoch, stopped.best_model) == (0, None, None)
    np.testing.assert_array_equal(net.network.params, before)


def test_time_ends_training_without_anything_to_score(spark):
    """DL4J throws a NullPointerException without a score calculator."""
    condition = MaxTimeIterationTerminationCondition(max_time_amount=500, max_time_unit="milliseconds")
    early = EarlyStoppingConfiguration(iteration_termination_conditions=[condition], score_calculator=None)
    net = on_spark(spark, network(0.01))
    history = net.fit(X, ONE_HOT, early_stopping=early, progress=False)
    assert history.early_stopping.termination_reason == "iteration_termination_condition"
    assert history.early_stopping.total_epochs == len(history)
    assert history.early_stopping.best_model is None
    net.fit(X, ONE_HOT, progress=False)  # the session goes on


def test_dataframes_and_models_in_a_directory(spark, tmp_path):
    data = frame(spark, partitions=3)
    early = EarlyStoppingConfiguration(
        epoch_termination_conditions=[MaxEpochsTerminationCondition(max_epochs=3)],
        score_calculator=ClassificationScoreCalculator(metric="accuracy"),
        model_saver=LocalFileModelSaver(directory=tmp_path / "models"),
        save_last_model=True,
    )
    net = on_spark(spark)
    history = net.fit(data, "y", features="x", validation=data, early_stopping=early, progress=False)
    stopped = history.early_stopping
    assert stopped.score_vs_epoch == pytest.approx({e.number: e.validation_accuracy for e in history})
    assert stopped.termination_details == "MaxEpochsTerminationCondition(3)"
    loaded = dl.MultiLayerNetwork.load(tmp_path / "models" / "bestModel.bin")
    np.testing.assert_array_equal(loaded.params, net.network.params)
    assert (tmp_path / "models" / "latestModel.bin").exists()


def test_sharing_gradients(spark):
    """Conditions of iterations are looked at whenever the master tells of progress, and after each epoch."""
    net = SparkDl4jMultiLayer(spark, network(0.1), SharedTrainingMaster(batch_size_per_worker=25, num_workers=1))
    early = EarlyStoppingConfiguration(epoch_termination_conditions=PATIENCE)
    stopped = net.fit(X[TRAIN], ONE_HOT[TRAIN], early_stopping=early, **QUIET).early_stopping
    assert stopped.best_model_score == min(stopped.score_vs_epoch.values())
    assert stopped.best_model_score == pytest.approx(net.score(X[HELD_OUT], ONE_HOT[HELD_OUT]), rel=1e-4)
    condition = MaxScoreIterationTerminationCondition(max_score=1e-9)
    early = EarlyStoppingConfiguration(iteration_termination_conditions=[condition], score_calculator=None)
    stopped = net.fit(X[TRAIN], ONE_HOT[TRAIN], early_stopping=early, progress=False).early_stopping
    assert stopped.termination_details == "MaxScoreIterationTerminationCondition(1.0E-9)"
    assert stopped.total_epochs == 0
    net.fit(X[TRAIN], ONE_HOT[TRAIN], progress=False)  # the session goes on


@pytest.mark.parametrize(
    ("early", "options", "message"),
    [
        (EarlyStoppingConfiguration(), {}, "would never end"),
        (EarlyStoppingConfiguration(), {"epochs": 2, "validation": None}, "needs data to calculate a score on"),
        (EarlyStoppingConfiguration(), {"epochs": 2, "checkpoint": "somewhere"}, "checkpoints do not hold"),
        (
            EarlyStoppingConfiguration(score_calculator=AutoencoderScoreCalculator(metric="mse")),
            {"epochs": 2},
            "AutoencoderScoreCalculator is calculated in one process only",
        ),
    ],
)
def test_refusals(spark, early, options, message):
    with pytest.raises(ConfigError, match=message):
        on_spark(spark).fit(X, ONE_HOT, early_stopping=early, **(QUIET | options))
