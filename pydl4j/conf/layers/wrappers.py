"""Layers around a layer. Sizes, preprocessors and parameters are those of the layer inside."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydl4j.conf._codecs import NotFinite
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf._reading import At
from pydl4j.conf.inputs import InputType, InputTypeFeedForward, InputTypeRecurrent, RNNFormat
from pydl4j.conf.layers.base import CONSTRAIN, JAVA, Layer, NoParamLayer, ParamGroups, ParamShapes
from pydl4j.conf.layers.custom import DL4J
from pydl4j.conf.layers.kinds import sequences
from pydl4j.conf.layers.recurrent import BaseRecurrentLayer, refuse_tbptt
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.regularization import merged_penalties
from pydl4j.conf.updaters import IUpdater

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = [
    "Bidirectional",
    "FrozenLayer",
    "FrozenLayerWithBackprop",
    "LastTimeStep",
    "MaskLayer",
    "MaskZeroLayer",
    "TimeDistributed",
]


class WrapperLayer(Layer):
    """A layer around another one."""

    wraps: ClassVar[Sequence[str]] = ("layer",)
    names_layer: ClassVar[bool] = True
    """A layer inside without a name takes this one's where a document is read."""

    layer: Layer
    """The layer inside; in a network it has the same name."""

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        return self.layer.preprocessor_for(input_type, f"{path}.layer")

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        return self._with(layer=self.layer.with_input(input_type, f"{path}.layer"))

    def output_type(self, input_type: InputType, path: str = "") -> InputType | None:
        return self.layer.output_type(input_type, f"{path}.layer")

    def param_shapes(self) -> ParamShapes:
        return self.layer.param_shapes()

    def param_groups(self) -> ParamGroups:
        return self.layer.param_groups()

    def check_complete(self, path: str) -> None:
        self.layer.check_complete(f"{path}.layer")

    def check(self, path: str) -> None:
        for option in ("dropout", "constraints", *CONSTRAIN):
            value = getattr(self, option)
            if value is not None:
                raise guard(
                    f"{path}.{option}", "must be given to the layer inside: DL4J does nothing with it here", value
                )
        super().check(path)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        self.layer.check_new(network, f"{path}.layer")

    def derived(self) -> dict[str, Any]:
        return _echoed(self.layer)

    @classmethod
    def read_options(cls, members: Mapping[str, Any], at: At) -> dict[str, Any]:
        if cls.names_layer and "layerName" in members:
            inside = {key: value for key, value in members.items() if key in _INSIDE and _is_dl4js(value)}
            name = {"layerName": members["layerName"]}
            members = {**members, **{key: {**name, **layer} for key, layer in inside.items()}}
        return super().read_options(members, at)


def _is_dl4js(tree: Any) -> bool:
    return isinstance(tree, Mapping) and str(tree.get("@class")).startswith(DL4J)


_INSIDE = ("bwd", "fwd", "layer", "underlying")
"""JSON keys of layers in layers."""


def _echoed(layer: Layer) -> dict[str, Any]:
    """What DL4J writes at a wrapper once more."""
    while isinstance(layer, WrapperLayer):  # which would echo in turn: twice the work for every one around another
        layer = layer.layer
    tree = layer.to_tree()
    return {key: tree.get(key) for key in ("gradientNormalization", "gradientNormalizationThreshold")}


class LastTimeStep(WrapperLayer, java=JAVA + "recurrent.LastTimeStep", keys={"layer": "underlying"}):
    """The last time step of a recurrent layer: ``[minibatch, n_in, time]`` to ``[minibatch, n_out]``; under a mask, the last step that is present.

    >>> from pydl4j.layers import LSTM
    >>> LastTimeStep(layer=LSTM(n_out=8))
    LastTimeStep(layer=LSTM(n_out=8))
    """

    needs_whole_sequences: ClassVar[bool] = True
    names_layer: ClassVar[bool] = False

    def output_type(self, input_type: InputType, path: str = "") -> InputType | None:
        sequences(self, input_type, path)
        inside = self.layer.output_type(input_type, f"{path}.layer")
        return InputType.feed_forward(sequences(self.layer, inside, f"{path}.layer").size) if inside else None


class TimeDistributed(
    WrapperLayer,
    java=JAVA + "recurrent.TimeDistributed",
    keys={"layer": "underlying", "data_format": "rnnDataFormat"},
    first=("rnnDataFormat", "underlying"),
    absent={"data_format": None},
):
    """A layer on vectors, such as a `DenseLayer`, applied to each time step: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]``."""

    data_format: RNNFormat | None = "ncw"
    """Taken from the input type where there is one."""

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        return None

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        series = sequences(self, input_type, path)
        inside = self.layer.with_input(InputType.feed_forward(series.size), f"{path}.layer")
        return self._with(layer=inside, data_format=series.format)

    def output_type(self, input_type: InputType, path: str = "") -> InputType | None:
        series = sequences(self, input_type, path)
        inside = self.layer.output_type(InputType.feed_forward(series.size), f"{path}.layer")
        if inside is None:
            return None
        size = _size_of(inside)
        return InputType.recurrent(size, time_series_length=series.time_series_length, format=self.data_format)


def _size_of(input_type: InputType) -> int:
    """Elements of one example."""
    size = 1
    for dimension in input_type.shape:
        size *= dimension or 1
    return size


class MaskZeroLayer(
    WrapperLayer,
    java=JAVA + "util.MaskZeroLayer",
    keys={"layer": "underlying"},
    first=("maskingValue", "underlying"),
):
    """Masks the time steps whose features all equal ``masking_value``, for the recurrent layer inside; shapes are that layer's."""

    masking_value: Annotated[float, NotFinite()] = 0.0


class MaskLayer(NoParamLayer, java=JAVA + "util.MaskLayer"):
    """Sets what the mask leaves out to 0; shapes stay as they are."""


class _Frozen(WrapperLayer):
    """A layer that is not trained."""

    frozen: ClassVar[bool] = True

    def param_groups(self) -> ParamGroups:
        return ParamGroups((), (), ())

    def constrained(self, network: "NetworkOptions") -> Self:
        # DL4J drops the constraints of the layer inside, and gives it those of the network, of which it makes no use
        bare = self.layer._with(constraints=None, **dict.fromkeys(CONSTRAIN))
        return self._with(layer=bare.constrained(network))


class FrozenLayer(_Frozen, java=JAVA + "misc.FrozenLayer", first=("layer",)):
    """A layer that is not trained and behaves as in inference, without dropout; the layers before it are not trained either.

    Shapes are those of the layer inside.
    """

    def updater_of(self, key: str) -> IUpdater | None:
        return None


class FrozenLayerWithBackprop(_Frozen, java=JAVA + "misc.FrozenLayerWithBackprop", keys={"layer": "underlying"}):
    """A layer that is not trained and behaves as in training otherwise: dropout is active, and gradients pass through it to the layers before.

    Shapes are those of the layer inside.
    """


class Bidirectional(WrapperLayer, java=JAVA + "recurrent.Bidirectional", keys={"layer": "fwd"}, absent={"mode": None}):
    """A recurrent layer, and a copy of it that reads the sequence backwards: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]``.

    ``n_out`` is that of ``layer``, or twice as much with ``mode="concat"``. Takes a recurrent layer, or a `LastTimeStep` of
    one, which then has to have all its options, since DL4J's builders do not reach it. Not for truncated backpropagation
    through time. After Schuster and Paliwal 1997.

    >>> from pydl4j.layers import LSTM
    >>> Bidirectional(layer=LSTM(n_out=8), mode="add")
    Bidirectional(layer=LSTM(n_out=8), mode='add')
    """

    bwd: Layer | None = None
    """The layer that reads backwards, where it is not the same as ``layer``."""
    mode: Literal["add", "mul", "average", "concat"] | None = "concat"
    """How the activations of both are joined."""

    def validate(self, path: str) -> None:
        for option, layer in (("layer", self.layer), ("bwd", self.bwd)):
            inside = layer.layer if isinstance(layer, LastTimeStep) else layer
            if inside is None or isinstance(inside, BaseRecurrentLayer):
                continue
            must = "must be a recurrent layer, or a LastTimeStep of one"
            raise (guard if isinstance(inside, WrapperLayer) else refuse)(f"{path}.{option}", must, layer)

    def check(self, path: str) -> None:
        if self.mode is None:
            raise refuse(f"{path}.mode", "must be given", None)
        super().check(path)

    @property
    def _both(self) -> Mapping[str, Layer]:
        """The layers by the prefix of their parameters."""
        return {"f": self.layer, "b": self.bwd or self.layer}

    @property
    def _recurrent(self) -> BaseRecurrentLayer:
        inside = self.layer.layer if isinstance(self.layer, LastTimeStep) else self.layer
        assert isinstance(inside, BaseRecurrentLayer)
        return inside

    def inherit(self, network: "NetworkOptions", name: str) -> Self:
        layers = {"layer": self.layer, "bwd": self.bwd}
        inside = {option: _inherit_inside(layer, network, name) for option, layer in layers.items() if layer}
        return self._with(**self._inherit_options(network, self.inherited), **inside, name=name)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        bwd = self.bwd.with_input(input_type, f"{path}.bwd") if self.bwd else None
        return super().with_input(input_type, path)._with(bwd=bwd)

    def output_type(self, input_type: InputType, path: str = "") -> InputType | None:
        inside = self.layer.output_type(input_type, f"{path}.layer")
        if self.mode == "concat" and isinstance(inside, InputTypeFeedForward):
            return InputType.feed_forward(2 * inside.size)
        if self.mode == "concat" and isinstance(inside, InputTypeRecurrent):
            return InputType.recurrent(2 * inside.size, format=self._recurrent.data_format)
        return inside

    def param_shapes(self) -> ParamShapes:
        both = self._both.items()
        return {prefix + key: shape for prefix, layer in both for key, shape in layer.param_shapes().items()}

    def param_groups(self) -> ParamGroups:
        # for both kinds DL4J names the weights here; it applies the constraints of the layers inside, where all is well
        groups = self.layer.param_groups()
        every, weights = ([prefix + key for prefix in "fb" for key in keys] for keys in (groups.all, groups.weights))
        return ParamGroups(every, weights, weights)

    def updater_of(self, key: str) -> IUpdater | None:
        return self._both[key[0]].updater_of(key[1:])

    def constrained(self, network: "NetworkOptions") -> Self:
        bwd = self.bwd.constrained(network) if self.bwd else None
        return super().constrained(network)._with(bwd=bwd)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        refuse_tbptt(self, network, path)
        inside = self._recurrent
        missing = [option for option in (*inside.inherited, *_PENALTIES) if _lacks(inside, option, network)]
        if missing:
            where = (
                "inside a LastTimeStep in a Bidirectional, where DL4J's builders do not pass the network's options on"
            )
            raise guard(
                f"{path}.layer.layer.{missing[0]}", f"must be given {where} (in all: {', '.join(missing)})", None
            )
        super().check_new(network, path)

    def to_tree(self) -> dict[str, Any]:
        tree = super().to_tree()
        tree["bwd"] = tree["bwd"] or tree["fwd"]
        return tree

    def derived(self) -> dict[str, Any]:
        inside = self._recurrent
        twice = self.mode == "concat" and inside is self.layer
        sizes = {"nin": inside.n_in or 0, "nout": inside.n_out * (2 if twice else 1)}
        return super().derived() | sizes | {"rnndataFormat": inside.data_format and inside.data_format.upper()}

    @classmethod
    def read_options(cls, members: Mapping[str, Any], at: At) -> dict[str, Any]:
        values = super().read_options(members, at)
        if values.get("bwd") is None:
            raise refuse(at.member("bwd").path, "must be there, as fwd is", None)
        if values["bwd"] == values.get("layer"):
            del values["bwd"]
        return values


def _inherit_inside(layer: Layer, network: "NetworkOptions", name: str) -> Layer:
    """A layer inside a `Bidirectional`, as far as DL4J's builders reach: layers inside of it only have the name."""
    changes: dict[str, Any] = {
        option: inner._with(name=name, **merged_penalties(inner, None))
        for option, inner in ((option, getattr(layer, option)) for option in layer.wraps)
    }
    return layer.inherit(network, name)._with(**changes)


_PENALTIES = ("regularization", "regularization_bias")


def _lacks(layer: Layer, option: str, network: "NetworkOptions") -> bool:
    """The network has a value for an option that ``layer`` has not inherited."""
    inherited = merged_penalties(None, network)[option] if option in _PENALTIES else getattr(network, option)
    return option != "dropout" and not _given(getattr(layer, option)) and _given(inherited)


def _given(value: Any) -> bool:
    return value is not None and value != ()
