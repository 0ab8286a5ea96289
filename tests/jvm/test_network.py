"""MultiLayerNetwork in this process, on a small real problem."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError, DataWarning, ModelFileError, NaNScoreError, ShapeError
from pydl4j.layers import LSTM, ActivationLayer, DenseLayer, DropoutLayer, LossLayer, OutputLayer, RnnOutputLayer

IRIS = load_iris()
X = IRIS.data.astype("f4")
Y = IRIS.target


def iris(**options) -> dl.MultiLayerConfiguration:
    layers = options.pop(
        "layers",
        [DenseLayer(n_out=16, activation="tanh"), OutputLayer(n_out=3, loss="mcxent", activation="softmax")],
    )
    options.setdefault("updater", dl.updaters.Adam(learning_rate=0.02))
    options.setdefault("seed", 7)
    return dl.MultiLayerConfiguration(input_type=dl.InputType.feed_forward(4), layers=layers, **options)


def trained(**options) -> dl.MultiLayerNetwork:
    net = dl.MultiLayerNetwork(iris(), normalizer=dl.normalizers.NormalizerStandardize())
    net.fit(X, Y, **{"epochs": 30, "batch_size": 16, "progress": False, **options})
    return net


@pytest.fixture(scope="module")
def net() -> dl.MultiLayerNetwork:
    return trained()


def test_it_learns(net) -> None:
    evaluation = net.evaluate(X, Y, dl.evaluation.Evaluation(labels=list(IRIS.target_names)))
    assert evaluation.accuracy > 0.95
    assert evaluation.labels == ("setosa", "versicolor", "virginica")
    assert evaluation.confusion.sum() == len(X)
    assert net.score(X, Y) < 0.2


def test_output_predict_and_evaluate_agree_whatever_the_batch_size(net) -> None:
    output = net.output(X)
    assert output.dtype == np.float32
    assert np.allclose(output.sum(axis=1), 1, atol=1e-5)
    assert np.allclose(net.output(X, batch_size=7), output, atol=1e-6)
    predicted = net.predict(X)
    assert np.array_equal(predicted, output.argmax(axis=1))
    evaluation = net.evaluate(X, Y, batch_size=11)
    assert np.trace(evaluation.confusion) == (predicted == Y).sum()
    for actual in range(3):
        assert np.array_equal(np.bincount(predicted[actual == Y], minlength=3), evaluation.confusion[actual])


def test_the_figures_are_those_of_dl4j(net, jvm) -> None:
    import jpype

    theirs = jpype.JClass("org.nd4j.evaluation.classification.Evaluation")()
    theirs.eval(jvm.put(np.eye(3, dtype="f4")[Y]), jvm.put(net.output(X)))
    ours = net.evaluate(X, Y)
    assert ours.accuracy == pytest.approx(theirs.accuracy())
    assert ours.precision == pytest.approx(theirs.precision())
    assert ours.recall == pytest.approx(theirs.recall())
    assert ours.f1 == pytest.approx(theirs.f1())


def test_the_history_tells_of_each_epoch() -> None:
    net = dl.MultiLayerNetwork(iris())
    seen = []
    history = net.fit(
        X, Y, epochs=5, batch_size=32, validation=(X[:30], Y[:30]), progress=False, callbacks=[seen.append]
    )
    assert [epoch.number for epoch in history] == [1, 2, 3, 4, 5]
    assert seen == list(history)
    assert history["score"][-1] < history["score"][0]
    assert history["examples"] == [150] * 5
    assert history[-1].validation_score == pytest.approx(net.score(X[:30], Y[:30]), rel=1e-5)
    assert history[-1].validation_accuracy == pytest.approx(net.evaluate(X[:30], Y[:30]).accuracy)


def test_a_line_per_epoch_where_there_is_no_terminal(capsys) -> None:
    dl.MultiLayerNetwork(iris()).fit(X, Y, epochs=2)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["epoch 1", "epoch 2"]


@pytest.mark.parametrize(
    "options",
    [{}, {"seed": 0}, {"layers": [DenseLayer(n_out=8), DropoutLayer(dropout=0.5), OutputLayer(n_out=3)]}],
)
def test_equal_seeds_make_equal_runs(options) -> None:
    runs = []
    for _ in range(2):
        net = dl.MultiLayerNetwork(iris(**options))
        net.fit(X, Y, epochs=3, batch_size=20, progress=False)
        runs.append(net.params.copy())
    assert np.array_equal(*runs)


def test_two_fits_are_one_longer_fit_with_dropout_too() -> None:
    layers = [DenseLayer(n_out=8), DropoutLayer(dropout=0.5), OutputLayer(n_out=3)]
    halves, whole = dl.MultiLayerNetwork(iris(layers=layers)), dl.MultiLayerNetwork(iris(layers=layers))
    halves.fit(X, Y, epochs=2, batch_size=20, progress=False)
    halves.fit(X, Y, epochs=2, batch_size=20, progress=False)
    whole.fit(X, Y, epochs=4, batch_size=20, progress=False)
    assert np.array_equal(halves.params, whole.params)


def test_the_order_is_new_in_each_epoch_unless_asked_not_to_be() -> None:
    def after(epochs: int, *, shuffle: bool) -> np.ndarray:
        net = dl.MultiLayerNetwork(iris(updater=dl.updaters.Sgd(learning_rate=0.1)))
        for _ in range(epochs):
            net.fit(X, Y, batch_size=150 if epochs == 0 else 10, shuffle=shuffle, progress=False)
        return net.params.copy()

    assert not np.array_equal(after(2, shuffle=True), after(2, shuffle=False))
    assert np.array_equal(after(2, shuffle=False), after(2, shuffle=False))


def test_a_loaded_network_goes_on_where_the_saved_one_ended(tmp_path: Path) -> None:
    whole = trained(epochs=4)
    half = trained(epochs=2)
    half.save(tmp_path / "half.zip")
    loaded = dl.MultiLayerNetwork.load(tmp_path / "half.zip")
    assert np.array_equal(loaded.params, half.params)
    assert loaded.normalizer is not None
    assert np.array_equal(loaded.output(X), half.output(X))
    loaded.fit(X, Y, epochs=2, batch_size=16, progress=False)
    assert np.array_equal(loaded.params, whole.params)  # updater state, counters and order of examples included


def test_saving_replaces_the_file_whole_and_is_dl4js_format(net, tmp_path: Path) -> None:
    path = tmp_path / "model.zip"
    path.write_text("old")
    net.save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.zip"]
    names = zipfile.ZipFile(path).namelist()
    assert {"configuration.json", "coefficients.bin", "updaterState.bin", "normalizer.bin"} <= set(names)


def test_params_are_the_networks_own_memory() -> None:
    net = dl.MultiLayerNetwork(iris())
    assert net.params.shape == (4 * 16 + 16 + 16 * 3 + 3,)
    before = net.output(X)
    net.params[:] = 0
    assert np.allclose(net.output(X), 1 / 3)
    net.params = np.ones(net.params.shape)
    assert not np.allclose(net.output(X), before)
    with pytest.raises(ShapeError, match=r"params must have the shape \[131\]. Received: \[3\]"):
        net.params = np.ones(3)


def test_regression_has_no_classes() -> None:
    conf = iris(
        layers=[DenseLayer(n_out=8, activation="relu"), OutputLayer(n_out=1, loss="mse", activation="identity")]
    )
    net = dl.MultiLayerNetwork(conf)
    net.fit(X, X[:, 0] * 2, epochs=3, progress=False)
    assert np.array_equal(net.predict(X), net.output(X))
    with pytest.raises(ConfigError, match="evaluate needs a classifier"):
        net.evaluate(X, Y)


def test_one_sigmoid_unit_tells_two_classes_apart() -> None:
    conf = iris(
        layers=[DenseLayer(n_out=8, activation="relu"), OutputLayer(n_out=1, loss="xent", activation="sigmoid")]
    )
    net = dl.MultiLayerNetwork(conf)
    is_setosa = Y == 0
    net.fit(X, is_setosa, epochs=20, batch_size=16, progress=False)
    assert net.evaluate(X, is_setosa).accuracy > 0.98
    assert set(net.predict(X)) == {0, 1}
    assert net.predict(X).shape == (150,)


def test_sequences_are_labelled_per_time_step() -> None:
    rng = np.random.default_rng(0)
    steps = rng.integers(0, 2, (200, 6))
    x = steps[:, None, :].astype("f4")
    parity = steps.cumsum(axis=1) % 2
    conf = dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Adam(learning_rate=0.02),
        input_type=dl.InputType.recurrent(1),
        layers=[LSTM(n_out=16, activation="tanh"), RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax")],
    )
    net = dl.MultiLayerNetwork(conf)
    net.fit(x, parity, epochs=40, batch_size=20, progress=False)
    assert net.output(x).shape == (200, 2, 6)
    assert net.predict(x).shape == (200, 6)
    assert net.evaluate(x, parity).accuracy > 0.9
    assert net.evaluate(x, parity).examples == 1200


def test_no_copy_is_made_of_what_fits() -> None:
    from pydl4j.data import arrays
    from pydl4j.data.interface import interface

    x = np.ascontiguousarray(X)
    assert arrays.features(x, interface(iris()).inputs[0]) is x


BAD = [
    (lambda: (X[:, :3], Y), ShapeError, r"x must have the shape \[examples, 4\].*Received: \[150, 3\]"),
    (lambda: (X, Y[:9]), ShapeError, "as many labels as examples: 150. Received: 9"),
    (lambda: (X, Y + 1), DataError, "from 0 to 2.*Received: 1 to 3"),
    (lambda: (X, Y - 1), DataError, "from 0 to 2.*Received: -1 to 1"),
    (lambda: (X, np.ones((150, 4))), ShapeError, r"\[examples, 3\].*Received: \[150, 4\]"),
    (lambda: (np.where(X > 7.5, np.nan, X), Y), DataError, r"must be finite. Received: nan at x\[105, 0\]"),
    (lambda: (np.where(X > 7.5, np.inf, X), Y), DataError, "must be finite. Received: inf"),
    (lambda: (X[:0], Y[:0]), DataError, "x is empty"),
    (lambda: (X.astype(object), Y), DataError, "x must be numbers. Received: dtype object"),
    (lambda: ([[1.0], [1.0, 2.0]], Y), DataError, "x must be an array of numbers"),
    (lambda: (X, Y + 0.5), DataError, "whole numbers from 0"),
    (lambda: (np.float32(3), Y), ShapeError, "Received: a single number"),
    (lambda: (X.astype("f8") * 1e300, Y), DataError, "does not fit the network's float32"),
]


@pytest.mark.parametrize(("data", "error", "message"), BAD, ids=[message for _, _, message in BAD])
def test_data_that_cannot_be_trained_on_is_refused_and_nothing_is_lost(net, data, error, message) -> None:
    before = net.params.copy()
    bare = dl.MultiLayerNetwork(iris())
    with pytest.raises(error, match=message):
        bare.fit(*data(), progress=False)
    assert np.array_equal(net.params, before)


def test_a_batch_larger_than_the_data_is_refused_unless_it_is_the_default(net) -> None:
    with pytest.raises(DataError, match=r"at most the number of examples, 150. Received: 151"):
        net.fit(X, Y, batch_size=151)
    few = dl.MultiLayerNetwork(iris())
    assert few.fit(X[:5], Y[:5], progress=False)[0].examples == 5


def test_labels_that_are_no_distribution_warn() -> None:
    net = dl.MultiLayerNetwork(iris())
    with pytest.warns(DataWarning, match=r"150 of 150 rows of y do not sum to 1.*the first sums to 2"):
        net.fit(X, 2 * np.eye(3)[Y], progress=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net.fit(X, np.eye(3)[Y], progress=False)


def test_a_score_that_becomes_nan_is_an_error_and_loses_no_epoch() -> None:
    net = dl.MultiLayerNetwork(
        iris(
            layers=[
                DenseLayer(n_out=8, activation="identity"),
                OutputLayer(n_out=3, loss="mse", activation="identity"),
            ],
            updater=dl.updaters.Sgd(learning_rate=1e-4),
        )
    )
    net.fit(X, np.eye(3)[Y], progress=False)
    before = net.params.copy()
    with pytest.raises(NaNScoreError, match=r"in epoch 1, minibatch \d+.*smaller learning rate"):
        net.fit(X * 1e18, np.eye(3)[Y], epochs=3, progress=False)
    assert np.array_equal(net.params, before)
    net.fit(X, np.eye(3)[Y], progress=False)


def test_an_exception_in_a_callback_ends_the_fit_and_leaves_a_usable_network() -> None:
    net = dl.MultiLayerNetwork(iris())

    def stop(epoch) -> None:
        if epoch.number == 2:
            raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        net.fit(X, Y, epochs=100_000, progress=False, callbacks=[stop])
    assert np.isfinite(net.fit(X, Y, progress=False)[0].score)


@pytest.mark.parametrize("delay", [0.0, *(pytest.param(i * 0.07, marks=pytest.mark.nightly) for i in range(1, 21))])
def test_ctrl_c_stops_a_fit_within_two_seconds_and_leaves_a_usable_network(tmp_path: Path, delay: float) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(
        textwrap.dedent("""
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background it is ignored
        import numpy as np, pydl4j as dl
        from pydl4j.layers import DenseLayer, OutputLayer
        conf = dl.MultiLayerConfiguration(seed=1, input_type=dl.InputType.feed_forward(500),
            layers=[DenseLayer(n_out=500, activation="relu"), OutputLayer(n_out=3, loss="mcxent", activation="softmax")])
        net = dl.MultiLayerNetwork(conf)
        x, y = np.random.default_rng(0).random((5000, 500), "f4"), np.arange(5000) % 3
        try:
            net.fit(x, y, epochs=1000, batch_size=50, callbacks=[lambda epoch: print("epoch", flush=True)], progress=False)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            print("usable", np.isfinite(net.output(x[:5])).all(), len(net.fit(x, y, progress=False)), flush=True)
        """)
    )
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout.readline() == "epoch\n"
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        while (line := process.stdout.readline()) == "epoch\n":
            pass
        assert line == "interrupted\n"
        assert time.monotonic() - sent < 2
        assert process.stdout.readline() == "usable True 1\n"
        assert process.wait(30) == 0


def test_files_that_are_no_models_are_refused(net, tmp_path: Path) -> None:
    good = tmp_path / "good.zip"
    net.save(good)
    data = good.read_bytes()
    foreign, truncated, damaged = tmp_path / "foreign.zip", tmp_path / "truncated.zip", tmp_path / "damaged.zip"
    with zipfile.ZipFile(foreign, "w") as file:
        file.writestr("weights.h5", "x")
    truncated.write_bytes(data[: len(data) // 2])
    spoiled = bytearray(data)
    spoiled[len(data) // 3 : len(data) // 3 + 40] = bytes(40)
    damaged.write_bytes(bytes(spoiled))
    for path, message in [
        (tmp_path / "none.zip", "no model file at"),
        (tmp_path, "directory"),
        (foreign, "lacks coefficients.bin, configuration.json. Received: weights.h5"),
        (truncated, "not a model file of DL4J"),
        (damaged, "damaged"),
    ]:
        with pytest.raises(ModelFileError, match=message):
            dl.MultiLayerNetwork.load(path)


def test_a_graph_is_told_from_a_network_of_layers(tmp_path: Path) -> None:
    graph = tmp_path / "graph.zip"
    with zipfile.ZipFile(graph, "w") as file:
        file.writestr("configuration.json", '{"vertices": {}, "networkInputs": []}')
        file.writestr("coefficients.bin", b"")
    with pytest.raises(ModelFileError, match="ComputationGraph"):
        dl.MultiLayerNetwork.load(graph)


def test_a_loss_layer_takes_its_width_from_what_comes_before() -> None:
    conf = iris(layers=[DenseLayer(n_out=3, activation="identity"), LossLayer(loss="mcxent", activation="softmax")])
    net = dl.MultiLayerNetwork(conf)
    net.fit(X, Y, epochs=2, progress=False)
    assert net.evaluate(X, Y).examples == 150


@pytest.mark.parametrize("batch_size", [7, 150])
def test_nothing_writes_to_the_callers_arrays(batch_size: int) -> None:
    conf = iris(layers=[ActivationLayer(activation="tanh"), DenseLayer(n_out=8), OutputLayer(n_out=3)])
    x, y = X.copy(), np.eye(3, dtype="f4")[Y]
    net = dl.MultiLayerNetwork(conf)
    first = net.output(x, batch_size=batch_size)
    score = net.score(x, y, batch_size=batch_size)
    assert np.array_equal(net.output(x, batch_size=batch_size), first)
    assert np.array_equal(net.predict(x, batch_size=batch_size), first.argmax(axis=1))
    net.evaluate(x, y, batch_size=batch_size)
    assert net.score(x, y, batch_size=batch_size) == score
    net.fit(x, y, batch_size=batch_size, shuffle=False, validation=(x, y), progress=False)
    net.fit(x, y, batch_size=batch_size, validation=(x, y), progress=False)
    assert np.array_equal(x, X)
    assert np.array_equal(y, np.eye(3)[Y])


@pytest.mark.parametrize("data_type", ["float", "half"])
def test_parameters_that_become_infinite_in_the_last_update_are_an_error_and_lose_no_epoch(data_type: str) -> None:
    rate = 1e38 if data_type == "float" else 6e4
    net = dl.MultiLayerNetwork(iris(updater=dl.updaters.Sgd(learning_rate=rate), data_type=data_type))
    before = net.params.copy()
    with pytest.raises(NaNScoreError, match=r"became NaN or infinite in epoch 1.*put back"):
        net.fit(X * 1e3, Y, batch_size=150, progress=False)
    assert np.array_equal(net.params, before)


def test_a_validation_score_of_nan_is_a_number(capsys) -> None:
    conf = iris(layers=[OutputLayer(n_out=3, loss="mse", activation="identity")])
    net = dl.MultiLayerNetwork(conf)
    y = np.eye(3)[Y]
    history = net.fit(X, y, validation=(X * 1e30, y))
    assert not np.isfinite(history[0].validation_score)
    assert "validation score inf" in capsys.readouterr().out


@pytest.mark.parametrize("size", [0, -1, 2**31, 2.0, "8", True, None])
@pytest.mark.parametrize("verb", ["output", "predict", "score", "evaluate"])
def test_a_batch_size_that_is_none_is_refused(net, verb: str, size) -> None:
    data = (X,) if verb in {"output", "predict"} else (X, Y)
    with pytest.raises(ConfigError, match="batch_size must be an int from 1") as caught:
        getattr(net, verb)(*data, batch_size=size)
    assert caught.value.path == "batch_size"


def test_a_batch_size_may_be_larger_than_the_data(net) -> None:
    most = 2**31 - 1
    assert np.array_equal(net.output(X, batch_size=most), net.output(X, batch_size=150))
    assert net.score(X, Y, batch_size=most) == net.score(X, Y, batch_size=150) > 0
    assert np.array_equal(net.evaluate(X, Y, batch_size=np.int64(most)).confusion, net.evaluate(X, Y).confusion)


@pytest.mark.parametrize(
    "bad", [{"y": Y[:9]}, {"batch_size": 151}, {"validation": (X[:, :3], Y)}, {"batch_size": 0}], ids=str
)
def test_a_refused_fit_leaves_the_normalizer_unfitted(bad: dict) -> None:
    normalizer = dl.normalizers.NormalizerStandardize()
    net = dl.MultiLayerNetwork(iris(), normalizer=normalizer)
    with pytest.raises((ShapeError, DataError, ConfigError)):
        net.fit(**{"x": X * 1000, "y": Y, "progress": False, **bad})
    assert not normalizer.is_fitted
    net.fit(X, Y, progress=False)
    assert np.allclose(normalizer.mean, X.mean(axis=0))


def test_a_sparse_loss_takes_the_classes_themselves() -> None:
    def made(loss: str) -> dl.MultiLayerNetwork:
        return dl.MultiLayerNetwork(iris(layers=[OutputLayer(n_out=3, loss=loss, activation="softmax")]))

    sparse, dense = made("sparse_mcxent"), made("mcxent")
    options = {"epochs": 20, "batch_size": 16, "progress": False}
    history = sparse.fit(X, Y, validation=(X, Y), **options)
    same = dense.fit(X, Y, validation=(X, Y), **options)
    assert history["validation_score"] == pytest.approx(same["validation_score"], rel=1e-4)
    assert history["validation_accuracy"] == pytest.approx(same["validation_accuracy"])
    assert np.array_equal(sparse.evaluate(X, Y).confusion, dense.evaluate(X, Y).confusion)
    assert sparse.score(X, Y[:, None]) == pytest.approx(sparse.score(X, Y))
    with pytest.raises(DataError, match=r"from 0 to 2.*Received: 1 to 3"):
        sparse.fit(X, Y + 1, progress=False)


@pytest.mark.parametrize("data_format", ["ncw", "nwc"])
@pytest.mark.parametrize("loss", ["mcxent", "sparse_mcxent"])
def test_classes_are_counted_per_time_step(loss: str, data_format: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.random((20, 2, 5) if data_format == "ncw" else (20, 5, 2), "f4")
    y = rng.integers(0, 3, (20, 5))
    layers = [
        LSTM(n_out=4, data_format=data_format),
        RnnOutputLayer(n_out=3, loss=loss, activation="softmax", data_format=data_format),
    ]
    input_type = dl.InputType.recurrent(2, format=data_format)
    net = dl.MultiLayerNetwork(dl.MultiLayerConfiguration(seed=1, input_type=input_type, layers=layers))
    (epoch,) = net.fit(x, y, validation=(x, y), progress=False)
    expected = np.zeros((3, 3), int)
    np.add.at(expected, (y, net.predict(x)), 1)
    assert np.array_equal(net.evaluate(x, y).confusion, expected)
    assert epoch.validation_accuracy == pytest.approx(np.trace(expected) / 100)


@pytest.mark.parametrize("verb", ["fit", "evaluate", "output"])
def test_ctrl_c_is_heard_while_much_is_looked_at(verb: str) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background it is ignored
    x, y = np.tile(X, (2000, 1)), np.tile(Y, 2000)
    net = dl.MultiLayerNetwork(iris())
    net.output(X)
    calls = {
        "fit": lambda: net.fit(X[:1], Y[:1], batch_size=1, validation=(x, y), progress=False),
        "evaluate": lambda: net.evaluate(x, y, batch_size=1),
        "output": lambda: net.output(x, batch_size=1),
    }
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            calls[verb]()
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - started < 10  # all of it takes a minute
    assert np.isfinite(net.output(X)).all()
