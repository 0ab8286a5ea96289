"""Documents that a real DL4J 1.0.0-M2.1 wrote are read, and written back byte for byte."""

from pathlib import Path

import pytest

from pydl4j.conf.network import MultiLayerConfiguration

GOLDEN = Path(__file__).parents[2] / "golden" / "conf" / "m21"
NAMES = sorted(path.stem for path in GOLDEN.glob("mln_*.json"))


@pytest.mark.parametrize("name", NAMES)
def test_document_comes_back_identically(name):
    text = (GOLDEN / f"{name}.json").read_text()
    conf = MultiLayerConfiguration.from_json(text)
    assert conf.to_json() == text
    assert MultiLayerConfiguration.from_yaml(conf.to_yaml()) == conf
