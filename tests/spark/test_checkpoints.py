"""Checkpoints: a fit that goes on from one ends where the uninterrupted one does; what cannot be gone on from is refused."""

import json
import logging
import shutil
import zipfile

import numpy as np
import pytest
from local_spark import X, Y, frame, iris, on_spark

import pydl4j as dl
from pydl4j import schedules
from pydl4j.errors import CheckpointError, ConfigError, CountMismatchError, NaNScoreError
from pydl4j.layers import OutputLayer


class StopError(Exception):
    pass


def stop_after(epoch):
    def stop(seen):
        if seen.number == epoch:
            raise StopError

    return stop


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def normalized():
    return dl.MultiLayerNetwork(iris(), normalizer=dl.normalizers.NormalizerStandardize())


@pytest.fixture(scope="module")
def uninterrupted(spark):
    net = on_spark(spark, normalized())
    net.fit(X, Y, epochs=4, progress=False)
    return net.network.params.copy()


def test_an_interrupted_fit_goes_on_as_if_it_had_not_been(spark, tmp_path, uninterrupted, caplog):
    saved = tmp_path / "digits"
    fit = {"epochs": 4, "checkpoint": saved, "progress": False}
    with pytest.raises(StopError):
        on_spark(spark, normalized()).fit(X, Y, callbacks=[stop_after(2)], **fit)
    stopped_at = max(int(name[6:11]) for name in names(saved))
    with caplog.at_level(logging.INFO, "pydl4j"):
        net = on_spark(spark, normalized())
        history = net.fit(X, Y, resume=True, **fit)
    assert "training goes on from" in caplog.text
    assert history["number"] == list(range(stopped_at + 1, 5))
    np.testing.assert_array_equal(net.network.params, uninterrupted)
    again = on_spark(spark, normalized())
    assert len(again.fit(X, Y, resume=True, **fit)) == 0
    np.testing.assert_array_equal(again.network.params, uninterrupted)
    more = again.fit(X, Y, resume=True, **fit | {"epochs": 5})
    assert [epoch.number for epoch in more] == [5]
    assert names(saved) == ["epoch-00003.zip", "epoch-00004.zip", "epoch-00005.zip"]


def test_a_fit_goes_on_within_an_epoch(spark, tmp_path, uninterrupted):
    often = dl.Checkpoint(tmp_path, every_epochs=None, every_minutes=1e-9, keep_last=100)
    history = on_spark(spark, normalized()).fit(X, Y, epochs=2, checkpoint=often, progress=False)
    inside = [f"epoch-0000{epoch}-minibatch-00000{done}.zip" for epoch in (0, 1) for done in (4, 8)]
    assert names(tmp_path) == sorted([*inside, "epoch-00001.zip", "epoch-00002.zip"])
    (tmp_path / "epoch-00002.zip").unlink()
    net = on_spark(spark, normalized())
    resumed = net.fit(X, Y, epochs=4, checkpoint=often, resume=True, progress=False)
    assert resumed["examples"] == [150, 150, 150]
    assert resumed["number"] == [2, 3, 4]
    assert resumed[0].score == pytest.approx(history[1].score)
    np.testing.assert_array_equal(net.network.params, uninterrupted)


def test_half_an_epoch_is_finished_as_it_was_begun(spark, tmp_path):
    often = dl.Checkpoint(tmp_path, every_minutes=1e-9, keep_last=100)
    on_spark(spark).fit(X, Y, checkpoint=often, progress=False)
    (tmp_path / "epoch-00001.zip").unlink()
    for other, options, message in [
        (on_spark(spark, batch_size_per_worker=8), {}, "batch_size_per_worker 16. Received: 8"),
        (on_spark(spark, rng_seed=3), {}, "rng_seed null. Received: 3"),
        (on_spark(spark), {"shuffle": False}, "shuffle true. Received: false"),
    ]:
        with pytest.raises(CheckpointError, match=f"minibatch-000008.zip is of a fit with {message}"):
            other.fit(X, Y, checkpoint=often, resume=True, progress=False, **options)


@pytest.mark.parametrize("claimed", [63, 65])
def test_counts_that_are_wrong_put_the_network_back(spark, tmp_path, claimed):
    """The checkpoint says that another number of examples was trained."""
    often = dl.Checkpoint(tmp_path, every_minutes=1e-9, keep_last=100)
    on_spark(spark).fit(X, Y, checkpoint=often, progress=False)
    (tmp_path / "epoch-00001.zip").unlink()
    (tmp_path / "epoch-00000-minibatch-000008.zip").unlink()
    half = tmp_path / "epoch-00000-minibatch-000004.zip"
    with zipfile.ZipFile(half) as model:
        parts = {name: model.read(name) for name in model.namelist()}
    about = json.loads(parts["checkpoint.json"])
    about["position"]["examples"] = claimed
    parts["checkpoint.json"] = json.dumps(about).encode()
    with zipfile.ZipFile(half, "w") as model:
        for name, content in parts.items():
            model.writestr(name, content)
    expected = dl.MultiLayerNetwork.load(half)
    net = on_spark(spark)
    message = f"read 86 examples and trained 86 of the {150 - claimed} that were given. The network was put back"
    with pytest.raises(CountMismatchError, match=message):
        net.fit(X, Y, checkpoint=often, resume=True, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.params)
    assert net.network._gateway.call("nn.Networks.counters", net.network._java) == '{"iteration":2,"epoch":0}'


def test_a_checkpoint_is_a_model_file(spark, tmp_path):
    net = on_spark(spark, normalized())
    net.fit(X, Y, checkpoint=tmp_path, progress=False)
    saved = tmp_path / "epoch-00001.zip"
    loaded = dl.MultiLayerNetwork.load(saved)
    np.testing.assert_array_equal(loaded.predict(X), net.network.predict(X))
    np.testing.assert_allclose(loaded.normalizer.transform(X), net.network.normalizer.transform(X), rtol=1e-6)
    with zipfile.ZipFile(saved) as model:
        assert "updaterState.bin" in model.namelist()
        about = json.loads(model.read("checkpoint.json"))
    assert about["position"]["epochs"] == 1
    assert about["seed"] == 7
    assert about["iterations"] == net.network._gateway.call("nn.Networks.counters", net.network._java).count("5") * 5


def test_where_there_is_none_training_starts_anew_and_the_log_says_so(spark, tmp_path, caplog):
    with caplog.at_level(logging.WARNING, "pydl4j"):
        history = on_spark(spark).fit(X, Y, checkpoint=str(tmp_path / "new"), resume=True, progress=False)
    assert len(history) == 1
    assert "there is no checkpoint in" in caplog.text


def test_a_damaged_checkpoint_is_passed_over(spark, tmp_path, caplog):
    expected = on_spark(spark)
    expected.fit(X, Y, epochs=4, checkpoint=tmp_path, progress=False)
    newest = tmp_path / "epoch-00004.zip"
    data = bytearray(newest.read_bytes())
    newest.write_bytes(data[: len(data) // 2])
    older = tmp_path / "epoch-00003.zip"
    data = bytearray(older.read_bytes())
    data[200] ^= 0xFF
    older.write_bytes(data)
    net = on_spark(spark)
    with caplog.at_level(logging.WARNING, "pydl4j"):
        history = net.fit(X, Y, epochs=4, checkpoint=tmp_path, resume=True, progress=False)
    assert [epoch.number for epoch in history] == [3, 4]
    assert "epoch-00004.zip" in caplog.text
    assert "epoch-00003.zip" in caplog.text
    np.testing.assert_array_equal(net.network.params, expected.network.params)


def test_what_is_of_another_fit_is_refused(spark, tmp_path):
    on_spark(spark).fit(X, Y, checkpoint=tmp_path, progress=False)
    fit = {"checkpoint": tmp_path, "progress": False}
    with pytest.raises(CheckpointError, match=r"has checkpoints of an earlier fit.*resume=True"):
        on_spark(spark).fit(X, Y, **fit)
    other = on_spark(spark, iris(updater=dl.updaters.Adam(learning_rate=0.03)))
    before = other.network.params.copy()
    with pytest.raises(
        CheckpointError, match=r"is of another network: its configuration differs at confs\[0\].*learningRate"
    ):
        other.fit(X, Y, resume=True, **fit)
    np.testing.assert_array_equal(other.network.params, before)
    with pytest.raises(CheckpointError, match=r"is of a fit with examples 150. Received: 149"):
        on_spark(spark).fit(X[:149], Y[:149], resume=True, **fit)
    net = normalized()
    with pytest.raises(CheckpointError, match="has no normalizer, but the network has one"):
        on_spark(spark, net).fit(X, Y, resume=True, **fit)
    assert not net.normalizer.is_fitted


def test_the_normalizer_is_the_checkpoints(spark, tmp_path):
    first = on_spark(spark, normalized())
    first.fit(X, Y, checkpoint=tmp_path, progress=False)
    net = on_spark(spark, normalized())
    fit = {"epochs": 2, "checkpoint": tmp_path, "resume": True, "progress": False}
    data = frame(spark)  # to which no normalizer could be fitted
    net.fit(data, "y", features="x", **fit)
    assert net.network.normalizer.to_bytes() == first.network.normalizer.to_bytes()
    other = normalized()
    other.normalizer.fit(X * 2)
    with pytest.raises(CheckpointError, match="has other statistics: it was fitted to other data"):
        on_spark(spark, other).fit(X, Y, **fit)
    minmax = dl.MultiLayerNetwork(iris(), normalizer=dl.normalizers.NormalizerMinMaxScaler())
    with pytest.raises(CheckpointError, match=r"has a NormalizerStandardize. Received: a NormalizerMinMaxScaler"):
        on_spark(spark, minmax).fit(X, Y, **fit)


def test_on_a_hadoop_file_system(spark, tmp_path, uninterrupted):
    key = "spark.hadoop.fs.viewfs.mounttable.checkpoints.link./models"
    spark.sparkContext._jsc.sc().conf().set(key, tmp_path.as_uri())  # Hadoop's files under another name
    fit = {"epochs": 4, "checkpoint": "viewfs://checkpoints/models/", "progress": False}
    with pytest.raises(StopError):
        on_spark(spark, normalized()).fit(X, Y, callbacks=[stop_after(1)], **fit)
    net = on_spark(spark, normalized())
    net.fit(X, Y, resume=True, **fit)
    np.testing.assert_array_equal(net.network.params, uninterrupted)
    assert [name for name in names(tmp_path) if not name.endswith(".crc")] == [f"epoch-0000{n}.zip" for n in (2, 3, 4)]


@pytest.mark.parametrize(
    ("bad", "message"), [("nosuchfs://host/x", "cannot be read"), ("hdfs://a b/c", "expected a path, or a URI")]
)
def test_directories_that_cannot_be_used(spark, bad, message):
    with pytest.raises(CheckpointError, match=message):
        on_spark(spark).fit(X, Y, checkpoint=bad, progress=False)


def test_what_cannot_be_written_ends_the_fit_and_leaves_the_last_one_whole(spark, tmp_path):
    def fill(epoch):
        if epoch.number == 2:
            (tmp_path / ".writing").write_text("in the way")

    net = on_spark(spark)
    with pytest.raises(CheckpointError, match="could not be written") as caught:
        net.fit(X, Y, epochs=50, checkpoint=tmp_path, callbacks=[fill], progress=False)
    assert caught.value.path == "checkpoint"
    last = max(name for name in names(tmp_path) if name.startswith("epoch"))
    assert f"The last checkpoint is {(tmp_path / last).as_uri()}: fit(..., resume=True)" in str(caught.value)
    (tmp_path / ".writing").unlink()
    again = on_spark(spark)
    assert len(again.fit(X, Y, epochs=int(last[6:11]) + 1, checkpoint=tmp_path, resume=True, progress=False)) == 1


def test_a_failure_names_the_last_checkpoint(spark, tmp_path):
    rate = schedules.MapSchedule(schedule_type="epoch", values={0: 0.02, 2: 1e30})
    layers = [OutputLayer(n_out=1, loss="mse", activation="identity")]
    net = on_spark(spark, iris(updater=dl.updaters.Sgd(learning_rate=rate), layers=layers))
    with pytest.raises(NaNScoreError, match=r"The last checkpoint is file:.*epoch-00002.zip: fit\(..., resume=True\)"):
        net.fit(X, Y, epochs=4, checkpoint=tmp_path, progress=False)


def test_arguments(spark, tmp_path):
    with pytest.raises(ConfigError, match="resume=True needs the checkpoints"):
        on_spark(spark).fit(X, Y, resume=True)
    with pytest.raises(ConfigError, match=r"expected a Checkpoint, a path or a URI. Received: 3"):
        on_spark(spark).fit(X, Y, checkpoint=3)


def test_a_checkpoint_in_process_goes_on_on_spark(spark, tmp_path):
    single = dl.MultiLayerNetwork(iris())
    single.fit(X, Y, batch_size=16, epochs=1, checkpoint=tmp_path, progress=False)
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path, copy)
    single.fit(X, Y, batch_size=16, epochs=1, progress=False)
    net = on_spark(spark, averaging_frequency=1, num_workers=1)
    net.fit(X, Y, epochs=2, checkpoint=copy, resume=True, progress=False)
    np.testing.assert_allclose(net.network.params, single.params, rtol=1e-4, atol=1e-6)
