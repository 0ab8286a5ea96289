"""ResNet-50."""

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.initializers import TruncatedNormalDistribution
from pydl4j.conf.layers import (
    ActivationLayer,
    BatchNormalization,
    ConvolutionLayer,
    OutputLayer,
    SubsamplingLayer,
    ZeroPaddingLayer,
)
from pydl4j.conf.nodes import Input, Node
from pydl4j.conf.updaters import RmsProp
from pydl4j.conf.vertices import ElementWiseVertex
from pydl4j.conf.zoo.shapes import Shape, image

__all__ = ["ResNet50"]

_RELU = ActivationLayer(activation="relu")


def ResNet50(num_classes: int, *, input_shape: Shape = (3, 224, 224)) -> ComputationGraphConfiguration:
    """ResNet with 50 layers (He et al. 2015), as in ``org.deeplearning4j.zoo.model.ResNet50``.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, num_classes]``.
    """
    x = start = Input(image(input_shape), name="input")
    x = ZeroPaddingLayer(padding=3)(x, name="stem-zero")
    x = ConvolutionLayer(n_out=64, kernel_size=7, stride=2)(x, name="stem-cnn1")
    x = _RELU(BatchNormalization()(x, name="stem-batch1"), name="stem-act1")
    x = SubsamplingLayer(kernel_size=3)(x, name="stem-maxpool1")
    for stage, n_out, blocks in (("2", 64, "abc"), ("3", 128, "abcd"), ("4", 256, "abcdef"), ("5", 512, "abc")):
        for block in blocks:
            x = _block(x, f"{stage}{block}_branch", n_out, first=block == "a")
    x = SubsamplingLayer(kernel_size=3)(x, name="avgpool")  # a maximum, in DL4J
    x = OutputLayer(n_out=num_classes, loss="negativeloglikelihood")(x, name="output")
    return ComputationGraphConfiguration(
        seed=1234,
        activation="identity",
        updater=RmsProp(learning_rate=0.1, rms_decay=0.96, epsilon=0.001),
        weight_init=TruncatedNormalDistribution(mean=0, std=0.5),
        l1=1e-7,
        l2=5e-5,
        inputs=[start],
        outputs=[x],
    )


def _block(given: Node, name: str, n_out: int, *, first: bool) -> Node:
    """Three convolutions beside a shortcut, which in the first block of a stage is a convolution, too."""
    stride = 2 if first else 1
    x = ConvolutionLayer(n_out=n_out, kernel_size=1, stride=stride)(given, name=f"res{name}2a")
    x = _RELU(BatchNormalization()(x, name=f"bn{name}2a"), name=f"act{name}2a")
    x = ConvolutionLayer(n_out=n_out, kernel_size=3, convolution_mode="same")(x, name=f"res{name}2b")
    x = _RELU(BatchNormalization()(x, name=f"bn{name}2b"), name=f"act{name}2b")
    x = ConvolutionLayer(n_out=4 * n_out, kernel_size=1)(x, name=f"res{name}2c")
    x = BatchNormalization()(x, name=f"bn{name}2c")
    if first:
        given = ConvolutionLayer(n_out=4 * n_out, kernel_size=1, stride=2)(given, name=f"res{name}1")
        given = BatchNormalization()(given, name=f"bn{name}1")
    return _RELU(ElementWiseVertex(op="add")(x, given, name=f"short{name}"), name=f"res{name}")
