"""Values for every option of every configuration class, made from their annotations.

A new class is covered when it is registered. What its annotations do not tell (options that must fit together) is in
`NEEDED`; more values than the annotation suggests are in `MORE`.
"""

import inspect
import typing
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pydl4j.layers  # noqa: F401 - registers the layers
from pydl4j import InputType
from pydl4j.conf._codecs import AtLeast, Between, LessThan, MoreThan
from pydl4j.conf._kernel import _BY_JAVA_NAME, Conf
from pydl4j.conf.arrays import NDArray
from pydl4j.conf.vertices import GraphVertex, LayerVertex, ScaleVertex
from pydl4j.errors import ConfigError
from pydl4j.layers import (
    LSTM,
    BernoulliReconstructionDistribution,
    DenseLayer,
    GaussianReconstructionDistribution,
    Layer,
)
from pydl4j.preprocessors import RnnToFeedForwardPreProcessor

INPUTS = {
    "feed_forward": InputType.feed_forward(12),
    "recurrent": InputType.recurrent(6),
    "recurrent_of_length": InputType.recurrent(6, time_series_length=9),
    "recurrent_nwc": InputType.recurrent(6, format="nwc"),
    "recurrent_nwc_of_length": InputType.recurrent(6, time_series_length=9, format="nwc"),
    "convolutional": InputType.convolutional(height=9, width=8, channels=7),
    "convolutional_nhwc": InputType.convolutional(height=9, width=8, channels=7, format="nhwc"),
    "convolutional_flat": InputType.convolutional_flat(height=9, width=8, channels=7),
}
if hasattr(InputType, "convolutional_3d"):
    for order in ("ncdhw", "ndhwc"):
        size = {"depth": 7, "height": 9, "width": 8, "channels": 3}
        INPUTS[f"convolutional_3d_{order}"] = InputType.convolutional_3d(**size, format=order)

NEEDED: dict[str, dict[str, Any]] = {
    "AttentionVertex": {  # DL4J does not infer the sizes
        "n_in_keys": 6,
        "n_in_queries": 6,
        "n_in_values": 6,
        "project_input": True,
    },
    "DuplicateToTimeSeriesVertex": {"input_name": "a"},
    "FrozenVertex": {"underlying": ScaleVertex(scale_factor=0.5)},
    "PreprocessorVertex": {"preprocessor": RnnToFeedForwardPreProcessor()},
    "UnstackVertex": {"from_": 1, "stack_size": 2},
    "Bidirectional": {"layer": LSTM(n_out=3)},
    "ElementWiseMultiplicationLayer": {"n_out": 12},
    "FrozenLayer": {"layer": DenseLayer(n_out=3)},
    "FrozenLayerWithBackprop": {"layer": DenseLayer(n_out=3)},
    "LearnedSelfAttentionLayer": {"n_out": 4, "n_heads": 2, "n_queries": 3, "project_input": True},
    "RecurrentAttentionLayer": {"n_out": 4, "n_heads": 2},
    "SelfAttentionLayer": {"n_out": 4, "n_heads": 2, "project_input": True},
    "TimeDistributed": {"layer": DenseLayer(n_out=3)},
    "FeedForwardToCnnPreProcessor": {"input_height": 2, "input_width": 2, "num_channels": 1},
    "MinMaxNormConstraint": {"min": 0.25, "max": 2.0},
    "LastTimeStep": {"layer": LSTM(n_out=3)},
    "MaskZeroLayer": {"layer": LSTM(n_out=3)},
    "PReLULayer": {"input_shape": [12]},
    "RnnLossLayer": {"activation": "softmax"},
    "PrimaryCapsules": {"kernel_size": (3, 2)},
    "SubsamplingLayer": {"pnorm": 2},
    "Yolo2OutputLayer": {"bounding_boxes": [[1, 2]]},
}
"""Options that go with every instance of a class."""

INSTEAD: dict[str, list[Any]] = {
    "LocallyConnected1D.dilation": [1],
    "LocallyConnected2D.dilation": [(1, 1)],
    "SpaceToBatchLayer.blocks": [(3, 2), (1, 1), (3, 4)],
    "SpaceToDepthLayer.block_size": [1],
    "SpaceToDepthLayer.data_format": ["nhwc", "nchw"],
    "RnnLossLayer.data_format": ["ncw"],
    "Subsampling1DLayer.data_format": ["ncw"],
    "Yolo2OutputLayer.bounding_boxes": [[[1, 2]]],
    "CompositeReconstructionDistribution.distribution_sizes": [[5, 7]],
    "CompositeReconstructionDistribution.reconstruction_distributions": [
        [GaussianReconstructionDistribution(), BernoulliReconstructionDistribution()]
    ],
    "PReLULayer.shared_axes": [[1]],
    "RecurrentAttentionLayer.project_input": [True],  # two heads need it
    "PReLULayer.weight_init": ["ones", "xavier"],  # its builder cannot be told to inherit
    "AttentionVertex.weight_init": ["relu", "zero"],  # None is there for documents
    "AttentionVertex.n_in_keys": [6, 3],
    "AttentionVertex.n_in_queries": [6, 3],
    "AttentionVertex.n_in_values": [6, 3],
    "LastTimeStepVertex.mask_array_input_name": ["a", "b"],
    "ReverseTimeSeriesVertex.mask_array_input_name": ["a", "b"],
    "DuplicateToTimeSeriesVertex.input_name": ["a", "b"],
    "ReshapeVertex.new_shape": [(-1, 3), (-1, 2, 6), (-1, 3, 2, 2)],
    "ActivationRReLU.l": [0.25, 0.0],  # not above u
    "ActivationRReLU.u": [0.5, 2.0],
    "MinMaxNormConstraint.min": [0.25, 0.5],  # not above max
    "MinMaxNormConstraint.max": [0.75, 2.0],
    "MinMaxNormConstraint.rate": [0.25, 0.5],  # DL4J's constructor refuses 0, which it reads where a document has none
    "LossNegativeLogLikelihood.softmax_clip_eps": [0.25, 0.125],  # DL4J has no builder for it, and checks no document
}
"""Values in place of those that an annotation suggests."""

NOT_IN_BUILDERS = {
    "IdentityLayer.*",
    *(f"{layer}.{size}" for layer in ("Cnn3DLossLayer", "CnnLossLayer") for size in ("n_in", "n_out")),
    *(f"LocallyConnected{n}D.{size}" for n in (1, 2) for size in ("feature_dim", "input_size", "output_size")),
    "CapsuleLayer.input_capsule_dimensions",
    "CapsuleLayer.input_capsules",
    "DepthwiseConvolution2D.n_out",
    "LocallyConnected1D.padding_r",
    "LocallyConnected2D.padding_br",
    "PrimaryCapsules.capsules",
    "PrimaryCapsules.input_channels",
    "Subsampling1DLayer.dilation",
    "param_weight_init",
    "time_distributed_format",
    "Bidirectional.bwd",
    "CnnLossLayer.n_in",
    "CnnLossLayer.n_out",
    "Cnn3DLossLayer.n_in",
    "Cnn3DLossLayer.n_out",
    "LossLayer.n_in",
    "LossLayer.n_out",
    "MergeVertex.modified",
    "OCNNOutputLayer.last_epoch_since_r_updated",
    "MaskLayer.dropout",
    "MaskLayer.constrain_all",
    "MaskLayer.constrain_weights",
    "MaskLayer.constrain_bias",
    "PReLULayer.n_in",
    "PReLULayer.n_out",
    "RnnLossLayer.n_in",
    "RnnLossLayer.n_out",
} | {
    f"AttentionVertex.{name}"
    for name in (
        "bias_updater", "data_type", "gradient_normalization", "gradient_normalization_threshold", "name",
        "regularization", "regularization_bias", "updater",
    )
}  # fmt: skip
"""Options that users of DL4J's builders cannot set: they are there to read documents."""

OF_LAYERS_INSIDE = {"dropout", "constraints", "constrain_all", "constrain_weights", "constrain_bias"}
"""Options that layers around others do not have themselves."""

TOGETHER: dict[str, dict[str, Any]] = {
    "convolution_mode": {"convolution_mode": "truncate"},  # suits any window
    "loss": {"activation": "sigmoid", "loss": "xent"},
}
"""Options of a full instance of a class that has a certain option."""

APART = {"constraints", "weight_decay", "weight_decay_bias", "regularization", "regularization_bias"}
"""Options of layers that are not set beside all others: DL4J's builders have one place for them and ``constrain_all``,
``l2`` and so on, and forget what was given first."""

SECOND_NAMES = {"Convolution1D", "Convolution2D", "Pooling1D", "Pooling2D"}
"""Classes whose builders make those that they extend."""

NOT_AMONG_THE_JARS = {"TensorFlowCnnToFeedForwardPreProcessor"}
"""Classes of deeplearning4j-modelimport."""

_NUMBERS = (0.25, 0.5, 0.75, 0.875, 1e-5, 2.0, 0.0, -1.5)
_INTS = (2, 3, 4, 1, 0)


def classes(family: type[Conf]) -> list[type[Conf]]:
    """The classes of a family that DL4J has."""
    return [
        cls
        for cls in _BY_JAVA_NAME.values()
        if issubclass(cls, family) and cls.__name__ not in NOT_AMONG_THE_JARS | SECOND_NAMES
    ]


VERTICES = {cls.__name__: cls for cls in classes(GraphVertex) if cls is not LayerVertex}
LAYERS = {cls.__name__: cls for cls in classes(Layer)}


@cache
def hints(cls: type[Conf]) -> Mapping[str, Any]:
    """The annotations of the options."""
    return {name: hint for name, hint in get_type_hints(cls, include_extras=True).items() if name in cls.options()}


def set_by_users(cls: type[Conf]) -> list[str]:
    """The options that a user of DL4J's builders can set."""
    none = NOT_IN_BUILDERS | (OF_LAYERS_INSIDE if "layer" in cls.options() else set())
    return [name for name in cls.options() if not {name, f"{cls.__name__}.*", f"{cls.__name__}.{name}"} & none]


def given(cls: type[Conf]) -> dict[str, Any]:
    """The options of a minimal instance."""
    options = cls.options()
    required = {name: candidates(cls, name)[0] for name in options if options[name].required}
    return required | NEEDED.get(cls.__name__, {})


@cache
def minimal(cls: type[Conf]) -> Conf:
    return cls(**given(cls))


@cache
def full(cls: type[Conf]) -> Conf:
    """Every option set to something else than its default, as far as they go together."""
    options = given(cls)
    for name in cls.options():
        options |= TOGETHER.get(name, {})
    for name in set_by_users(cls):
        if name in APART | options.keys():
            continue
        for value in candidates(cls, name):
            try:
                changed = cls(**{**options, name: value})
            except ConfigError:
                continue
            if getattr(changed, name) != cls.options()[name].default:
                options[name] = value
                break
    return cls(**options)


def variants(cls: type[Conf]) -> Iterator[dict[str, Any]]:
    """Options of an instance for each value of each option, beside what is required. Some are refused."""
    for name in set_by_users(cls):
        for value in candidates(cls, name):
            yield {**given(cls), name: value}


def candidates(cls: type[Conf], name: str) -> list[Any]:
    """Values to try for an option."""
    values = INSTEAD.get(f"{cls.__name__}.{name}") or list(_of(hints(cls)[name], ()))
    numbers = [value for value in values if type(value) in {int, float}]
    turn = list(cls.options()).index(name) % 4  # neighbours get different numbers, as they may be mixed up
    return numbers[turn:] + numbers[:turn] + [value for value in values if type(value) not in {int, float}]


def _of(hint: Any, markers: tuple[Any, ...]) -> Iterator[Any]:
    """Values of an annotation, those that are least likely a default first."""
    origin = get_origin(hint)
    if origin is typing.Annotated:
        inner, *own = get_args(hint)
        yield from _of(inner, (*own, *markers))
    elif origin in {typing.Union, UnionType}:
        members = [member for member in get_args(hint) if member is not NoneType]
        for member in members:
            yield from _of(member, markers)
        if len(members) < len(get_args(hint)):
            yield None
    elif origin is Literal:
        yield from reversed(get_args(hint))
    elif origin is tuple and Ellipsis not in get_args(hint):
        items = [list(_of(item, markers)) for item in get_args(hint)]
        yield from islice(zip(*items, strict=True), 4)
        yield tuple(each[-1 - i % len(each)] for i, each in enumerate(items))
    elif origin in {tuple, Sequence}:
        items = list(islice(_of(get_args(hint)[0], markers), 12))
        yield from ([item] for item in items)
        yield items[:3]
    elif origin is Mapping:
        yield dict(zip(range(3), _of(get_args(hint)[1], markers), strict=False))
    elif inspect.isclass(hint) and issubclass(hint, Conf):
        yield from _of_family(hint)
    else:
        yield from _of_scalar(hint, [m for m in markers if isinstance(m, AtLeast | MoreThan | LessThan | Between)])


def _of_family(family: type[Conf]) -> Iterator[Conf]:
    if family is NDArray:
        yield NDArray.of([[0.25, 0.5, 0.75]])
    if family in {Layer, GraphVertex}:  # wrappers in wrappers have no end
        yield from (minimal(cls) for cls in classes(family) if not _members_of(cls) & {Layer, GraphVertex})
        return
    for cls in classes(family):
        yield full(cls)
        if minimal(cls) != full(cls):
            yield minimal(cls)


def _members_of(cls: type[Conf]) -> set[Any]:
    """What the annotations of the options mention."""
    return {part for hint in hints(cls).values() for part in (hint, *get_args(hint))}


def _of_scalar(hint: Any, limits: Sequence[Any]) -> Iterator[Any]:
    values = {bool: (True, False), str: ("some", "W"), int: _INTS, float: _NUMBERS}[hint]
    return (value for value in values if all(limit.admits(value) for limit in limits))
