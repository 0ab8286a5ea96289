"""Layers on vectors, and layers that change activations of any shape in place."""

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, ClassVar, Self

from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.inputs import InputType, InputTypeConvolutionalFlat, InputTypeRecurrent, RNNFormat
from pydl4j.conf.layers.base import (
    CONSTRAIN,
    JAVA,
    BaseLayer,
    FeedForwardLayer,
    Layer,
    MaybeCount,
    MaybeSize,
    NoParamLayer,
    ParamShapes,
    Positive,
    Size,
    SizedLayer,
)
from pydl4j.conf.layers.kinds import VECTORS, Kind, vectors
from pydl4j.conf.layers.samediff import SameDiffLayer

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = [
    "ActivationLayer",
    "DenseLayer",
    "DropoutLayer",
    "ElementWiseMultiplicationLayer",
    "IdentityLayer",
    "PReLULayer",
    "RepeatVector",
]


class DenseLayer(FeedForwardLayer, java=JAVA + "DenseLayer"):
    """Fully connected layer, ``activation(x @ W + b)``: ``[minibatch, n_in]`` to ``[minibatch, n_out]``.

    >>> DenseLayer(n_out=10, activation="relu")
    DenseLayer(activation='relu', n_out=10)
    """

    has_bias: bool = True
    has_layer_norm: bool = False
    """Normalize the activations of each example before the activation function."""

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        shapes: ParamShapes = {"W": (n_in, n_out)}
        if self.has_bias:
            shapes["b"] = (n_out,)
        if self.has_layer_norm:
            shapes["g"] = (n_out,)
        return shapes


class ActivationLayer(NoParamLayer, java=JAVA + "ActivationLayer", keys={"activation": "activationFn"}):
    """Applies an activation function to its input, of any shape, which stays."""

    inherited: ClassVar[Sequence[str]] = (*Layer.inherited, "activation")

    activation: IActivation | ActivationName | None = None


class DropoutLayer(SizedLayer, java=JAVA + "DropoutLayer"):
    """Applies its ``dropout`` to its input, of any shape, which stays; the input passes unchanged outside of training."""

    n_out: MaybeSize = None
    """Not used."""

    def check_complete(self, path: str) -> None:
        """Nothing: there are no parameters."""


class ElementWiseMultiplicationLayer(FeedForwardLayer, java=JAVA + "misc.ElementWiseMultiplicationLayer"):
    """A weight and a bias for each input: ``activation(x * W + b)``, ``[minibatch, n_in]`` to the same; ``n_out`` is ``n_in``.

    (DL4J finds other sizes when it makes the network, and its builder drops constraints that are given to this layer; here
    they are applied.)
    """

    def param_shapes(self) -> ParamShapes:
        n_in, _ = self.fan()
        return {"W": (1, n_in), "b": (n_in,)}

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        if self.n_out != self.n_in:
            raise guard(f"{path}.n_out", f"must be {self.n_in}, as n_in", self.n_out)


class IdentityLayer(SameDiffLayer, java="org.deeplearning4j.nn.layers.util.IdentityLayer"):
    """Passes its input on, of any shape."""

    weight_init: WeightInitName | None = None
    """Not used."""


class RepeatVector(SizedLayer, java=JAVA + "misc.RepeatVector"):
    """Vectors repeated as the time steps of a sequence: ``[minibatch, n_in]`` to ``[minibatch, n_in, n]``; no parameters."""

    takes: ClassVar[Kind] = VECTORS

    n: Positive = 1
    """Number of time steps."""
    data_format: RNNFormat = "ncw"
    """Order of the dimensions of the output."""
    n_out: MaybeSize = None
    """Not used."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        if isinstance(input_type, InputTypeConvolutionalFlat):
            raise refuse(path, f"({type(self).__name__}) needs vectors as input", input_type)
        size = vectors(self, input_type, path).size
        return InputType.recurrent(size, time_series_length=self.n, format=self.data_format)

    def check_complete(self, path: str) -> None:
        """Nothing: there are no parameters."""


_PER_SLOPE = 64
"""Numbers of a minibatch per slope of a PReLU, of which ND4J's ``prelu_bp`` takes no more: twice its greatest rank."""


class PReLULayer(
    BaseLayer, java=JAVA + "PReLULayer", keys={"n_in": "nin", "n_out": "nout"}, absent={"weight_init": None}
):
    """Parametric ReLU: ``x`` if positive, else ``W x``, with a learned slope for each activation (He et al. 2015).

    Shapes stay as they are. DL4J infers nothing here: ``input_shape`` must be that of one example. Refused is what DL4J
    takes and then fails with in training: another shape than the input's, and slopes that more than 64 numbers of an
    example share. For the same reason minibatches cannot have more than 64 numbers per slope: 64 examples where none are shared.

    >>> PReLULayer(input_shape=(16, 28, 28), shared_axes=(2, 3))
    PReLULayer(input_shape=(16, 28, 28), shared_axes=(2, 3))
    """

    weight_init: IWeightInit | Distribution | WeightInitName | None = "zero"
    input_shape: Sequence[Size] | None = None
    """Shape of one example, such as ``(channels, height, width)``; needed."""
    shared_axes: Sequence[Size] | None = None
    """Dimensions of the input that share a slope, counted from 1."""
    n_in: MaybeCount = None
    """Inputs of a unit, for ``weight_init``; DL4J's builder has none."""
    n_out: MaybeCount = None
    """Outputs of a unit, for ``weight_init``; DL4J's builder has none."""

    def param_shapes(self) -> ParamShapes:
        shared = {axis - 1 for axis in self.shared_axes or ()}
        return {"W": tuple(1 if i in shared else size for i, size in enumerate(self.input_shape or ()))}

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        shape = input_type.shape
        if self.input_shape and not isinstance(input_type, InputTypeRecurrent) and tuple(self.input_shape) != shape:
            raise guard(
                f"{path}.input_shape", f"must be {shape}, the shape of the layer's input", tuple(self.input_shape)
            )
        return self

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        numbers, slopes = prod(self.input_shape or ()), prod(self.param_shapes()["W"])
        if numbers > _PER_SLOPE * slopes:
            must = f"must leave a slope for each {_PER_SLOPE} of the {numbers} numbers of an example"
            raise guard(f"{path}.shared_axes", must, self.shared_axes)

    def constrained(self, network: "NetworkOptions") -> Self:
        # where there are constraints, DL4J's builder asks for the parameters already, which writes to the shape
        asks = self if self.constraints else network
        asked = any(getattr(owner, option) for owner in (self, asks) for option in CONSTRAIN)
        changes = {"input_shape": self.param_shapes()["W"]} if asked else {}
        return super().constrained(network)._with(**changes)

    def check_complete(self, path: str) -> None:
        if not self.input_shape:
            raise guard(f"{path}.input_shape", "must be given: the shape of one example", self.input_shape)
        beyond = [axis for axis in self.shared_axes or () if axis > len(self.input_shape)]
        if beyond:
            must = f"must be from 1 to {len(self.input_shape)}, the dimensions of input_shape"
            raise guard(f"{path}.shared_axes", must, beyond[0])
