"""What fit, evaluate and score refuse or warn of, and what they say then."""

import io
import shutil
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pydl4j as dl
from pydl4j.conf import resolve
from pydl4j.data.model_zip import write_normalizer
from pydl4j.data.ndarray_io import write_ndarray
from pydl4j.errors import ConfigError, DataError, DataWarning, DL4JError, GuardError, ModelFileError, ShapeError
from pydl4j.layers import LSTM, AutoEncoder, DenseLayer, OutputLayer, RnnOutputLayer
from pydl4j.normalizers import NormalizerMinMaxScaler, NormalizerStandardize

RNG = np.random.default_rng(0)
X = RNG.random((100, 4), "f4")
Y = np.arange(100) % 3


def network(n_out: int = 3, loss: str = "mcxent", activation: str = "softmax", updater: str = "sgd", **options):
    layers = [DenseLayer(n_out=8, activation="tanh"), OutputLayer(n_out=n_out, loss=loss, activation=activation)]
    conf = dl.MultiLayerConfiguration(seed=1, input_type=dl.InputType.feed_forward(4), layers=layers, updater=updater)
    return dl.MultiLayerNetwork(conf, **options)


def sequences(format: str = "ncw") -> dl.MultiLayerNetwork:  # noqa: A002
    layers = [LSTM(n_out=4, activation="tanh"), RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax")]
    input_type = dl.InputType.recurrent(4, format=format)
    return dl.MultiLayerNetwork(dl.MultiLayerConfiguration(seed=1, input_type=input_type, layers=layers))


def raised(call, error: type[DL4JError], message: str, path: str) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert caught.value.path == path


ROWS = np.eye(3, dtype="f4")[Y]


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ((1, "xent", "sigmoid"), Y[:, None] * 7, r"from 0 to 1.*Received: 7 at y\[1, 0\]"),
        ((1, "xent", "sigmoid"), Y * 7.0, r"from 0 to 1.*Received: 7 at y\[1, 0\]"),
        ((1, "xent", "sigmoid"), np.where(Y == 1, 1.0, -1.0), r"from 0 to 1.*Received: -1 at y\[0, 0\]"),
        ((3, "xent", "sigmoid"), ROWS * 1.5, r"from 0 to 1.*Received: 1.5 at y\[0, 0\]"),
        ((3, "xent", "sigmoid"), ROWS - 0.5, r"from 0 to 1.*Received: -0.5 at y\[0, 1\]"),
        ((3, "mcxent", "softmax"), np.where(Y[:, None] == 2, ROWS * 2 - 1 / 3, ROWS), r"at least 0.*at y\[2, 0\]"),
        ((3, "negativeloglikelihood", "softmax"), -ROWS, r"at least 0.*Received: -1 at y\[0, 0\]"),
    ],
)
def test_labels_outside_what_the_loss_has_a_meaning_for_are_refused(options, y, message) -> None:
    net = network(*options)
    raised(lambda: net.fit(X, y, progress=False), DataError, message, "y")
    raised(lambda: net.score(X, y), DataError, message, "y")


def test_labels_that_are_probabilities_are_taken() -> None:
    network(3, "xent", "sigmoid").fit(X, RNG.random((100, 3)), progress=False)
    network(1, "xent", "sigmoid").fit(X, Y == 0, progress=False)
    network(3, "mse", "identity").fit(X, ROWS * 7 - 3, progress=False)


@pytest.mark.parametrize("y", [RNG.integers(0, 2, (20, 5)), np.full((20, 2, 5), 0.5, "f4")], ids=["classes", "rows"])
@pytest.mark.parametrize("format", ["ncw", "nwc"])
def test_labels_of_another_length_than_the_sequences_are_refused(y, format) -> None:  # noqa: A002
    x = RNG.random((20, 4, 7) if format == "ncw" else (20, 7, 4), "f4")
    if format == "nwc" and y.ndim == 3:
        y = np.moveaxis(y, 1, 2)
    message = "as many time steps of labels as of features: 7. Received: 5 in y"
    raised(lambda: sequences(format).fit(x, y, progress=False), ShapeError, message, "y")


@pytest.mark.parametrize("epochs", [0, -1, 1.5, "3", True, 2**31])
def test_epochs_are_a_whole_number(epochs) -> None:
    raised(
        lambda: network().fit(X, Y, epochs=epochs), ConfigError, "epochs must be an int from 1 to .*Received", "epochs"
    )


def test_epochs_may_be_any_kind_of_int() -> None:
    assert len(network().fit(X, Y, epochs=np.int64(2), progress=False)) == 2


@pytest.mark.parametrize(
    ("validation", "received"),
    [((X, Y, Y), "a tuple of 3"), ((), "a tuple of 0"), (X, "a ndarray"), (0.2, "a float"), ("xy", "a str")],
)
def test_validation_is_a_pair(validation, received) -> None:
    message = (
        rf"validation must be a pair \(x, y\), or with masks \(x, y, features_mask, labels_mask\). Received: {received}"
    )
    raised(lambda: network().fit(X, Y, validation=validation, progress=False), DataError, message, "validation")


@pytest.mark.parametrize("verb", ["fit", "evaluate", "score"])
def test_a_warning_points_at_the_line_of_the_caller(verb) -> None:
    net = network()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(net, verb)(X, 2 * ROWS, **({"progress": False} if verb == "fit" else {}))
    (warning,) = caught
    assert warning.category is DataWarning
    assert Path(warning.filename) == Path(__file__)
    assert str(warning.message).endswith("the first sums to 2. They are taken as they are.")


@pytest.mark.parametrize("normalizer", [NormalizerStandardize, NormalizerMinMaxScaler])
@pytest.mark.parametrize(
    ("input_type", "others", "features"),
    [
        (dl.InputType.convolutional(height=8, width=8, channels=1), [(8, 8)], 1),
        (dl.InputType.convolutional_flat(height=8, width=8, channels=1), [(8, 8), (1, 8, 8)], 64),
    ],
)
def test_images_are_normalized_in_the_shape_of_the_network(normalizer, input_type, others, features) -> None:
    conf = dl.MultiLayerConfiguration(seed=1, input_type=input_type, layers=[DenseLayer(n_out=4), OutputLayer(n_out=3)])
    images = RNG.random((50, *input_type.shape), "f4")
    net = dl.MultiLayerNetwork(conf, normalizer=normalizer())
    net.fit(images, Y[:50], progress=False)
    expected = net.output(images)
    for shape in others:
        same = images.reshape(50, *shape)
        np.testing.assert_array_equal(net.output(same), expected)
        other = dl.MultiLayerNetwork(conf, normalizer=normalizer())
        other.fit(same, Y[:50], progress=False)
        np.testing.assert_array_equal(other.output(images), expected)
        assert repr(other.normalizer) == f"<{normalizer.__name__}: {features} features>"


def damaged(model: Path, target: Path, part: str, change) -> Path:
    with zipfile.ZipFile(model) as source, zipfile.ZipFile(target, "w") as copy:
        for name in source.namelist():
            copy.writestr(name, change(source.read(name)) if name == part else source.read(name))
    return target


def array(*shape: int) -> bytes:
    stream = io.BytesIO()
    write_ndarray(np.zeros(shape, "f4"), stream)
    return stream.getvalue()


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    net = network(updater="adam")
    net.fit(X, Y, progress=False)
    net.save(path := tmp_path_factory.mktemp("model") / "model.zip")
    return path


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        *((part, lambda _: b"\xff\x00garbage", "is damaged: ") for part in ("coefficients.bin", "updaterState.bin")),
        *((part, lambda data: data[:-9], "end too early") for part in ("coefficients.bin", "updaterState.bin")),
        *((part, lambda data: data[:30], "end too early") for part in ("coefficients.bin", "updaterState.bin")),
        ("coefficients.bin", lambda _: b"", "expected 67 parameters. Received: 0"),
        ("coefficients.bin", lambda _: array(1, 66), "expected 67 parameters. Received: 66"),
        ("updaterState.bin", lambda _: array(1, 66), "does not fit"),
        ("configuration.json", lambda _: b"{\xff\xfe}", "no text in UTF-8"),
        ("normalizer.bin", lambda _: b"\xff\x00garbage", "end too early"),
    ],
)
def test_a_damaged_part_of_a_model_file_is_named(model, tmp_path, part, change, message) -> None:
    with zipfile.ZipFile(model) as file:
        names = file.namelist()
    path = damaged(model, tmp_path / "damaged.zip", part, change)
    if part not in names:
        with zipfile.ZipFile(path, "a") as file:
            file.writestr(part, change(b""))
    with pytest.raises(ModelFileError, match=message) as caught:
        dl.MultiLayerNetwork.load(path)
    assert str(path) in str(caught.value)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("normalizer", "message"),
    [
        ("standardize", "must be one of pydl4j.normalizers.*Received: 'standardize'"),
        (NormalizerStandardize, "must be one of pydl4j.normalizers.*Received: NormalizerStandardize"),
        (NormalizerStandardize(fit_labels=True), "fit_labels=True.*transform_labels before fit"),
        (NormalizerMinMaxScaler(fit_labels=True), "fit_labels=True.*transform_labels before fit"),
    ],
)
def test_a_normalizer_that_would_not_be_applied_is_refused(normalizer, message) -> None:
    raised(lambda: network(normalizer=normalizer), ConfigError, message, "normalizer")


def test_a_normalizer_of_labels_in_a_model_file_is_refused(model, tmp_path) -> None:
    path = tmp_path / "labels.zip"
    shutil.copyfile(model, path)
    write_normalizer(path, NormalizerStandardize(fit_labels=True).fit(X, ROWS))
    raised(lambda: dl.MultiLayerNetwork.load(path), ConfigError, "fit_labels=True", "normalizer")


@pytest.mark.parametrize("normalizer", [None, NormalizerStandardize()])
def test_ragged_rows_are_refused_with_a_normalizer_too(normalizer) -> None:
    net = network(normalizer=normalizer)
    raised(lambda: net.fit([[1.0], [1.0, 2.0]], Y[:2]), DataError, "x must be an array of numbers", "x")


def test_a_network_has_a_short_repr() -> None:
    assert repr(network()) == "<MultiLayerNetwork: 2 layers, 67 parameters>"


@pytest.mark.parametrize("cls", [DenseLayer, AutoEncoder])
def test_dl4j_makes_no_network_whose_identity_is_not_square(cls, monkeypatch: pytest.MonkeyPatch) -> None:
    layers = [cls(n_out=3, weight_init="identity"), OutputLayer(n_out=2)]
    input_type = dl.InputType.feed_forward(4)
    with pytest.raises(GuardError, match=r"^layers\[0\]\.weight_init cannot be the identity"):
        dl.MultiLayerConfiguration(layers=layers, input_type=input_type)
    monkeypatch.setattr(resolve, "_check_identity", lambda *_: None)
    net = dl.MultiLayerNetwork(dl.MultiLayerConfiguration(layers=layers, input_type=input_type))
    with pytest.raises(DL4JError, match="Cannot use IDENTITY init"):
        print(net.params)
