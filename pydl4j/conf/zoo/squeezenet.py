"""SqueezeNet."""

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.layers import (
    ActivationLayer,
    ConvolutionLayer,
    DropoutLayer,
    GlobalPoolingLayer,
    LossLayer,
    SubsamplingLayer,
)
from pydl4j.conf.nodes import Input, Node
from pydl4j.conf.vertices import MergeVertex
from pydl4j.conf.zoo.shapes import Shape, image

__all__ = ["SqueezeNet"]

_RELU = ActivationLayer(activation="relu")


def SqueezeNet(num_classes: int, *, input_shape: Shape = (3, 227, 227)) -> ComputationGraphConfiguration:
    """SqueezeNet 1.1 (Iandola et al. 2016), as in ``org.deeplearning4j.zoo.model.SqueezeNet``.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, num_classes]``.
    """
    pool = SubsamplingLayer(kernel_size=3)
    x = start = Input(image(input_shape), name="input")
    x = _RELU(ConvolutionLayer(n_out=64, kernel_size=3, stride=2)(x, name="conv1"), name="conv1_act")
    x = pool(x, name="pool1")
    for number, (squeeze, expand) in enumerate(((16, 64), (32, 128), (48, 192), (64, 256)), 1):
        x = _fire(_fire(x, 2 * number, squeeze, expand), 2 * number + 1, squeeze, expand)
        x = pool(x, name=f"pool{2 * number + 1}") if number < 3 else x
    x = DropoutLayer(dropout=0.5)(x, name="drop9")
    x = _RELU(ConvolutionLayer(n_out=num_classes, kernel_size=1)(x, name="conv10"), name="conv10_act")
    x = GlobalPoolingLayer(pooling_type="avg")(x, name="avg_pool")
    x = LossLayer()(ActivationLayer(activation="softmax")(x, name="softmax"), name="loss")
    return ComputationGraphConfiguration(
        seed=1234, updater="adadelta", weight_init="relu", l2=5e-5, inputs=[start], outputs=[x]
    )


def _fire(x: Node, number: int, squeeze: int, expand: int) -> Node:
    """A narrow convolution, then two wide ones side by side."""
    name = f"fire{number}"
    x = _RELU(ConvolutionLayer(n_out=squeeze, kernel_size=1)(x, name=f"{name}_sq1x1"), name=f"{name}_relu_sq1x1")
    one = ConvolutionLayer(n_out=expand, kernel_size=1)(x, name=f"{name}_exp1x1")
    one = _RELU(one, name=f"{name}_relu_exp1x1")
    three = ConvolutionLayer(n_out=expand, kernel_size=3, convolution_mode="same")(x, name=f"{name}_exp3x3")
    three = _RELU(three, name=f"{name}_relu_exp3x3")
    return MergeVertex()(one, three, name=name)
