"""Documents that a real DL4J 1.0.0-M2.1 wrote are read, and written back byte for byte."""

import re
from pathlib import Path

import pytest

from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.errors import ConfigError

GOLDEN = Path(__file__).parents[2] / "golden" / "conf" / "m21"
UNSUPPORTED = {
    "mln_cnn3d": "org.deeplearning4j.nn.conf.layers.Convolution3D",
    "mln_conv1d_dense_out": "org.deeplearning4j.nn.conf.layers.Convolution1DLayer",
    "mln_conv1d_gp_out": "org.deeplearning4j.nn.conf.layers.Convolution1DLayer",
    "mln_depthwise": "org.deeplearning4j.nn.conf.layers.DepthwiseConvolution2D",
    "mln_sepconv": "org.deeplearning4j.nn.conf.layers.SeparableConvolution2D",
}
NAMES = sorted(path.stem for path in GOLDEN.glob("mln_*.json"))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNSUPPORTED])
def test_document_comes_back_identically(name):
    text = (GOLDEN / f"{name}.json").read_text()
    conf = MultiLayerConfiguration.from_json(text)
    assert conf.to_json() == text
    assert MultiLayerConfiguration.from_yaml(conf.to_yaml()) == conf


@pytest.mark.parametrize("name", sorted(UNSUPPORTED))
def test_unsupported_class_is_named_with_its_place(name):
    text = (GOLDEN / f"{name}.json").read_text()
    with pytest.raises(ConfigError, match=rf"layers\[0\]: .*not support.*{re.escape(UNSUPPORTED[name])}"):
        MultiLayerConfiguration.from_json(text)
