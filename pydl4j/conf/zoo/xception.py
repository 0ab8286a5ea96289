"""Xception."""

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.layers import (
    ActivationLayer,
    BatchNormalization,
    ConvolutionLayer,
    GlobalPoolingLayer,
    OutputLayer,
    SeparableConvolution2D,
    SubsamplingLayer,
)
from pydl4j.conf.nodes import Input, Node
from pydl4j.conf.vertices import ElementWiseVertex
from pydl4j.conf.zoo.shapes import Shape, image

__all__ = ["Xception"]

_RELU = ActivationLayer(activation="relu")


def Xception(num_classes: int, *, input_shape: Shape = (3, 299, 299)) -> ComputationGraphConfiguration:
    """Xception (Chollet 2016), as in ``org.deeplearning4j.zoo.model.Xception``.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, num_classes]``.
    """
    x = start = Input(image(input_shape), name="input")
    for number, (n_out, stride) in enumerate(((32, 2), (64, 1)), 1):
        name = f"block1_conv{number}"
        x = ConvolutionLayer(n_out=n_out, kernel_size=3, stride=stride, has_bias=False)(x, name=name)
        x = _RELU(BatchNormalization()(x, name=f"{name}_bn"), name=f"{name}_act")
    for block, n_out in ((2, 128), (3, 256), (4, 728)):
        x = _reduced(x, block, block - 1, n_out, n_out)
    for block in range(5, 13):
        x = _tower(x, block)
    x = _reduced(x, 13, 12, 728, 1024)
    for number, n_out in ((1, 1536), (2, 2048)):
        x = _separable(x, f"block14_sepconv{number}", n_out)
        x = _RELU(x, name=f"block14_sepconv{number}_act")
    x = GlobalPoolingLayer(pooling_type="avg")(x, name="avg_pool")
    x = OutputLayer(n_out=num_classes)(x, name="predictions")
    return ComputationGraphConfiguration(
        seed=1234, updater="adadelta", weight_init="relu", l2=4e-5, inputs=[start], outputs=[x]
    )


def _separable(x: Node, name: str, n_out: int) -> Node:
    """A separable convolution and its batch normalization."""
    layer = SeparableConvolution2D(n_out=n_out, kernel_size=3, has_bias=False, convolution_mode="same")
    return BatchNormalization()(layer(x, name=name), name=f"{name}_bn")


def _reduced(given: Node, block: int, residual: int, first: int, second: int) -> Node:
    """Two separable convolutions and a pooling, beside a convolution that halves the image, too."""
    halved = ConvolutionLayer(n_out=second, kernel_size=1, stride=2, has_bias=False, convolution_mode="same")
    shortcut = BatchNormalization()(halved(given, name=f"residual{residual}_conv"), name=f"residual{residual}")
    name = f"block{block}_sepconv"
    x = given if block == 2 else _RELU(given, name=f"{name}1_act")
    x = _separable(x, f"{name}1", first)
    x = _RELU(x, name=f"{name}1_act" if block == 2 else f"{name}2_act")
    x = _separable(x, f"{name}2", second)
    x = SubsamplingLayer(kernel_size=3, convolution_mode="same")(x, name=f"block{block}_pool")
    return ElementWiseVertex(op="add")(x, shortcut, name=f"add{residual}")


def _tower(given: Node, block: int) -> Node:
    """Three separable convolutions beside their input."""
    x = given
    for number in (1, 2, 3):
        name = f"block{block}_sepconv{number}"
        x = _separable(_RELU(x, name=f"{name}_act"), name, 728)
    return ElementWiseVertex(op="add")(x, given, name=f"add{block - 1}")
