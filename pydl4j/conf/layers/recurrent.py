"""Recurrent layers. Input ``[minibatch, n_in, time]``, output ``[minibatch, n_out, time]``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from pydl4j.conf._kernel import guard
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.inputs import InputType, RNNFormat
from pydl4j.conf.layers.base import JAVA, FeedForwardLayer, Layer, ParamShapes
from pydl4j.conf.layers.kinds import SEQUENCES, Kind, sequences

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["LSTM", "GravesBidirectionalLSTM", "GravesLSTM", "SimpleRnn"]


class BaseRecurrentLayer(
    FeedForwardLayer,
    keys={"weight_init_recurrent": "weightInitFnRecurrent", "data_format": "rnnDataFormat"},
    absent={"data_format": None},
):
    """A layer with a state that passes from time step to time step."""

    takes: ClassVar[Kind] = SEQUENCES

    weight_init_recurrent: IWeightInit | Distribution | WeightInitName | None = None
    """Initialization of the recurrent weights, if it is not ``weight_init``."""
    data_format: RNNFormat | None = "ncw"
    """Taken from the input type where there is one."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        series = sequences(self, input_type, path)
        return InputType.recurrent(self.n_out, time_series_length=series.time_series_length, format=series.format)


class AbstractLSTM(
    BaseRecurrentLayer, keys={"gate_activation": "gateActivationFn"}, absent={"forget_gate_bias_init": 0.0}
):
    """A long short-term memory layer."""

    forget_gate_bias_init: float = 1.0
    """Initial bias of the forget gates; 1 to 5 helps to remember."""
    gate_activation: IActivation | ActivationName = "sigmoid"
    """Activation function of the gates."""
    helper_allow_fallback: bool = True


class LSTM(AbstractLSTM, java=JAVA + "LSTM"):
    """Long short-term memory without peephole connections.

    From ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]`` (Hochreiter and Schmidhuber 1997, with forget gates as in Gers et al. 2000).
    """

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, 4 * n_out), "RW": (n_out, 4 * n_out), "b": (4 * n_out,)}


class GravesLSTM(AbstractLSTM, java=JAVA + "GravesLSTM"):
    """Long short-term memory with peephole connections: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]`` (Graves 2012).

    DL4J advises `LSTM` for new networks.
    """

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, 4 * n_out), "RW": (n_out, 4 * n_out + 3), "b": (4 * n_out,)}


class GravesBidirectionalLSTM(AbstractLSTM, java=JAVA + "GravesBidirectionalLSTM"):
    """Two `GravesLSTM` that read the sequence in both directions, added up: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]``.

    Deprecated in DL4J for `Bidirectional` around an `LSTM`. Not for truncated backpropagation through time. The recurrent
    weights are initialized as the others, whatever ``weight_init_recurrent`` says. After Graves 2012.
    """

    bias_params: ClassVar[Sequence[str]] = ("bF", "bB")

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        one = {"W": (n_in, 4 * n_out), "RW": (n_out, 4 * n_out + 3), "b": (4 * n_out,)}
        return {key + direction: shape for direction in "FB" for key, shape in one.items()}

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        refuse_tbptt(self, network, path)


class SimpleRnn(BaseRecurrentLayer, java=JAVA + "recurrent.SimpleRnn"):
    """Elman network: ``h(t) = activation(x(t) @ W + h(t - 1) @ RW + b)``; ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]``.

    (DL4J's builder drops constraints that are given to this layer; here they are applied.)

    >>> SimpleRnn(n_out=8, activation="tanh")
    SimpleRnn(activation='tanh', n_out=8)
    """

    has_layer_norm: bool = False
    """Normalize both products of each time step before the activation function."""

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        shapes: ParamShapes = {"W": (n_in, n_out), "RW": (n_out, n_out), "b": (n_out,)}
        return shapes | {"g": (2 * n_out,)} if self.has_layer_norm else shapes


def refuse_tbptt(layer: Layer, network: "NetworkOptions", path: str) -> None:
    """Refuse truncated backpropagation through time, which DL4J takes and then cannot do in this layer.

    Raises:
        ConfigError: The network has it.

    """
    if network.backprop_type == "truncated_bptt":
        raise guard(path, 'cannot be a layer of both directions with backprop_type="truncated_bptt"', layer)
