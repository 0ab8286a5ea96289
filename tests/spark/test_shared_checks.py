"""The checks that training on Spark shares with training in this process."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from local_spark import X, Y, frame, iris, on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError, DataWarning, ShapeError
from pydl4j.layers import LSTM, DenseLayer, OutputLayer, RnnOutputLayer


@pytest.fixture(scope="module")
def net(spark):
    return on_spark(spark)


@pytest.mark.parametrize("epochs", [1.5, "3", 0])
def test_epochs_are_a_whole_number(net, epochs):
    with pytest.raises(ConfigError, match="epochs must be an int from 1"):
        net.fit(X, Y, epochs=epochs)


@pytest.mark.parametrize("validation", [(X, Y, Y), (), X, 0.2])
def test_validation_is_a_pair_or_a_dataframe(net, validation):
    with pytest.raises(DataError, match=r"validation must be a pair \(x, y\), or a DataFrame") as caught:
        net.fit(X, Y, validation=validation)
    assert caught.value.path == "validation"


def test_a_dataframe_does_not_validate_arrays(net, spark):
    with pytest.raises(DataError, match=r"a pair \(x, y\), as the data are arrays.*Received: a DataFrame") as caught:
        net.fit(X, Y, validation=frame(spark))
    assert caught.value.path == "validation"


def test_missing_labels(net):
    for verb in (net.evaluate, net.score):
        with pytest.raises(DataError, match="labels are missing") as caught:
            verb(X, None)
        assert caught.value.path == "labels"


def test_labels_of_another_length_than_the_sequences(spark):
    layers = [LSTM(n_out=4), RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax")]
    conf = dl.MultiLayerConfiguration(input_type=dl.InputType.recurrent(4), layers=layers)
    with pytest.raises(ShapeError, match=r"time steps of labels as of features: 7. Received: 5"):
        on_spark(spark, conf).fit(np.ones((20, 4, 7)), np.ones((20, 5), int), progress=False)


def test_a_warning_points_at_the_line_of_the_caller(net):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        net.score(X, 2 * np.eye(3)[Y])
    (warning,) = [each for each in caught if each.category is DataWarning]
    assert Path(warning.filename) == Path(__file__)


def test_it_has_a_short_repr(net):
    assert repr(net).startswith("<SparkDl4jMultiLayer: 2 layers, 131 parameters, ParameterAveragingTrainingMaster(")
    assert "\n" not in repr(net)


@pytest.mark.parametrize(
    ("layer", "labels", "message"),
    [
        (
            OutputLayer(n_out=1, loss="xent", activation="sigmoid"),
            "array(y * 7)",
            "7.0 among the labels.*from 0.0 to 1.0",
        ),
        (
            OutputLayer(n_out=2, loss="mcxent", activation="softmax"),
            "array(2, -1)",
            "-1.0 among the labels.*at least 0.0",
        ),
    ],
)
def test_labels_of_a_dataframe_outside_what_the_loss_has_a_meaning_for(spark, layer, labels, message):
    net = on_spark(spark, iris(layers=[DenseLayer(n_out=4), layer]))
    with pytest.raises(DataError, match=rf"column 'y' has {message}"):
        net.fit(frame(spark).selectExpr("x", f"{labels} as y"), "y", features="x", progress=False)
