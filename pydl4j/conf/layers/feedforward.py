"""Layers on vectors, and layers that change activations of any shape in place."""

from collections.abc import Sequence
from typing import ClassVar

from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.layers.base import JAVA, FeedForwardLayer, Layer, MaybeSize, NoParamLayer, ParamShapes, SizedLayer

__all__ = ["ActivationLayer", "DenseLayer", "DropoutLayer"]


class DenseLayer(FeedForwardLayer, java=JAVA + "DenseLayer"):
    """Fully connected layer: ``activation(x @ W + b)``.

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
    """Applies an activation function."""

    inherited: ClassVar[Sequence[str]] = (*Layer.inherited, "activation")

    activation: IActivation | ActivationName | None = None


class DropoutLayer(SizedLayer, java=JAVA + "DropoutLayer"):
    """Applies its ``dropout`` to its input."""

    n_out: MaybeSize = None
    """Not used."""

    def check_complete(self, path: str) -> None:
        """Nothing: there are no parameters."""
