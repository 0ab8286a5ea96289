"""Checkpoints of training in this process."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import pydl4j as dl
from pydl4j.errors import CheckpointError, ConfigError
from pydl4j.layers import DenseLayer, OutputLayer

X, Y = load_iris(return_X_y=True)


def network():
    conf = dl.MultiLayerConfiguration(
        seed=7,
        updater=dl.updaters.Adam(learning_rate=0.02),
        input_type=dl.InputType.feed_forward(4),
        layers=[DenseLayer(n_out=8, activation="tanh", dropout=0.9), OutputLayer(n_out=3, loss="mcxent")],
    )
    return dl.MultiLayerNetwork(conf, normalizer=dl.normalizers.NormalizerStandardize())


class StopError(Exception):
    pass


def test_an_interrupted_fit_goes_on_as_if_it_had_not_been(tmp_path):
    def stop(epoch):
        if epoch.number == 2:
            raise StopError

    fit = {"epochs": 100, "checkpoint": dl.Checkpoint(tmp_path, keep_last=1), "progress": False}
    expected = network()
    expected.fit(X, Y, epochs=100, progress=False)
    with pytest.raises(StopError):
        network().fit(X, Y, callbacks=[stop], **fit)
    (stopped_at,) = (int(path.stem[-5:]) for path in tmp_path.iterdir())
    resumed = network()
    history = resumed.fit(X, Y, resume=True, **fit)
    assert history["number"] == list(range(stopped_at + 1, 101))
    np.testing.assert_array_equal(resumed.params, expected.params)
    assert [path.name for path in tmp_path.iterdir()] == ["epoch-00100.zip"]
    assert len(network().fit(X, Y, resume=True, **fit)) == 0


def test_what_is_of_another_fit_is_refused(tmp_path):
    network().fit(X, Y, checkpoint=tmp_path, progress=False)
    with pytest.raises(CheckpointError, match="has checkpoints of an earlier fit"):
        network().fit(X, Y, checkpoint=tmp_path, progress=False)
    with pytest.raises(CheckpointError, match=r"is of a fit with examples 150. Received: 149"):
        network().fit(X[1:], Y[1:], checkpoint=tmp_path, resume=True, progress=False)


def test_a_place_on_another_machine_is_refused():
    with pytest.raises(ConfigError, match=r"writes to local directories. Received: hdfs:///models"):
        network().fit(X, Y, checkpoint="hdfs:///models")
