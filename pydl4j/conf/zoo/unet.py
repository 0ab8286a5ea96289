"""U-Net."""

from pydl4j.conf.activations import ActivationName
from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.layers import CnnLossLayer, ConvolutionLayer, DropoutLayer, SubsamplingLayer, Upsampling2D
from pydl4j.conf.nodes import Input, Node
from pydl4j.conf.vertices import MergeVertex
from pydl4j.conf.zoo.shapes import Shape, image

__all__ = ["UNet"]


def UNet(*, input_shape: Shape = (3, 512, 512)) -> ComputationGraphConfiguration:
    """U-Net for segmentation into two classes (Ronneberger et al. 2015), as in ``org.deeplearning4j.zoo.model.UNet``.

    Input: ``[minibatch, c, h, w]``, height and width multiples of 16. Output: ``[minibatch, 1, h, w]``.
    """
    x = start = Input(image(input_shape), name="input")
    skipped: list[Node] = []
    for level, n_out in enumerate((64, 128, 256, 512, 1024), 1):
        x = _two(x, level, n_out)
        x = DropoutLayer(dropout=0.5)(x, name=f"drop{level}") if level > 3 else x
        if level < 5:
            skipped.append(x)
            x = SubsamplingLayer(kernel_size=2)(x, name=f"pool{level}")
    for level, n_out in enumerate((512, 256, 128, 64), 6):
        x = Upsampling2D(size=2)(x, name=f"up{level}-1")
        x = _convolution(n_out, 2)(x, name=f"up{level}-2")
        x = _two(MergeVertex()(skipped.pop(), x, name=f"merge{level}"), level, n_out)
    x = _convolution(2, 3)(x, name="conv9-3")
    x = _convolution(1, 1, "identity")(x, name="conv10")
    x = CnnLossLayer(loss="xent", activation="sigmoid")(x, name="output")
    return ComputationGraphConfiguration(
        seed=1234, updater="adadelta", weight_init="relu", l2=5e-5, inputs=[start], outputs=[x]
    )


def _two(x: Node, level: int, n_out: int) -> Node:
    x = _convolution(n_out, 3)(x, name=f"conv{level}-1")
    return _convolution(n_out, 3)(x, name=f"conv{level}-2")


def _convolution(n_out: int, kernel: int, activation: ActivationName = "relu") -> ConvolutionLayer:
    return ConvolutionLayer(n_out=n_out, kernel_size=kernel, convolution_mode="same", activation=activation)
