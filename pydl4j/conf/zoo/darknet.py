"""Darknet19, and the object detectors built like it: TinyYOLO, YOLO2."""

from pydl4j.conf.activations import ActivationLReLU
from pydl4j.conf.arrays import NDArray
from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.layers import (
    ActivationLayer,
    BatchNormalization,
    ConvolutionLayer,
    GlobalPoolingLayer,
    LossLayer,
    SpaceToDepthLayer,
    SubsamplingLayer,
    Yolo2OutputLayer,
)
from pydl4j.conf.nodes import Input, Node
from pydl4j.conf.updaters import Adam, Nesterovs
from pydl4j.conf.vertices import MergeVertex
from pydl4j.conf.zoo.shapes import Shape, image

__all__ = ["YOLO2", "Darknet19", "TinyYOLO"]

_DARKNET = (
    (3, 32, 2), (3, 64, 2), (3, 128, 0), (1, 64, 0), (3, 128, 2), (3, 256, 0), (1, 128, 0), (3, 256, 2), (3, 512, 0),
    (1, 256, 0), (3, 512, 0), (1, 256, 0), (3, 512, 2), (3, 1024, 0), (1, 512, 0), (3, 1024, 0), (1, 512, 0), (3, 1024, 0),
)  # fmt: skip
"""Kernel, channels and pooling of each block."""


def Darknet19(num_classes: int, *, input_shape: Shape = (3, 224, 224)) -> ComputationGraphConfiguration:
    """The classifier under YOLO9000 (Redmon and Farhadi 2016), as in ``org.deeplearning4j.zoo.model.Darknet19``.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, num_classes]``.
    """
    x = start = Input(image(input_shape), name="input")
    for number, (kernel, n_out, pool) in enumerate(_DARKNET, 1):
        x = _block(x, number, kernel, n_out, pool)
    x = _one_by_one(num_classes)(x, name="convolution2d_19")
    x = GlobalPoolingLayer(pooling_type="avg")(x, name="globalpooling")
    x = ActivationLayer(activation="softmax")(x, name="softmax")
    x = LossLayer(loss="negativeloglikelihood")(x, name="loss")
    return ComputationGraphConfiguration(
        seed=1234,
        updater=Nesterovs(learning_rate=1e-3),
        weight_init="relu",
        l2=1e-5,
        activation="identity",
        inputs=[start],
        outputs=[x],
    )


def TinyYOLO(num_classes: int, *, input_shape: Shape = (3, 416, 416)) -> ComputationGraphConfiguration:
    """Tiny YOLO v2 (Redmon and Farhadi 2016), as in ``org.deeplearning4j.zoo.model.TinyYOLO``.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, 5 * (5 + num_classes), h / 32, w / 32]``, five boxes per cell.
    """
    x = start = Input(image(input_shape), name="input")
    for number, n_out in enumerate((16, 32, 64, 128, 256, 512, 1024, 1024), 1):
        x = _block(x, number, 3, n_out, 2 if number < 7 else 0, pool_stride=1 if number == 6 else 2)
    priors = [[1.08, 1.19], [3.42, 4.41], [6.63, 11.38], [9.42, 5.11], [16.62, 10.52]]
    return _detector(start, _one_by_one(5 * (5 + num_classes))(x, name="convolution2d_9"), priors)


def YOLO2(num_classes: int, *, input_shape: Shape = (3, 608, 608)) -> ComputationGraphConfiguration:
    """YOLO v2 (Redmon and Farhadi 2016), as in ``org.deeplearning4j.zoo.model.YOLO2``.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, 5 * (5 + num_classes), h / 32, w / 32]``, five boxes per cell.
    """
    x = start = Input(image(input_shape), name="input")
    fine = x
    for number, (kernel, n_out, pool) in enumerate((*_DARKNET, (3, 1024, 0), (3, 1024, 0)), 1):
        x = _block(x, number, kernel, n_out, pool)
        fine = x.inputs[0] if number == 13 else fine  # before its pooling
    route = SpaceToDepthLayer(block_size=2)(_block(fine, 21, 1, 64), name="rearrange_21")
    x = _block(MergeVertex()(route, x, name="concatenate_21"), 22, 3, 1024)
    priors = [[0.57273, 0.677385], [1.87446, 2.06253], [3.33843, 5.47434], [7.88282, 3.52778], [9.77052, 9.16828]]
    return _detector(start, _one_by_one(5 * (5 + num_classes))(x, name="convolution2d_23"), priors)


def _block(x: Node, number: int, kernel: int, n_out: int, pool: int = 0, *, pool_stride: int = 2) -> Node:
    """Convolution, batch normalization, leaky ReLU, and perhaps pooling."""
    convolution = ConvolutionLayer(
        n_out=n_out, kernel_size=kernel, convolution_mode="same", has_bias=False, weight_init="xavier"
    )
    x = convolution(x, name=f"convolution2d_{number}")
    x = BatchNormalization(weight_init="xavier")(x, name=f"batchnormalization_{number}")
    x = ActivationLayer(activation=ActivationLReLU(alpha=0.1))(x, name=f"activation_{number}")
    if not pool:
        return x
    pooling = SubsamplingLayer(kernel_size=pool, stride=pool_stride, convolution_mode="same")
    return pooling(x, name=f"maxpooling2d_{number}")


def _one_by_one(n_out: int) -> ConvolutionLayer:
    return ConvolutionLayer(n_out=n_out, kernel_size=1, convolution_mode="same", weight_init="relu")


def _detector(start: Node, x: Node, priors: list[list[float]]) -> ComputationGraphConfiguration:
    output = Yolo2OutputLayer(bounding_boxes=NDArray.of(priors, "double"))
    return ComputationGraphConfiguration(
        seed=1234,
        gradient_normalization="renormalize_l2_per_layer",
        updater=Adam(),
        l2=1e-5,
        activation="identity",
        inputs=[start],
        outputs=[output(x, name="outputs")],
    )
