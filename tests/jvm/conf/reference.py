"""What DL4J's own builders make of a network, to compare with what Python makes of it.

From a Python prompt in this folder, with the bridge's test classes built (``mvn -f jars/pom.xml test-compile``)::

    >>> from reference import agree                                                          # doctest: +SKIP
    >>> from pydl4j import InputType, MultiLayerConfiguration
    >>> from pydl4j.layers import DenseLayer, OutputLayer
    >>> agree(layers=[DenseLayer(n_out=3), OutputLayer(n_out=2)], input_type=InputType.feed_forward(4))   # doctest: +SKIP
    both write the same 5312 characters

`agree` takes the options of the network, since Python would refuse to make some of those that are worth comparing; a
network that was made is fine, too. It prints who refuses and why, or the lines that differ (``-`` Python, ``+`` DL4J).
"""

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jpype
from recipes import Network, document, recipe

from pydl4j import ComputationGraphConfiguration, MultiLayerConfiguration
from pydl4j.conf._kernel import Conf
from pydl4j.conf.inputs import InputType, InputTypeConvolutional, InputTypeConvolutional3D
from pydl4j.conf.layers.samediff import SameDiffLayer
from pydl4j.conf.vertices import AttentionVertex, FrozenVertex, GraphVertex, LayerVertex, MergeVertex, SubsetVertex
from pydl4j.errors import ConfigError
from pydl4j.jvm import gateway
from pydl4j.layers import (
    CapsuleStrengthLayer,
    Convolution1DLayer,
    Convolution3D,
    Cropping3D,
    Deconvolution3D,
    DenseLayer,
    GlobalPoolingLayer,
    Subsampling3DLayer,
    Upsampling3D,
    ZeroPadding3DLayer,
)

TEST_CLASSES = Path(__file__).parents[3] / "jars" / "bridge" / "target" / "test-classes"


@cache
def _reference() -> Any:
    """The class ``org.pydl4j.conf.Reference``, from the bridge's test classes beside the JVM's class path."""
    if not (TEST_CLASSES / "org" / "pydl4j" / "conf" / "Reference.class").is_file():
        raise FileNotFoundError(f"{TEST_CLASSES} has no Reference.class: run mvn -f jars/pom.xml test-compile")
    gateway()
    dl4j = jpype.JClass("org.deeplearning4j.nn.conf.MultiLayerConfiguration").class_.getClassLoader()
    urls = jpype.JArray(jpype.JClass("java.net.URL"))([jpype.java.net.URI(TEST_CLASSES.as_uri() + "/").toURL()])
    return jpype.JClass("org.pydl4j.conf.Reference", loader=jpype.java.net.URLClassLoader(urls, dl4j))


@dataclass(frozen=True)
class Made:
    """What became of a network: its JSON, or the reason why it was refused."""

    json: str | None = None
    yaml: str | None = None
    refused: str | None = None


def made_by_dl4j(recipes: list[dict[str, Any]]) -> list[Made]:
    """What DL4J makes of recipes. Many at once are cheap.

    Raises:
        ValueError: A recipe that the harness cannot follow.

    """
    answers = json.loads(str(_reference().answer(json.dumps(recipes))))
    broken = [answer["broken"] for answer in answers if "broken" in answer]
    if broken:
        raise ValueError("; ".join(dict.fromkeys(broken)))
    return [Made(**answer) for answer in answers]


def draft(**options: Any) -> Network:
    """A network that Python has not checked as a whole: a graph if it has outputs, else a stack of layers."""
    kind = ComputationGraphConfiguration if "outputs" in options else MultiLayerConfiguration
    with patch.object(kind, "validate", lambda self, path: None):
        return kind(**options)


def made_by_python(conf: Network) -> Made:
    """What Python makes of a network that may be a draft."""
    try:
        return Made(json=conf.replace().to_json())
    except ConfigError as error:
        return Made(refused=f"{type(error).__name__}: {error}")


def difference(python: Made, dl4j: Made) -> str:
    """Where two differ, for a reader; empty if they agree."""
    if python.refused and dl4j.refused:
        return ""
    if python.refused and not python.refused.startswith("GuardError"):
        return f"only Python refuses: {python.refused}"
    if dl4j.refused:
        return f"only DL4J refuses: {dl4j.refused}"
    if python.refused or python.json == dl4j.json:
        return ""
    assert python.json is not None
    assert dl4j.json is not None
    lines = difflib.unified_diff(python.json.splitlines(), dl4j.json.splitlines(), "Python", "DL4J", lineterm="")
    return "\n".join(lines)


KEPT: dict[str, str] = {
    "AdaGrad.learning_rate": "where the network's updater is copied into layers, a schedule is lost",
    "BatchNormalization.use_log_std": "False is lost when the document is read",
    "Dropout.helper_allow_fallback": "lost where the network's dropout is copied into layers",
    "LayerConstraint.epsilon": "lost where constrain_weights and so on are copied into layers",
    "MultiLayerConfiguration.validate_output_layer_config": "lost",
    "NetworkOptions.constrain_all": "ignored",
    "NetworkOptions.weight_decay": "applied twice",
    "NetworkOptions.weight_decay_bias": "applied twice",
    "NonNegativeConstraint.dimensions": "lost where constrain_weights and so on are copied into layers",
    **{
        f"{layer}.{option}": "dropped"
        for layer in ("ElementWiseMultiplicationLayer", "OCNNOutputLayer", "SimpleRnn", "VariationalAutoencoder")
        for option in ("constrain_all", "constrain_weights", "constrain_bias")
    },
    **{
        f"SameDiffLayer.{option}": "dropped"
        for option in ("constrain_all", "constrain_weights", "constrain_bias", "gradient_normalization")
    },
    "SameDiffLayer.gradient_normalization_threshold": "dropped",
    **{f"CapsuleStrengthLayer.{option}": "dropped" for option in CapsuleStrengthLayer.options()},
    "WeightDecay.coeff": "applied twice where it is the network's",
}
"""Options that DL4J's builders lose or apply twice, and Python does not: there DL4J must keep the document of Python."""


VOLUMES = (
    Convolution3D,
    Cropping3D,
    Deconvolution3D,
    GlobalPoolingLayer,
    Subsampling3DLayer,
    Upsampling3D,
    ZeroPadding3DLayer,
)
"""Layers after which DL4J's builders may have forgotten the format of volumes; see `test_convolution_in_java`."""


def parts(conf: Conf) -> Iterator[Conf]:
    """``conf`` and all that is in it."""
    yield conf
    for value in conf._given().values():
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]:
            if isinstance(item, Conf):
                yield from parts(item)


def settings(conf: Conf) -> Iterator[str]:
    """Every option that is set in ``conf`` and what is in it, by each of its classes."""
    for part in parts(conf):
        for name, value in part._given().items():
            if value != type(part).options()[name].default:
                yield from (f"{cls.__name__}.{name}" for cls in type(part).__mro__)


RIGHT: dict[tuple[type[Conf], type[InputType]], str] = {
    (MergeVertex, InputTypeConvolutional3D): "volumes that were merged are taken for NDHWC",
    (SubsetVertex, InputTypeConvolutional): "a subset of channels is taken for a negative number of channels",
} | {(layer, InputTypeConvolutional3D): "the format of volumes may be forgotten" for layer in VOLUMES}
"""After what DL4J's builders get the type of the activations wrong, and Python does not."""


def better(conf: Network) -> bool:
    """Python keeps something of ``conf`` that DL4J's builders do not. (``conf`` is no draft.)"""
    if not KEPT.keys().isdisjoint(settings(conf)) or _mistaken(conf):
        return True
    if isinstance(conf, MultiLayerConfiguration):
        return any((type(place.layer), type(place.input_type)) in RIGHT for place in conf.resolve().layers[:-1])
    placed = [(_inside(place.vertex), place.input_types or ()) for place in conf.resolve().vertices]
    return any((type(vertex), type(given)) in RIGHT for vertex, types in placed for given in types)


def _mistaken(conf: Network) -> bool:
    """DL4J's builder asks for shapes of SameDiff layers too early, leaves frozen attention unfinished, and takes the number
    of time steps for the n_in of a `DenseLayer` after a `Convolution1DLayer`.
    """
    following = pairwise(conf.layers) if isinstance(conf, MultiLayerConfiguration) else ()
    if any(isinstance(one, Convolution1DLayer) and isinstance(next_one, DenseLayer) for one, next_one in following):
        return True
    early = bool(conf.constrain_weights or conf.constrain_bias)
    return any(
        (early and isinstance(part, SameDiffLayer))
        or (isinstance(part, FrozenVertex) and isinstance(part.underlying, AttentionVertex))
        for part in parts(conf)
    )


def _inside(vertex: GraphVertex) -> Conf:
    """The layer, or the frozen vertex, that a vertex is about."""
    return vertex.layer if isinstance(vertex, LayerVertex) else getattr(vertex, "underlying", vertex)


def disagreements(confs: list[Network]) -> list[str]:
    """The networks on which Python and DL4J do not agree, and how."""
    python = [made_by_python(conf) for conf in confs]
    dl4j = made_by_dl4j([comparable(conf, made) for conf, made in zip(confs, python, strict=True)])
    differing = ((conf, difference(*both)) for conf, *both in zip(confs, python, dl4j, strict=True))
    return [f"{conf}\n{text}" for conf, text in differing if text]


def assert_agreement(confs: list[Network]) -> None:
    """Fail with the first networks on which Python and DL4J do not agree."""
    found = disagreements(confs)
    assert not found, f"{len(found)} of {len(confs)} networks differ, such as\n" + "\n\n".join(found[:3])


def comparable(conf: Network, python: Made) -> dict[str, Any]:
    """What DL4J is to make as Python made it: the network, or Python's document of it where that is better."""
    return document(python.json) if python.json and better(conf.replace()) else recipe(conf)


def agree(conf: Network | None = None, **options: Any) -> None:
    """Print whether Python and DL4J agree on a network, or on these options of one."""
    conf = conf or draft(**options)
    python = made_by_python(conf)
    (dl4j,) = made_by_dl4j([comparable(conf, python)])
    agreed = f"both write the same {len(dl4j.json)} characters" if dl4j.json else f"both refuse: {dl4j.refused}"
    print(difference(python, dl4j) or agreed)
