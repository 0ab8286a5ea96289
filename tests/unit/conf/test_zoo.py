"""The zoo is DL4J's: documents by their SHA-256, parameters of initialized networks (see ZooTest.java)."""

import hashlib
import inspect
from pathlib import Path

import pytest

from pydl4j import zoo
from pydl4j.errors import ConfigError

LINES = (Path(__file__).parents[2] / "golden" / "conf" / "zoo.txt").read_text().splitlines()
MODELS = {name: (sha256, int(n_params)) for name, sha256, n_params in map(str.split, LINES)}


def made(name, **options):
    model = getattr(zoo, name)
    return model(**{"num_classes": 10} if "num_classes" in inspect.signature(model).parameters else {}, **options)


@pytest.mark.parametrize("name", MODELS)
def test_model_is_dl4js(name):
    conf = made(name)
    text = conf.to_json()
    assert hashlib.sha256(text.encode()).hexdigest() == MODELS[name][0]
    assert conf.resolve().n_params == MODELS[name][1]
    assert type(conf).from_json(text).to_json() == text


def test_every_model_is_compared():
    public = {name for name in vars(zoo) if name[0].isupper()}
    assert public == {*MODELS, "NASNet"}


def test_nasnet_is_refused_by_name():
    with pytest.raises(ConfigError, match=r"^NASNet cannot be made: the builder of DL4J 1\.0\.0-M2\.1's own zoo fails"):
        zoo.NASNet(10)


def test_models_are_data():
    conf = zoo.LeNet(26, input_shape=(3, 32, 32)).replace(updater="adam", seed=7)
    assert conf.resolve().layers[-1].layer.n_out == 26
    assert conf.resolve().input_type.channels == 3
    assert repr(conf.updater) == "Adam()"
