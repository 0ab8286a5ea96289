"""Output layers: where the loss is computed."""

from typing import ClassVar

from pydl4j.conf import activations as a
from pydl4j.conf._kernel import refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.inputs import InputType, RNNFormat
from pydl4j.conf.layers.base import JAVA, BaseLayer, FeedForwardLayer, MaybeSize, ParamShapes, SizedLayer
from pydl4j.conf.layers.kinds import SEQUENCES, VECTORS, Kind, sequences
from pydl4j.conf.losses import ILossFunction, LossBinaryXENT, LossMCXENT, LossName

__all__ = ["LossLayer", "OutputLayer", "RnnOutputLayer"]

_NOT_PROBABILITIES = (
    a.ActivationCube,
    a.ActivationELU,
    a.ActivationHardTanH,
    a.ActivationIdentity,
    a.ActivationLReLU,
    a.ActivationRationalTanh,
    a.ActivationReLU,
    a.ActivationReLU6,
    a.ActivationRReLU,
    a.ActivationSELU,
    a.ActivationSoftPlus,
    a.ActivationSoftSign,
    a.ActivationSwish,
    a.ActivationTanH,
    a.ActivationThresholdedReLU,
)


class BaseOutputLayer(FeedForwardLayer, keys={"loss": "lossFn"}, absent={"activation": None, "loss": None}):
    """A fully connected layer with a loss."""

    activation: IActivation | ActivationName | None = "softmax"
    loss: ILossFunction | LossName | None = "mcxent"
    has_bias: bool = True

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, n_out), "b": (n_out,)} if self.has_bias else {"W": (n_in, n_out)}

    def check_output(self, path: str) -> None:
        if self.n_out == 1 and isinstance(self.activation, a.ActivationSoftmax):
            raise refuse(
                f"{path}.n_out",
                "must be > 1 with softmax, whose only output would always be 1; use sigmoid with xent",
                1,
            )
        check_loss(self, self.loss, path, is_loss_layer=False)


class OutputLayer(BaseOutputLayer, java=JAVA + "OutputLayer"):
    """Output layer on vectors. Labels ``[minibatch, n_out]``.

    >>> OutputLayer(n_out=10, loss="negativeloglikelihood")
    OutputLayer(n_out=10, loss='negativeloglikelihood')
    """


class RnnOutputLayer(BaseOutputLayer, java=JAVA + "RnnOutputLayer", keys={"data_format": "rnnDataFormat"}):
    """Output layer on each time step. Labels ``[minibatch, n_out, time]``."""

    takes: ClassVar[Kind] = SEQUENCES

    data_format: RNNFormat | None = None
    """Taken from the input type where there is one."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        series = sequences(self, input_type, path)
        return InputType.recurrent(self.n_out, time_series_length=series.time_series_length, format=series.format)


class LossLayer(
    SizedLayer, java=JAVA + "LossLayer", keys={"loss": "lossFn"}, absent={"activation": None, "loss": None}
):
    """A loss on the activations of the layer before it; no parameters."""

    takes: ClassVar[Kind] = VECTORS

    activation: IActivation | ActivationName | None = "identity"
    loss: ILossFunction | LossName | None = "mcxent"
    n_out: MaybeSize = None
    """Not used."""

    def check_complete(self, path: str) -> None:
        """Nothing: the size is that of the layer before."""

    def check_output(self, path: str) -> None:
        check_loss(self, self.loss, path, is_loss_layer=True)


def check_loss(layer: BaseLayer, loss: object, path: str, *, is_loss_layer: bool) -> None:
    """Refuse an activation that does not give what the loss needs."""
    activation = layer.activation
    needs_probabilities = isinstance(loss, LossMCXENT | LossBinaryXENT)
    outside = isinstance(activation, _NOT_PROBABILITIES)
    if needs_probabilities and outside and not (is_loss_layer and isinstance(activation, a.ActivationIdentity)):
        raise refuse(
            f"{path}.activation",
            f"must give probabilities (0 to 1) for {loss!r}, such as softmax or sigmoid",
            activation,
        )
    if isinstance(activation, a.ActivationSoftmax) and isinstance(loss, LossBinaryXENT):
        raise refuse(f"{path}.loss", "must be mcxent with softmax, or the activation sigmoid", loss)
    if isinstance(activation, a.ActivationSigmoid) and isinstance(loss, LossMCXENT):
        raise refuse(f"{path}.loss", "must be xent with sigmoid, or the activation softmax", loss)
