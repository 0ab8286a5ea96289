"""What DL4J itself makes of documents that its older versions wrote."""

import warnings
from pathlib import Path

import jpype
import pytest

from pydl4j import ComputationGraphConfiguration, MultiLayerConfiguration
from pydl4j.errors import ConfigWarning
from pydl4j.jvm import Gateway

OLDER = Path(__file__).parents[2] / "golden" / "conf" / "older"
NAMES = sorted(line.split()[1] for line in (OLDER / "m21.sha256").read_text().splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_an_older_document(jvm: Gateway, name: str) -> None:
    text = (OLDER / name).read_text()
    conf = ComputationGraphConfiguration if name.rpartition(".")[0].endswith("_graph") else MultiLayerConfiguration
    java = jpype.JClass(f"org.deeplearning4j.nn.conf.{conf.__name__}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfigWarning)
        if name.endswith(".yaml"):
            assert conf.from_yaml(text).to_yaml() == str(java.fromYaml(text).toYaml())
        else:
            assert conf.from_json(text).to_json() == str(java.fromJson(text).toJson())
