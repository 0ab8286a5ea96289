"""Early stopping in this process: the same as DL4J's own trainer, where that does what it says."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import roc_auc_score

import pydl4j as dl
from pydl4j.conf import _java
from pydl4j.earlystopping import (
    AutoencoderScoreCalculator,
    BestScoreEpochTerminationCondition,
    ClassificationScoreCalculator,
    DataSetLossCalculator,
    EarlyStoppingConfiguration,
    InMemoryModelSaver,
    InvalidScoreIterationTerminationCondition,
    LocalFileModelSaver,
    MaxEpochsTerminationCondition,
    MaxScoreIterationTerminationCondition,
    MaxTimeIterationTerminationCondition,
    RegressionScoreCalculator,
    ROCScoreCalculator,
    ScoreImprovementEpochTerminationCondition,
    VAEReconErrorScoreCalculator,
    VAEReconProbScoreCalculator,
)
from pydl4j.errors import ConfigError, NaNScoreError
from pydl4j.layers import LSTM, AutoEncoder, DenseLayer, OutputLayer, RnnOutputLayer, VariationalAutoencoder

IRIS = load_iris()
X, Y = IRIS.data.astype("f4")[::2], IRIS.target[::2]
XV, YV = IRIS.data.astype("f4")[1::2], IRIS.target[1::2]
ONE_HOT, ONE_HOT_V = (np.eye(3, dtype="f4")[y] for y in (Y, YV))
BATCH = 25

_ES = "org.deeplearning4j.earlystopping"


def network(learning_rate: float | dl.schedules.ISchedule = 0.5, **options) -> dl.MultiLayerNetwork:
    output = {"loss": "mcxent", "activation": "softmax"} | options
    layers = [DenseLayer(n_out=8, activation="tanh"), OutputLayer(n_out=3, **output)]
    updater = dl.updaters.Nesterovs(learning_rate=learning_rate)
    conf = dl.MultiLayerConfiguration(seed=7, updater=updater, input_type=dl.InputType.feed_forward(4), layers=layers)
    return dl.MultiLayerNetwork(conf)


def fit(net: dl.MultiLayerNetwork, early_stopping: EarlyStoppingConfiguration, **options):
    options = {"validation": (XV, ONE_HOT_V), "progress": False, "shuffle": False, "batch_size": BATCH} | options
    return net.fit(X, ONE_HOT, early_stopping=early_stopping, **options)


# -- the same as DL4J ------------------------------------------------------------------------------------------------------------------


def java(name: str):
    import jpype

    return jpype.JClass(name)


def data(jvm, x: np.ndarray, y: np.ndarray):
    sets = java("java.util.ArrayList")()
    for i in range(0, len(x), BATCH):
        sets.add(java("org.nd4j.linalg.dataset.DataSet")(jvm.put(x[i : i + BATCH]), jvm.put(y[i : i + BATCH])))
    return java("org.deeplearning4j.datasets.iterator.ExistingDataSetIterator")(sets)


def theirs(jvm, net: dl.MultiLayerNetwork, score, **options):
    """What DL4J's own trainer makes of a new network of the same configuration."""
    builder = java(f"{_ES}.EarlyStoppingConfiguration$Builder")()
    builder.scoreCalculator(score(data(jvm, XV, ONE_HOT_V)))
    for method, argument in options.items():
        getattr(builder, method)(*argument if isinstance(argument, list) else [argument])
    made = jvm.call("nn.Networks.create", net.conf.to_json())
    trainer = java(f"{_ES}.trainer.EarlyStoppingTrainer")(builder.build(), made, data(jvm, X, ONE_HOT))
    return trainer.fit()


def loss(iterator):
    return java(f"{_ES}.scorecalc.DataSetLossCalculator")(iterator, True)


def accuracy(iterator):
    metric = java("org.nd4j.evaluation.classification.Evaluation$Metric").ACCURACY
    return java(f"{_ES}.scorecalc.ClassificationScoreCalculator")(metric, iterator)


def r2(iterator):
    metric = java("org.nd4j.evaluation.regression.RegressionEvaluation$Metric").R2
    return java(f"{_ES}.scorecalc.RegressionScoreCalculator")(metric, iterator)


SCORES = {
    "loss": (loss, DataSetLossCalculator()),
    "accuracy": (accuracy, ClassificationScoreCalculator(metric="accuracy")),
    "r2": (r2, RegressionScoreCalculator(metric="r2")),
}


def same(jvm, mine: dl.MultiLayerNetwork, history, result) -> None:
    """Same epochs, reason, score and parameters."""
    stopped = history.early_stopping
    assert stopped.termination_reason.replace("_", "") == str(result.getTerminationReason()).lower()
    assert stopped.termination_details == str(result.getTerminationDetails())
    scores = {int(epoch) + 1: float(score) for epoch, score in dict(result.getScoreVsEpoch()).items()}
    assert stopped.score_vs_epoch == pytest.approx(scores)
    assert stopped.total_epochs == len(history) == int(result.getTotalEpochs())
    assert stopped.best_model_epoch == int(result.getBestModelEpoch()) + 1
    assert stopped.best_model_score == pytest.approx(scores[stopped.best_model_epoch])
    best = jvm.get(result.getBestModel().params()).reshape(-1)
    assert np.array_equal(mine.params, best)
    assert np.array_equal(stopped.best_model.params, best)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("patience", [2, 5])
def test_patience_is_that_of_dl4js_trainer(jvm, score: str, patience: int) -> None:
    net = network()
    calculator, conf = SCORES[score]
    conditions = [
        MaxEpochsTerminationCondition(max_epochs=40),
        ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=patience, min_improvement=1e-3),
    ]
    history = fit(net, EarlyStoppingConfiguration(epoch_termination_conditions=conditions, score_calculator=conf))
    termination = f"{_ES}.termination"
    result = theirs(
        jvm,
        net,
        calculator,
        epochTerminationConditions=[
            java(f"{termination}.MaxEpochsTerminationCondition")(40),
            java(f"{termination}.ScoreImprovementEpochTerminationCondition")(patience, 1e-3),
        ],
    )
    same(jvm, net, history, result)
    assert history.early_stopping.best_model_epoch < len(history) < 40


def test_every_few_epochs_is_that_of_dl4js_trainer(jvm) -> None:
    net = network(0.01)
    condition = BestScoreEpochTerminationCondition(best_expected_score=0.6)
    history = fit(net, EarlyStoppingConfiguration(epoch_termination_conditions=[condition], evaluate_every_n_epochs=3))
    best = java(f"{_ES}.termination.BestScoreEpochTerminationCondition")(0.6)
    same(jvm, net, history, theirs(jvm, net, loss, epochTerminationConditions=[best], evaluateEveryNEpochs=3))
    assert len(history) % 3 == 1
    assert [epoch.number for epoch in history if epoch.validation_score is not None] == list(
        range(1, len(history) + 1, 3)
    )


def test_an_iteration_that_ends_training_is_that_of_dl4js_trainer(jvm) -> None:
    net = network(
        dl.schedules.MapSchedule(schedule_type="iteration", values={0: 0.1, 8: 100.0})
    )  # jumps in the fifth epoch
    condition = MaxScoreIterationTerminationCondition(max_score=5.0)
    history = fit(net, EarlyStoppingConfiguration(iteration_termination_conditions=[condition]))
    most = java(f"{_ES}.termination.MaxScoreIterationTerminationCondition")(5.0)
    same(jvm, net, history, theirs(jvm, net, loss, iterationTerminationConditions=[most]))
    assert history.early_stopping.termination_reason == "iteration_termination_condition"
    assert len(history) == 3


CONDITIONS = {
    "MaxEpochsTerminationCondition": (MaxEpochsTerminationCondition(max_epochs=3), (3,)),
    "ScoreImprovementEpochTerminationCondition": (
        ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=4, min_improvement=0.25),
        (4, 0.25),
    ),
    "BestScoreEpochTerminationCondition": (BestScoreEpochTerminationCondition(best_expected_score=0.1), (0.1,)),
    "MaxScoreIterationTerminationCondition": (MaxScoreIterationTerminationCondition(max_score=1e9), (1e9,)),
    "InvalidScoreIterationTerminationCondition": (InvalidScoreIterationTerminationCondition(), ()),
    "MaxTimeIterationTerminationCondition": (
        MaxTimeIterationTerminationCondition(max_time_amount=3, max_time_unit="minutes"),
        (3, "MINUTES"),
    ),
}


@pytest.mark.usefixtures("jvm")
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_have_dl4js_json(name: str) -> None:
    mine, arguments = CONDITIONS[name]
    unit = java("java.util.concurrent.TimeUnit")
    given = [unit.valueOf(argument) if isinstance(argument, str) else argument for argument in arguments]
    theirs = java(f"{_ES}.termination.{name}")(*given)
    mapper = java("org.deeplearning4j.nn.conf.NeuralNetConfiguration").mapper()
    assert _java.dumps(mine.to_tree()) == str(mapper.writeValueAsString(theirs))


@pytest.mark.usefixtures("jvm")
def test_the_saver_has_dl4js_json() -> None:
    mapper = java("org.deeplearning4j.nn.conf.NeuralNetConfiguration").mapper()
    theirs = java(f"{_ES}.saver.InMemoryModelSaver")()
    assert _java.dumps(InMemoryModelSaver().to_tree()) == str(mapper.writeValueAsString(theirs))


# -- better than DL4J ------------------------------------------------------------------------------------------------------------------


def test_the_network_is_the_best_one_and_goes_on_from_there() -> None:
    conditions = [ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=2)]
    net = network()
    history = fit(net, EarlyStoppingConfiguration(epoch_termination_conditions=conditions, save_last_model=True))
    stopped = history.early_stopping
    assert net.score(XV, ONE_HOT_V) == pytest.approx(stopped.best_model_score)
    other = network()
    other.fit(X, ONE_HOT, epochs=stopped.best_model_epoch, shuffle=False, batch_size=BATCH, progress=False)
    assert np.array_equal(net.params, other.params)
    assert stopped.latest_model.score(XV, ONE_HOT_V) == pytest.approx(stopped.score_vs_epoch[len(history)])
    best = stopped.best_model.params.copy()
    for model in (net, other):  # the updater's state is that of the best epoch, too
        model.fit(X, ONE_HOT, epochs=2, shuffle=False, batch_size=BATCH, progress=False)
    assert np.array_equal(net.params, other.params)
    assert np.array_equal(stopped.best_model.params, best)
    assert "best_model" not in repr(stopped).replace("best_model_", "")


def test_the_number_of_epochs_is_kept_whatever_is_scored_when() -> None:
    net = network(0.01)
    conf = EarlyStoppingConfiguration(evaluate_every_n_epochs=4)
    stopped = fit(net, conf, epochs=7).early_stopping
    assert list(stopped.score_vs_epoch) == [1, 5, 7]
    assert stopped.termination_details == "MaxEpochsTerminationCondition(7)"
    assert stopped.total_epochs == 7
    assert (
        stopped.best_model_score
        == min(stopped.score_vs_epoch.values())
        == stopped.score_vs_epoch[stopped.best_model_epoch]
    )


METRICS = "org.nd4j.evaluation.regression.RegressionEvaluation$Metric"
AUTOENCODER = AutoEncoder(n_out=3, activation="sigmoid")
VARIATIONAL = VariationalAutoencoder(n_out=2, encoder_layer_sizes=[5], decoder_layer_sizes=[5], activation="tanh")
RECONSTRUCTIONS = {
    "autoencoder": (AUTOENCODER, AutoencoderScoreCalculator(metric="mae"), False),
    "autoencoder, correlation": (AUTOENCODER, AutoencoderScoreCalculator(metric="pc"), True),
    "error": (VARIATIONAL, VAEReconErrorScoreCalculator(metric="rmse"), False),
    "error, explained": (VARIATIONAL, VAEReconErrorScoreCalculator(metric="r2"), True),
    "probability": (VARIATIONAL, VAEReconProbScoreCalculator(reconstruction_prob_num_samples=3, log_prob=False), True),
    "negative log probability": (
        VARIATIONAL,
        VAEReconProbScoreCalculator(reconstruction_prob_num_samples=3, log_prob=True, average=False),
        False,
    ),
}


@pytest.mark.parametrize("name", RECONSTRUCTIONS)
def test_reconstructions_are_scored_by_dl4j_and_judged_right(jvm, name: str) -> None:
    layer, calculator, more_is_better = RECONSTRUCTIONS[name]
    conf = network().conf.replace(layers=[layer, OutputLayer(n_out=3, activation="softmax")])
    net = dl.MultiLayerNetwork(conf)
    stopped = fit(net, EarlyStoppingConfiguration(score_calculator=calculator), epochs=5).early_stopping
    scores = stopped.score_vs_epoch
    assert stopped.best_model_score == (max if more_is_better else min)(scores.values())
    assert len(set(scores.values())) == 5
    if isinstance(calculator, VAEReconProbScoreCalculator):  # it draws samples
        return
    metric = java(METRICS).valueOf(calculator.metric.upper())
    theirs = java(calculator.java_name)(metric, data(jvm, XV, ONE_HOT_V))
    assert float(theirs.calculateScore(net._java)) == pytest.approx(stopped.best_model_score)


@pytest.mark.parametrize("metric", ["mse", "mae", "rmse", "rse", "pc", "r2"])
def test_regressions_are_scored_and_judged_as_by_dl4j(jvm, metric: str) -> None:
    net = network()
    conf = EarlyStoppingConfiguration(score_calculator=RegressionScoreCalculator(metric=metric))
    stopped = fit(net, conf, epochs=4).early_stopping
    java_metric = java(METRICS).valueOf(metric.upper())
    theirs = java(f"{_ES}.scorecalc.RegressionScoreCalculator")(java_metric, data(jvm, XV, ONE_HOT_V))
    if metric == "pc":  # DL4J subtracts sums of float32 that are nearly equal: right to one digit here
        output = net.output(XV)
        expected = np.mean([np.corrcoef(output[:, j], ONE_HOT_V[:, j])[0, 1] for j in range(3)])
    else:
        expected = float(theirs.calculateScore(net._java))
    assert expected == pytest.approx(stopped.best_model_score, rel=1e-5)
    best = min if theirs.minimizeScore() else max
    assert stopped.best_model_score == best(stopped.score_vs_epoch.values())


@pytest.mark.parametrize("metric", ["auc", "auprc"])
@pytest.mark.parametrize("kind", ["roc", "binary", "multiclass"])
def test_areas_are_those_of_dl4j(jvm, kind: str, metric: str) -> None:
    layers = [DenseLayer(n_out=4), OutputLayer(n_out=2, activation="softmax")]
    net = dl.MultiLayerNetwork(network().conf.replace(layers=layers))
    y, yv = (np.eye(2, dtype="f4")[(labels > 1).astype(int)] for labels in (Y, YV))
    conf = EarlyStoppingConfiguration(score_calculator=ROCScoreCalculator(type=kind, metric=metric))
    stopped = net.fit(X, y, validation=(XV, yv), epochs=3, early_stopping=conf, progress=False).early_stopping
    calculator = f"{_ES}.scorecalc.ROCScoreCalculator"
    chosen = java(f"{calculator}$ROCType").valueOf(kind.upper()), java(f"{calculator}$Metric").valueOf(metric.upper())
    theirs = java(calculator)(*chosen, data(jvm, XV, yv))
    assert float(theirs.calculateScore(net._java)) == pytest.approx(stopped.best_model_score)
    assert stopped.best_model_score == max(stopped.score_vs_epoch.values())


def test_sequences_are_scored_along_their_classes() -> None:
    layers = [LSTM(n_out=4), RnnOutputLayer(n_out=2, activation="softmax")]
    conf = dl.MultiLayerConfiguration(layers=layers, input_type=dl.InputType.recurrent(1, format="nwc"), seed=1)
    x = np.random.default_rng(0).normal(size=(30, 6, 1)).astype("f4")
    y = np.eye(2, dtype="f4")[(x[:, :, 0] > 0).astype(int)]
    scores = {
        "accuracy": ClassificationScoreCalculator(metric="accuracy"),
        "mse": RegressionScoreCalculator(metric="mse"),
        "auc": ROCScoreCalculator(type="multiclass"),
    }
    stopped = {}
    for name, score in scores.items():
        net = dl.MultiLayerNetwork(conf)
        early = EarlyStoppingConfiguration(score_calculator=score)
        stopped[name] = net.fit(x, y, validation=(x, y), epochs=1, early_stopping=early, progress=False).early_stopping
    predicted = net.output(x)
    assert stopped["accuracy"].best_model_score == pytest.approx((predicted.argmax(2) == y.argmax(2)).mean())
    assert stopped["mse"].best_model_score == pytest.approx(((predicted - y) ** 2).mean(), rel=1e-4)
    ranks = roc_auc_score(y[:, :, 1].ravel(), predicted[:, :, 1].ravel())
    assert stopped["auc"].best_model_score == pytest.approx(ranks, rel=1e-3)


def test_a_fit_without_early_stopping_has_no_result() -> None:
    net = network()
    assert net.fit(X, ONE_HOT, progress=False).early_stopping is None


def test_models_in_a_directory_have_the_normalizer(tmp_path: Path) -> None:
    conf = EarlyStoppingConfiguration(
        epoch_termination_conditions=[ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=2)],
        model_saver=LocalFileModelSaver(directory=tmp_path / "new" / "models"),
        save_last_model=True,
    )
    net = dl.MultiLayerNetwork(network().conf, normalizer=dl.normalizers.NormalizerStandardize())
    stopped = fit(net, conf).early_stopping
    assert sorted(path.name for path in (tmp_path / "new" / "models").iterdir()) == ["bestModel.bin", "latestModel.bin"]
    for name, model in {"bestModel.bin": stopped.best_model, "latestModel.bin": stopped.latest_model}.items():
        loaded = dl.MultiLayerNetwork.load(tmp_path / "new" / "models" / name)
        assert np.array_equal(loaded.output(XV), model.output(XV))
    assert np.array_equal(stopped.best_model.output(XV), net.output(XV))


def test_a_score_of_nan_ends_training_where_that_is_a_condition() -> None:
    conditions = [InvalidScoreIterationTerminationCondition()]
    net = network(1e30, activation="identity", loss="mse")
    before = net.params.copy()
    with pytest.raises(NaNScoreError):
        fit(net, EarlyStoppingConfiguration(), epochs=50)
    assert np.array_equal(net.params, before)
    stopped = fit(net, EarlyStoppingConfiguration(iteration_termination_conditions=conditions)).early_stopping
    assert stopped.termination_details == "InvalidScoreIterationTerminationCondition()"
    assert (stopped.total_epochs, stopped.best_model_epoch, stopped.best_model) == (0, None, None)
    assert np.array_equal(net.params, before)


def test_time_ends_training_without_anything_to_score() -> None:
    condition = MaxTimeIterationTerminationCondition(max_time_amount=300, max_time_unit="milliseconds")
    conf = EarlyStoppingConfiguration(iteration_termination_conditions=[condition], score_calculator=None)
    net = network(0.01)
    before = net.params.copy()
    start = time.monotonic()
    history = fit(net, conf, validation=None)
    assert 0.3 <= time.monotonic() - start < 5
    assert history.early_stopping.total_epochs == len(history)
    assert history.early_stopping.best_model_score is None
    assert not np.array_equal(net.params, before)


def test_a_bar_without_a_known_end(monkeypatch, capsys) -> None:
    conditions = [ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=1)]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    history = fit(network(), EarlyStoppingConfiguration(epoch_termination_conditions=conditions), progress=True)
    assert f"epoch {len(history)}: score" in capsys.readouterr().out


def test_ctrl_c_ends_it_and_leaves_the_network_as_far_as_it_came() -> None:
    net = network(0.01)
    endless = EarlyStoppingConfiguration(
        iteration_termination_conditions=[
            MaxTimeIterationTerminationCondition(max_time_amount=1, max_time_unit="hours")
        ]
    )
    before = net.params.copy()
    handler = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # where tests run in the background it is ignored
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            fit(net, endless)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert not np.array_equal(net.params, before)
    assert np.isfinite(net.score(XV, ONE_HOT_V))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"early_stopping": EarlyStoppingConfiguration()}, "no termination conditions, so training would never end"),
        ({"early_stopping": EarlyStoppingConfiguration}, "Received: EarlyStoppingConfiguration"),
        ({"early_stopping": EarlyStoppingConfiguration(), "epochs": 0}, "epochs must be an int from 1"),
        (
            {"early_stopping": EarlyStoppingConfiguration(), "epochs": 3, "validation": None},
            r"early_stopping.score_calculator \(DataSetLossCalculator\) needs data",
        ),
        (
            {
                "early_stopping": EarlyStoppingConfiguration(score_calculator=AutoencoderScoreCalculator(metric="mse")),
                "epochs": 3,
            },
            "early_stopping.score_calculator does not suit the network",
        ),
    ],
)
def test_refusals(options: dict, message: str) -> None:
    net = network()
    with pytest.raises(ConfigError, match=message):
        net.fit(X, ONE_HOT, **{"validation": (XV, ONE_HOT_V), "progress": False, **options})
