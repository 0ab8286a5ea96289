"""Early stopping as data; what DL4J makes of it is in tests/jvm/test_early_stopping.py."""

import pickle

import pytest

from pydl4j import earlystopping
from pydl4j.conf import _java
from pydl4j.conf._reading import At
from pydl4j.earlystopping import (
    BestScoreEpochTerminationCondition,
    EarlyStoppingConfiguration,
    EpochTerminationCondition,
    IterationTerminationCondition,
    LocalFileModelSaver,
    MaxEpochsTerminationCondition,
    MaxTimeIterationTerminationCondition,
    RegressionScoreCalculator,
    ScoreImprovementEpochTerminationCondition,
)
from pydl4j.errors import ConfigError

FULL = EarlyStoppingConfiguration(
    epoch_termination_conditions=[
        MaxEpochsTerminationCondition(max_epochs=30),
        ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=3, min_improvement=0.01),
    ],
    iteration_termination_conditions=[MaxTimeIterationTerminationCondition(max_time_amount=2, max_time_unit="hours")],
    score_calculator=RegressionScoreCalculator(metric="R2"),
    evaluate_every_n_epochs=2,
    save_last_model=True,
    model_saver=LocalFileModelSaver(directory="models"),
)


def test_it_is_a_value():
    assert pickle.loads(pickle.dumps(FULL)) == FULL
    assert eval(repr(FULL), vars(earlystopping)) == FULL
    assert FULL.score_calculator.metric == "r2"


@pytest.mark.parametrize(
    ("family", "condition"),
    [(EpochTerminationCondition, condition) for condition in FULL.epoch_termination_conditions]
    + [(IterationTerminationCondition, condition) for condition in FULL.iteration_termination_conditions],
)
def test_conditions_are_read_back(family, condition):
    assert family.read(_java.loads(_java.dumps(condition.to_tree())), At("condition")) == condition


@pytest.mark.parametrize(
    ("make", "path", "message"),
    [
        (
            lambda: MaxEpochsTerminationCondition(max_epochs=0),
            "MaxEpochsTerminationCondition.max_epochs",
            "must be >= 1. Received: 0",
        ),
        (
            lambda: MaxTimeIterationTerminationCondition(max_time_amount=3, max_time_unit="second"),
            "MaxTimeIterationTerminationCondition.max_time_unit",
            "did you mean 'seconds'?",
        ),
        (
            lambda: RegressionScoreCalculator(metric="mrse"),
            "RegressionScoreCalculator.metric",
            "must be one of 'mse', 'mae', 'rmse', 'rse', 'pc', 'r2'",
        ),
        (
            lambda: EarlyStoppingConfiguration(epoch_termination_conditions=[MaxEpochsTerminationCondition]),
            "EarlyStoppingConfiguration.epoch_termination_conditions",
            "must be an EpochTerminationCondition: write MaxEpochsTerminationCondition(...) at index 0",
        ),
        (
            lambda: EarlyStoppingConfiguration(
                epoch_termination_conditions=[BestScoreEpochTerminationCondition(best_expected_score=0.1)],
                score_calculator=None,
            ),
            "EarlyStoppingConfiguration.score_calculator",
            "must be given where there are epoch_termination_conditions or save_last_model",
        ),
        (
            lambda: EarlyStoppingConfiguration(save_last_model=True, score_calculator=None),
            "EarlyStoppingConfiguration.score_calculator",
            "must be given where there are epoch_termination_conditions or save_last_model",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals(make, path, message):
    with pytest.raises(ConfigError) as caught:
        make()
    assert caught.value.path == path
    assert message in str(caught.value)
