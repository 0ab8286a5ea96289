"""Recurrent layers. Input ``[minibatch, n_in, time]``, output ``[minibatch, n_out, time]``."""

from typing import ClassVar

from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.inputs import InputType, RNNFormat
from pydl4j.conf.layers.base import JAVA, FeedForwardLayer, ParamShapes
from pydl4j.conf.layers.kinds import SEQUENCES, Kind, sequences

__all__ = ["LSTM", "GravesLSTM"]


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
    """LSTM without peephole connections."""

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, 4 * n_out), "RW": (n_out, 4 * n_out), "b": (4 * n_out,)}


class GravesLSTM(AbstractLSTM, java=JAVA + "GravesLSTM"):
    """LSTM with peephole connections (Graves 2012); DL4J advises `LSTM` for new networks."""

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, 4 * n_out), "RW": (n_out, 4 * n_out + 3), "b": (4 * n_out,)}
