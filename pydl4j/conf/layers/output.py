"""Output layers: where the loss is computed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydl4j.conf import activations as a
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.inputs import InputType, RNNFormat
from pydl4j.conf.layers.base import (
    JAVA,
    BaseLayer,
    Coefficient,
    FeedForwardLayer,
    MaybeSize,
    ParamShapes,
    Positive,
    SizedLayer,
)
from pydl4j.conf.layers.kinds import SEQUENCES, VECTORS, Kind, sequences, vectors
from pydl4j.conf.losses import ILossFunction, LossBinaryXENT, LossMCXENT, LossName
from pydl4j.conf.preprocessors import InputPreProcessor

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = [
    "CenterLossOutputLayer",
    "LossLayer",
    "OCNNOutputLayer",
    "OutputLayer",
    "RnnLossLayer",
    "RnnOutputLayer",
]

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

    computes_loss: ClassVar[bool] = True

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

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_weights(self.loss, self.n_out, path)


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
    """A loss on the activations of the layer before it, ``[minibatch, n]``; it has no parameters."""

    takes: ClassVar[Kind] = VECTORS
    computes_loss: ClassVar[bool] = True
    must_be_last: ClassVar[bool] = True

    activation: IActivation | ActivationName | None = "identity"
    loss: ILossFunction | LossName | None = "mcxent"
    n_out: MaybeSize = None
    """Not used."""

    def check_complete(self, path: str) -> None:
        """Nothing: the size is that of the layer before."""

    def check_output(self, path: str) -> None:
        check_loss(self, self.loss, path, is_loss_layer=True)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        check_weights(self.loss, self.n_in, path)


class RnnLossLayer(LossLayer, java=JAVA + "RnnLossLayer", keys={"data_format": "rnnDataFormat"}):
    """A loss on each time step of the activations of the layer before it; no parameters. Labels as the input, ``[minibatch, size, time]``.

    Sequences in NWC are refused in new networks: DL4J compares them with the labels in another order.
    """

    takes: ClassVar[Kind] = SEQUENCES
    must_be_last: ClassVar[bool] = False

    activation: IActivation | ActivationName | None = None
    data_format: RNNFormat | None = "ncw"
    """Order of the dimensions of the input. DL4J does not take it from the input type; here it must be the same."""

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        return self.takes.preprocessor(self._with(data_format="ncw"), input_type, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        given = sequences(self, input_type, path).format
        if given not in {None, self.data_format}:
            raise guard(f"{path}.data_format", f"must be {given!r}, as the layer's input", self.data_format)
        return self

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        if self.data_format == "nwc":
            raise guard(
                f"{path}.data_format", "must be 'ncw', where DL4J computes the loss; or use RnnOutputLayer", "nwc"
            )
        super().check_new(network, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        return sequences(self, input_type, path)


class CenterLossOutputLayer(
    BaseOutputLayer,
    java=JAVA + "CenterLossOutputLayer",
    keys={"lambda_": "lambda"},
    absent={"alpha": 0.0, "lambda_": 0.0},
):
    """Output layer that also draws the inputs of a class to their center (Wen et al. 2016). Labels ``[minibatch, n_out]``.

    >>> CenterLossOutputLayer(n_out=10, lambda_=0.003)
    CenterLossOutputLayer(n_out=10, lambda_=0.003)
    """

    unconstrained: ClassVar[Sequence[str]] = ("cL",)
    untrained_params: ClassVar[Sequence[str]] = ("cL",)

    alpha: Coefficient = 0.05
    """Rate at which centers move."""
    lambda_: Coefficient = 2e-4
    """Weight of the distance from the center in the loss."""
    gradient_check: bool = False
    """Let centers move as the gradient says, for gradient checks."""

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, n_out), "b": (n_out,), "cL": (n_out, n_in)}

    def _is_bias(self, key: str) -> bool:
        return False


class OCNNOutputLayer(
    SizedLayer,
    java="org.deeplearning4j.nn.conf.ocnn.OCNNOutputLayer",
    keys={"initial_r_value": "initialRValue", "configure_r": "configureR"},
    first=("configureR", "hiddenSize", "initialRValue", "nu", "windowSize"),
    absent={"activation": None, "configure_r": False, "initial_r_value": 0.0, "nu": 0.0, "window_size": 0},
):
    """One-class neural network, for anomalies: vectors ``[minibatch, n_in]`` to a score ``[minibatch, 1]`` (Chalapathy et al. 2018).

    The loss is its own: labels are not looked at, and ``l1``, ``l2`` and weight decay are not applied by DL4J. A network that
    was loaded from a file cannot be trained on: DL4J does not save the scores by which it estimates ``r``.
    """

    takes: ClassVar[Kind] = VECTORS
    computes_loss: ClassVar[bool] = True
    must_be_last: ClassVar[bool] = True
    bias_params: ClassVar[Sequence[str]] = ()

    activation: IActivation | ActivationName | None = "identity"
    hidden_size: Positive
    """Units of the hidden layer."""
    nu: float = 0.04
    """Share of the examples that may be anomalies."""
    window_size: int = 10_000
    """Examples by which ``r`` is estimated."""
    initial_r_value: float = 0.1
    configure_r: bool = True
    """Estimate ``r`` in training."""
    last_epoch_since_r_updated: int = 0
    """Written by training."""
    has_bias: bool = True
    """Not used."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        vectors(self, input_type, path)
        return InputType.feed_forward(1)

    def param_shapes(self) -> ParamShapes:
        self.check_complete(type(self).__name__)
        assert self.n_in is not None
        return {"w": (1, self.hidden_size), "v": (self.n_in, self.hidden_size), "r": (1,)}

    def derived(self) -> dict[str, Any]:
        return {"nout": 1}


def check_weights(loss: object, size: int | None, path: str) -> None:
    """Refuse weights of a loss that are not as many as the outputs, which DL4J finds when it trains."""
    weights = getattr(loss, "weights", None)
    if weights is not None and size is not None and len(weights.data) != size:
        raise guard(f"{path}.loss.weights", f"must be {size} numbers, one per output", len(weights.data))


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
