"""Normalizers: statistics, transformed data and bytes against DL4J's own; errors."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pydl4j.data.ndarray_io import read_ndarray
from pydl4j.errors import ConfigError, DataError, ModelFileError, ShapeError
from pydl4j.normalizers import ImagePreProcessingScaler, Normalizer, NormalizerMinMaxScaler, NormalizerStandardize

GOLDEN = Path(__file__).parents[2] / "golden" / "normalizers"
AS_IN_JAVA = {
    "standardize": NormalizerStandardize(),
    "standardize_double": NormalizerStandardize(),
    "standardize_series": NormalizerStandardize(),
    "standardize_images": NormalizerStandardize(),
    "min_max": NormalizerMinMaxScaler(-1, 1),
    "min_max_double": NormalizerMinMaxScaler(-1, 1),
    "min_max_series": NormalizerMinMaxScaler(),
    "min_max_images": NormalizerMinMaxScaler(),
}
PER_FEATURE = [NormalizerStandardize, NormalizerMinMaxScaler]


def golden(name: str) -> bytes:
    return (GOLDEN / f"{name}.bin").read_bytes()


def array(name: str) -> np.ndarray[Any, Any]:
    return read_ndarray(io.BytesIO(golden(name)))


@pytest.mark.parametrize("name", AS_IN_JAVA)
def test_fits_transforms_and_serializes_as_dl4j(name: str) -> None:
    normalizer = AS_IN_JAVA[name]
    x = array(f"{name}_x")
    transformed = normalizer.fit_transform(x)
    assert normalizer.to_bytes() == golden(name)
    np.testing.assert_array_equal(transformed, array(f"{name}_transformed"), strict=True)
    np.testing.assert_array_equal(normalizer.revert(transformed), array(f"{name}_reverted"), strict=True)


@pytest.mark.parametrize("name", AS_IN_JAVA)
def test_reads_what_dl4j_wrote(name: str) -> None:
    normalizer = Normalizer.from_bytes(golden(name))
    assert type(normalizer) is type(AS_IN_JAVA[name])
    assert normalizer.is_fitted
    assert normalizer.to_bytes() == golden(name)
    np.testing.assert_array_equal(normalizer.transform(array(f"{name}_x")), array(f"{name}_transformed"))


@pytest.mark.parametrize(
    "normalizer", [NormalizerStandardize(fit_labels=True), NormalizerMinMaxScaler(fit_labels=True)]
)
def test_labels_as_dl4j(normalizer: Normalizer) -> None:
    name = "standardize_labels" if isinstance(normalizer, NormalizerStandardize) else "min_max_labels"
    y = array(f"{name}_y")
    x = np.array([i * 37 % 101 * 2.5 - 40 for i in range(28)], np.float32).reshape(7, 4)
    normalizer.fit(x, y)
    assert normalizer.to_bytes() == golden(name)
    for each in (normalizer, Normalizer.from_bytes(golden(name))):
        np.testing.assert_array_equal(each.transform_labels(y), array(f"{name}_transformed"), strict=True)
        np.testing.assert_allclose(each.revert_labels(each.transform_labels(y)), y, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("name", "options"), [("image_scaler", ()), ("image_scaler_12_bits", (-1, 2, 12))])
def test_images_as_dl4j(name: str, options: tuple[int, ...]) -> None:
    scaler = ImagePreProcessingScaler(*options)
    assert scaler.to_bytes() == golden(name)
    assert ImagePreProcessingScaler.from_bytes(golden(name)).to_bytes() == golden(name)
    np.testing.assert_array_equal(scaler.transform(array(f"{name}_x")), array(f"{name}_transformed"), strict=True)
    np.testing.assert_array_equal(scaler.revert(array(f"{name}_transformed")), array(f"{name}_reverted"), strict=True)


@pytest.mark.parametrize("shape", [(500, 3), (50, 3, 7), (20, 3, 4, 5)])
@pytest.mark.parametrize("kind", PER_FEATURE)
def test_batches_give_the_same_statistics(kind: Any, shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(7).normal(1000, 3, shape).astype(np.float32)
    whole, batched = kind().fit(x), kind()
    for start in range(0, len(x), 7):
        batched.partial_fit(x[start : start + 7])
    np.testing.assert_allclose(batched.transform(x), whole.transform(x), atol=1e-3)


def test_standardize_gives_mean_0_and_deviation_1_in_float64_accumulation() -> None:
    # summed in float32 the mean of these would be wrong by more than 1
    x = np.random.default_rng(7).normal(1e5, 1, (200_000, 2)).astype(np.float32)
    normalizer = NormalizerStandardize().fit(x)
    np.testing.assert_allclose(normalizer.mean, x.mean(axis=0, dtype=np.float64), rtol=1e-7)
    np.testing.assert_allclose(normalizer.std, x.std(axis=0, dtype=np.float64), rtol=1e-6)


def test_blocks_do_not_change_the_statistics(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(7).normal(5, 2, (100, 3, 4))
    whole = NormalizerStandardize().fit(x)
    monkeypatch.setattr("pydl4j.data.statistics._BLOCK", 50)
    np.testing.assert_allclose(NormalizerStandardize().fit(x).std, whole.std, rtol=1e-12)


@pytest.mark.parametrize("kind", PER_FEATURE)
@pytest.mark.parametrize("value", [0.0, 3.0, 1000.0, -1e6])
def test_a_feature_that_does_not_vary_stays_finite(kind: Any, value: float) -> None:
    x = np.full((4, 1), value, np.float32)
    assert kind().fit_transform(x).ravel().tolist() == [0, 0, 0, 0]
    # and when the statistics are written in the other type
    again = Normalizer.from_bytes(kind().fit(x.astype(np.float64)).to_bytes(np.float32))
    assert again.transform(x).ravel().tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "u1", "i1", "i2", "i4", "i8", "?"])
@pytest.mark.parametrize(
    "normalizer", [NormalizerStandardize(), NormalizerMinMaxScaler(-1, 1), ImagePreProcessingScaler()]
)
def test_every_numeric_type(normalizer: Normalizer, dtype: str) -> None:
    x = np.array([[0, 1], [1, 0], [1, 1]], dtype)
    before = x.copy()
    transformed = normalizer.fit_transform(x)
    assert transformed.dtype == (x.dtype if dtype.startswith("f") else np.float32)
    np.testing.assert_allclose(normalizer.revert(transformed), before.astype(transformed.dtype), atol=1e-2)
    np.testing.assert_array_equal(x, before, strict=True)


def test_wide_integers_keep_their_differences() -> None:
    seconds = np.array([[1_700_000_000], [1_700_000_010], [1_700_000_020]])
    transformed = NormalizerStandardize().fit_transform(seconds)
    assert len(np.unique(transformed)) == 3


def test_labels_pass_through_unless_asked_for() -> None:
    normalizer = NormalizerStandardize().fit([[1.0], [3.0]], [[5.0], [9.0]])
    assert normalizer.transform_labels([[5.0]]).tolist() == [[5.0]]
    assert normalizer.revert_labels([[5.0]]).tolist() == [[5.0]]


def test_fit_forgets_and_a_failed_fit_adds_nothing() -> None:
    normalizer = NormalizerMinMaxScaler(fit_labels=True).fit([[1.0], [3.0]], [[0.0], [1.0]])
    with pytest.raises(DataError, match="y contains NaN"):
        normalizer.partial_fit([[90.0]], [[np.nan]])
    assert normalizer.partial_fit([[2.0]], [[0.5]]).max.tolist() == [3]
    assert normalizer.fit([[5.0]], [[5.0]]).min.tolist() == [5]


@pytest.mark.parametrize("kind", PER_FEATURE)
def test_not_fitted(kind: Any) -> None:
    message = f"this {kind.__name__} is not fitted; call fit first"
    for use in (kind().to_bytes, lambda: kind().transform([[1.0]]), lambda: kind().revert([[1.0]])):
        with pytest.raises(DataError, match=message):
            use()
    assert not kind().is_fitted
    assert "not fitted" in repr(kind())
    assert "1 features" in repr(kind().fit([[1.0]]))


@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        ([[1.0, 2.0], [np.nan, 1.0]], DataError, r"x contains NaN or infinity, first at \[1, 0\]"),
        ([[1.0, np.inf]], DataError, r"first at \[0, 1\]"),
        (np.empty((0, 3)), DataError, r"x is empty: shape \(0, 3\)"),
        ([["a", "b"]], DataError, "x: expected numbers. Received: dtype <U1"),
        (np.array([[object()]]), DataError, "x: expected numbers. Received: dtype object"),
        ([1.0, 2.0], ShapeError, r"x: expected \[n, features\], .*Received: shape \(2,\)"),
        (np.zeros((1, 1, 1, 1, 1)), ShapeError, r"Received: shape \(1, 1, 1, 1, 1\)"),
    ],
)
@pytest.mark.parametrize("kind", PER_FEATURE)
def test_unusable_data(kind: Any, x: Any, error: type[Exception], message: str) -> None:
    normalizer = kind()
    with pytest.raises(error, match=message):
        normalizer.fit(x)
    assert not normalizer.is_fitted


@pytest.mark.parametrize("kind", PER_FEATURE)
def test_another_width(kind: Any) -> None:
    normalizer = kind().fit(np.zeros((4, 3)))
    for use in (normalizer.transform, normalizer.revert, normalizer.partial_fit):
        with pytest.raises(ShapeError, match=r"x: fitted on 3 features \(axis 1\). Received: 2 in shape \(4, 2\)"):
            use(np.zeros((4, 2)))


def test_missing_labels_and_continuing_from_a_file() -> None:
    with pytest.raises(DataError, match="fit_labels=True needs the labels"):
        NormalizerStandardize(fit_labels=True).fit([[1.0]])
    with pytest.raises(DataError, match="statistics read from a file cannot be added to; call fit"):
        NormalizerStandardize.from_bytes(golden("standardize")).partial_fit(np.zeros((2, 4)))


@pytest.mark.parametrize(("pixels", "range_"), [([-1.0, 3.0], "-1 to 3"), ([0.0, 4095.0], "0 to 4095")])
def test_pixels_out_of_range(pixels: list[float], range_: str) -> None:
    with pytest.raises(DataError, match=rf"expected pixels from 0 to 255. Received: {range_}; set max_bits"):
        ImagePreProcessingScaler().fit(pixels)


def test_wrong_options() -> None:
    with pytest.raises(ConfigError, match=r"expected finite min_range < max_range. Received: 1 and 1"):
        NormalizerMinMaxScaler(1, 1)
    with pytest.raises(ConfigError, match=r"expected finite min_range < max_range. Received: 0 and inf"):
        ImagePreProcessingScaler(0, float("inf"))
    with pytest.raises(ConfigError, match=r"max_bits: expected a whole number from 1 to 32. Received: 0"):
        ImagePreProcessingScaler(max_bits=0)


def test_foreign_and_truncated_bytes() -> None:
    data = golden("standardize")
    with pytest.raises(ModelFileError, match=r"expected the header 'NORMALIZER'. Received: 'NORMALISER'"):
        Normalizer.from_bytes(data.replace(b"NORMALIZER", b"NORMALISER"))
    with pytest.raises(ModelFileError, match="format version 2; expected 1"):
        Normalizer.from_bytes(data.replace(b"\0\0\0\1", b"\0\0\0\2", 1))
    with pytest.raises(ModelFileError, match="a normalizer of type MULTI_HYBRID; expected one of STANDARDIZE, MIN_MAX"):
        Normalizer.from_bytes(data.replace(b"\0\x0bSTANDARDIZE", b"\0\x0cMULTI_HYBRID"))
    with pytest.raises(ModelFileError, match=r"expected a NormalizerMinMaxScaler. Received: a NormalizerStandardize"):
        NormalizerMinMaxScaler.from_bytes(data)
    for length in (0, 8, 15, 28, 40, len(data) - 1):
        with pytest.raises(ModelFileError, match="the data end too early"):
            Normalizer.from_bytes(data[:length])


def test_ragged_rows_are_refused() -> None:
    with pytest.raises(DataError, match="x must be an array of numbers") as caught:
        NormalizerStandardize().fit([[1.0], [1.0, 2.0]])
    assert caught.value.path == "x"
