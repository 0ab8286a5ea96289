"""Every class tells what it is, and the examples in docstrings run."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import pydl4j.conf
from pydl4j.conf._kernel import _BY_JAVA_NAME
from pydl4j.conf.layers import Layer

MODULES = [module.name for module in walk_packages(pydl4j.conf.__path__, "pydl4j.conf.")]
for name in MODULES:
    import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples():
    found = [test for name in MODULES for test in doctest.DocTestFinder().find(import_module(name))]
    assert sum(len(test.examples) for test in found) > 30


def test_every_class_is_described():
    ours = [cls for cls in _BY_JAVA_NAME.values() if cls.__module__.startswith("pydl4j.")]
    assert [cls.__name__ for cls in ours if len(cls.__dict__.get("__doc__") or "") < 8] == []


def test_every_layer_tells_its_shapes():
    layers = [cls for cls in _BY_JAVA_NAME.values() if cls.__module__.startswith("pydl4j.") and issubclass(cls, Layer)]
    told = ("[", "shape", "another name", "layer that")  # of its own, or those of the layer that it is or has inside
    silent = [cls.__name__ for cls in layers if not any(word in cls.__doc__.lower() for word in told)]
    assert silent == []
