"""Normalizers inside model files, read and written by DL4J itself."""

from pathlib import Path

import jpype
import numpy as np
import pytest

from pydl4j import MultiLayerConfiguration
from pydl4j.jvm import Gateway
from pydl4j.layers import OutputLayer
from pydl4j.normalizers import (
    ImagePreProcessingScaler,
    Normalizer,
    NormalizerMinMaxScaler,
    NormalizerStandardize,
    read_normalizer,
    write_normalizer,
)

X = np.random.default_rng(3).normal(50, 20, (40, 4)).astype(np.float32)
Y = np.random.default_rng(4).normal(7, 2, (40, 3)).astype(np.float32)
PACKAGE = "org.nd4j.linalg.dataset.api.preprocessor"


@pytest.fixture
def serializer(jvm: Gateway) -> jpype.JClass:
    return jpype.JClass("org.deeplearning4j.util.ModelSerializer")


@pytest.fixture
def model(jvm: Gateway, serializer: jpype.JClass, tmp_path: Path) -> Path:
    conf = MultiLayerConfiguration(layers=[OutputLayer(n_in=4, n_out=3, loss="mse", activation="identity")])
    path = tmp_path / "model.zip"
    serializer.writeModel(jvm.call("nn.Networks.create", conf.to_json()), str(path), True)
    return path


@pytest.mark.parametrize(
    "normalizer",
    [
        NormalizerStandardize(fit_labels=True).fit(X.astype(np.float64), Y.astype(np.float64)),
        NormalizerMinMaxScaler(-1, 1, fit_labels=True).fit(X, Y),
        ImagePreProcessingScaler(-1, 1, 12),
    ],
)
def test_dl4j_uses_what_python_wrote(
    jvm: Gateway, serializer: jpype.JClass, model: Path, normalizer: Normalizer
) -> None:
    for _ in range(2):  # the second replaces the first
        write_normalizer(model, normalizer)
        assert serializer.restoreMultiLayerNetwork(str(model)).numParams() == 15
        java = serializer.restoreNormalizerFromFile(jpype.JClass("java.io.File")(str(model)))
        x = jvm.put(X.copy())
        java.transform(x)
        again = read_normalizer(model)
        np.testing.assert_array_equal(jvm.get(x), again.transform(X))
        java.revertFeatures(x)
        np.testing.assert_array_equal(jvm.get(x), again.revert(again.transform(X)))
        if not isinstance(normalizer, ImagePreProcessingScaler):
            output = jvm.put(normalizer.transform_labels(Y))
            java.revertLabels(output)
            np.testing.assert_allclose(jvm.get(output), Y, rtol=1e-4)


@pytest.mark.parametrize(("name", "arguments"), [("NormalizerStandardize", ()), ("NormalizerMinMaxScaler", (0.0, 2.0))])
def test_python_uses_what_dl4j_wrote(
    jvm: Gateway, serializer: jpype.JClass, model: Path, name: str, arguments: tuple[float, ...]
) -> None:
    java = jpype.JClass(f"{PACKAGE}.{name}")(*arguments)
    java.fit(jpype.JClass("org.nd4j.linalg.dataset.DataSet")(jvm.put(X), jvm.put(Y)))
    assert read_normalizer(model) is None
    serializer.addNormalizerToModel(jpype.JClass("java.io.File")(str(model)), java)
    normalizer = read_normalizer(model)
    assert type(normalizer).__name__ == name
    x = jvm.put(X.copy())
    java.transform(x)
    np.testing.assert_array_equal(normalizer.transform(X), jvm.get(x))
