"""Documents that older versions of DL4J wrote: read and written back as DL4J 1.0.0-M2.1 itself does it."""

import json
import warnings
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pydl4j import ComputationGraphConfiguration, MultiLayerConfiguration
from pydl4j.conf.regularization import L1Regularization, WeightDecay
from pydl4j.errors import ConfigError, ConfigWarning

OLDER = Path(__file__).parents[2] / "golden" / "conf" / "older"
EXPECTED = dict(reversed(line.split()) for line in (OLDER / "m21.sha256").read_text().splitlines())
LOSSES = {
    "alpha-upsampling.json": [],
    "beta3-l2_graph.json": ['vertices["d1"].layerConf.layer.l2', 'vertices["out"].layerConf.layer.l2'],
    "beta3-wrappers.json": [
        f"confs[{place}.{key}"
        for place in ("0].layer.bwd", "0].layer.fwd", "1].layer.underlying")
        for key in ("l2", "weightInit")
    ],
}


def read(name: str) -> MultiLayerConfiguration | ComputationGraphConfiguration:
    text = (OLDER / name).read_text()
    conf = ComputationGraphConfiguration if name.rpartition(".")[0].endswith("_graph") else MultiLayerConfiguration
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfigWarning)
        return conf.from_yaml(text) if name.endswith(".yaml") else conf.from_json(text)


def document(name: str) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads((OLDER / name).read_text())
    return tree


def test_every_document_is_compared() -> None:
    before_beta4 = {"alpha-cnn_lstm.yaml", "beta2-lenet.yaml"}  # M2.1 fails with their YAML
    assert {path.name for path in OLDER.iterdir()} - {"README.md", "m21.sha256"} == {*EXPECTED, *before_beta4}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_document_is_written_as_m21_writes_it(name: str) -> None:
    conf = read(name)
    written = conf.to_yaml() if name.endswith(".yaml") else conf.to_json()
    assert sha256(written.encode()).hexdigest() == EXPECTED[name]


@pytest.mark.parametrize("name", ["alpha-cnn_lstm", "beta2-lenet"])
def test_older_yaml_says_the_same_as_json(name: str) -> None:
    assert read(f"{name}.yaml") == read(f"{name}.json")


@pytest.mark.parametrize("name", sorted(LOSSES))
def test_what_m21_loses_is_warned_of(name: str) -> None:
    conf = ComputationGraphConfiguration if "graph" in name else MultiLayerConfiguration
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        conf.from_json((OLDER / name).read_text())
    assert sorted(str(warning.message).partition(":")[0] for warning in caught) == LOSSES[name]


def test_the_message_says_what_is_left_out() -> None:
    tree = document("beta3-mlp.json") | {"backprop": False}
    message = "backprop: DL4J 1.0.0-M2.1 does not take this over from a document of an older version; left out: False"
    with pytest.warns(ConfigWarning, match=message):
        MultiLayerConfiguration.from_json(json.dumps(tree))


def test_older_penalties_become_regularizations() -> None:
    conf = MultiLayerConfiguration.from_json((OLDER / "beta3-mlp.json").read_text())
    layer: Any = conf.layers[0]
    assert layer.regularization == (L1Regularization(l1=1e-4), WeightDecay(coeff=1e-3, apply_lr=False))
    assert layer.regularization_bias == (L1Regularization(l1=0.01), WeightDecay(coeff=0.02, apply_lr=False))


def test_an_unknown_weight_init_is_refused() -> None:
    tree = document("beta3-mlp.json")
    tree["confs"][1]["layer"]["weightInit"] = "XAVIERR"
    with pytest.raises(ConfigError, match=r"^confs\[1\]\.layer\.weight_init must be .*Received: 'XAVIERR'"):
        MultiLayerConfiguration.from_json(json.dumps(tree))


def test_keys_that_no_version_had_are_still_refused() -> None:
    tree = document("beta3-mlp.json")
    tree["confs"][0]["layer"]["nouts"] = 3
    with pytest.raises(ConfigError, match="has no JSON key 'nouts'"):
        MultiLayerConfiguration.from_json(json.dumps(tree))


def test_older_keys_in_a_later_document_are_refused() -> None:
    tree = document("beta3-mlp.json")
    del tree["backprop"]
    with pytest.raises(ConfigError, match="has no JSON key"):
        MultiLayerConfiguration.from_json(json.dumps(tree))


def test_a_vertex_may_have_the_name_of_an_older_key() -> None:
    text = (OLDER / "beta3-l2_graph.json").read_text().replace('"d1"', '"pretrain"')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfigWarning)
        conf = ComputationGraphConfiguration.from_json(text)
    assert list(conf.parts.vertices) == ["pretrain", "out"]


def test_a_class_that_m21_does_not_know_by_its_short_name_is_refused() -> None:
    text = (OLDER / "alpha-upsampling.json").read_text().replace('"Upsampling2D"', '"MyLayer"')
    with pytest.raises(ConfigError, match=r"^confs\[1\]\.layer: .*'MyLayer' from a document of 1.0.0-alpha.*beta4"):
        MultiLayerConfiguration.from_json(text)


def test_documents_before_1_0_are_refused_with_what_to_do() -> None:
    tree = document("alpha-upsampling.json")
    tree["confs"][0]["numIterations"] = 1
    with pytest.raises(ConfigError, match=r"^confs\[0\] is of DL4J 0.9 or older, .* load the model there and save it"):
        MultiLayerConfiguration.from_json(json.dumps(tree))


BOXES = {
    "dataBuffer": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "shapeField": [3, 2],
    "strideField": [1, 3],
    "offsetField": 0,
    "rankField": 2,
    "numElements": 6,
    "orderingField": "f",
}


def with_boxes(boxes: object) -> str:
    tree = document("beta3-yolo.json")
    tree["confs"][1]["layer"]["boundingBoxes"] = boxes
    return json.dumps(tree)


def test_an_older_array_is_read_by_its_strides() -> None:
    conf = MultiLayerConfiguration.from_json(with_boxes(BOXES))
    boxes: Any = conf.layers[1]
    assert boxes.bounding_boxes.data == (1.0, 4.0, 2.0, 5.0, 3.0, 6.0)


@pytest.mark.parametrize(
    ("change", "must"),
    [
        ({"strideField": [1]}, "must be an INDArray with dataBuffer, shapeField and strideField"),
        ({"shapeField": [2, "3"]}, "must be an INDArray with dataBuffer, shapeField and strideField"),
        ({"shapeField": [2, 10**9]}, "must hold 2000000000 numbers, by its shapeField"),
        ({"strideField": [1, 10**9]}, "must have a strideField that leads to each of its numbers once"),
    ],
)
def test_an_older_array_that_does_not_fit_is_refused(change: dict[str, Any], must: str) -> None:
    with pytest.raises(ConfigError, match=rf"^layers\[1\]\.bounding_boxes {must}"):
        MultiLayerConfiguration.from_json(with_boxes(BOXES | change))
