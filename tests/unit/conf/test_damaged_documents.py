"""Documents that are damaged at random are read or refused; they never fail in another way, and never take long."""

import copy
import json
import random
import re
import time
from pathlib import Path

import pytest

from pydl4j import ComputationGraphConfiguration, MultiLayerConfiguration
from pydl4j.datavec import TransformProcess
from pydl4j.errors import ConfigError
from pydl4j.inputs import InputType
from pydl4j.layers import DenseLayer, OutputLayer
from pydl4j.vertices import ElementWiseVertex, L2NormalizeVertex, MergeVertex, SubsetVertex

PROCESSES = Path(__file__).parents[2] / "golden" / "datavec" / "processes.txt"
VECTORS = Path(__file__).parents[2] / "golden" / "conf" / "vectors"
TRIALS = [400, pytest.param(20_000, marks=pytest.mark.nightly)]
VALUES = [
    None, True, 0, -1, 1, 2**31, 2**63, 10**300, 1.5, -0.0, 1e308, "", "x", "NaN", "4", "x" * 9999, [], [[]], [1], {},
    {"a": 1}, {"": None}, ["a"], [None], {"@class": 5}, {"@class": ["x"]}, {"@class": "java.lang.Runtime"},
    {"@class": "org.deeplearning4j.nn.conf.layers.DenseLayer"}, {"type": "x.Y"}, list(range(8)),
]  # fmt: skip
SNIPPETS = [
    *"{}[]:,-?#&*!|>'\"%@\n\t\\~.09eE+_",
    "\ud800", "\0", "\x85", "\u2028", "\ufeff", "!!", "!<", "<<: ", "- ", "? ", "...\n", "---\n", "\\u", "\\x", "1e400",
    "0x", "&a ", "*a", "\r\n", "NaN",
]  # fmt: skip


def graph():
    layers = {
        "d": (DenseLayer(n_out=3), "a"),
        "e": (DenseLayer(n_out=3), "b"),
        "m": (MergeVertex(), "d", "e"),
        "s": (ElementWiseVertex(op="add"), "d", "e"),
        "u": (SubsetVertex(from_=0, to=1), "m"),
        "n": (L2NormalizeVertex(), "s"),
        "out": (OutputLayer(n_out=2), "u", "n"),
    }
    inputs = {"a": InputType.feed_forward(4), "b": InputType.feed_forward(5)}
    return ComputationGraphConfiguration(inputs=inputs, vertices=layers, outputs=["out"]).to_json()


def networks():
    return [path.read_text() for path in sorted(VECTORS.glob("*.json"))]


def places(tree):
    """Every object and array in a tree, with each of its keys."""
    keys = list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    return [place for key in keys for place in [(tree, key), *places(tree[key])]]


def damage_tree(rng, tree):
    """``tree`` with a member that is gone, has another name, or is something else."""
    all_places = places(tree)
    parent, key = rng.choice(all_places)
    way = rng.randrange(4)
    if way == 0:
        del parent[key]
    elif way == 1 and isinstance(parent, dict):
        parent[rng.choice(["x", "", "@class", "0", "-1", f"{key}x", "1" * 50])] = parent.pop(key)
    elif way == 2:
        other, other_key = rng.choice(all_places)
        parent[key] = copy.deepcopy(other[other_key])
    else:
        parent[key] = copy.deepcopy(rng.choice(VALUES))


def damage_text(rng, text):
    start = rng.randrange(len(text))
    return text[:start] + rng.choice(["", *SNIPPETS]) + text[start + rng.randrange(9) :]


def read_or_refuse(read, text):
    """The message of what is refused."""
    started = time.monotonic()
    try:
        read(text).to_json()
        message = ""
    except ConfigError as error:
        message = str(error)
    assert time.monotonic() - started < 5  # it takes milliseconds, but the machine may be busy
    assert len(message) < 1000
    return message


def processes():
    """DataVec's documents, without the schemas."""
    parts = re.split(r"^=== .* (\w+)\n", PROCESSES.read_text(), flags=re.MULTILINE)[1:]
    return [text for kind, text in zip(parts[::2], parts[1::2], strict=True) if kind == "process"]


@pytest.mark.parametrize("trials", TRIALS)
@pytest.mark.parametrize(
    ("conf", "documents"),
    [
        (MultiLayerConfiguration, networks),
        (ComputationGraphConfiguration, lambda: [graph()]),
        (TransformProcess, processes),
    ],
    ids=["layers", "graph", "process"],
)
def test_damaged_trees_are_read_or_refused(conf, documents, trials):
    rng = random.Random(trials)
    trees = list(map(json.loads, documents()))
    messages = []
    for _ in range(trials):
        tree = copy.deepcopy(rng.choice(trees))
        for _ in range(rng.choice([1, 1, 2])):
            damage_tree(rng, tree)
        messages.append(read_or_refuse(conf.from_json, json.dumps(tree)))
    assert trials / 20 < messages.count("") < trials / 2


@pytest.mark.parametrize("trials", TRIALS)
@pytest.mark.parametrize("language", ["json", "yaml"])
def test_damaged_texts_are_read_or_refused(language, trials):
    rng = random.Random(trials)
    read = getattr(MultiLayerConfiguration, f"from_{language}")
    texts = [path.read_text() for path in sorted(VECTORS.glob(f"*.{language}"))[:20]]
    messages = [read_or_refuse(read, damage_text(rng, rng.choice(texts))) for _ in range(trials)]
    assert 0 < messages.count("") < trials / 2


@pytest.mark.parametrize("value", ["x", 5, 1.5, [1], True])
def test_inputs_of_vertices_are_a_mapping(value):
    tree = json.loads(graph())
    tree["vertexInputs"] = value
    with pytest.raises(ConfigError, match=r"vertex_inputs must be a mapping"):
        ComputationGraphConfiguration.from_json(json.dumps(tree))
