"""Inception-ResNet."""

from typing import Any

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.initializers import TruncatedNormalDistribution
from pydl4j.conf.layers import (
    ActivationLayer,
    BatchNormalization,
    CenterLossOutputLayer,
    ConvolutionLayer,
    DenseLayer,
    SubsamplingLayer,
)
from pydl4j.conf.nodes import Input, Node
from pydl4j.conf.updaters import RmsProp
from pydl4j.conf.vertices import ElementWiseVertex, L2NormalizeVertex, MergeVertex, ScaleVertex
from pydl4j.conf.zoo.shapes import Shape, image

__all__ = ["InceptionResNetV1"]

_TANH = ActivationLayer(activation="tanh")
_POOL = SubsamplingLayer(kernel_size=3)


def InceptionResNetV1(num_classes: int, *, input_shape: Shape = (3, 160, 160)) -> ComputationGraphConfiguration:
    """Inception-ResNet v1 (Szegedy et al. 2016) for faces, as in ``org.deeplearning4j.zoo.model.InceptionResNetV1``.

    Input: ``[minibatch, c, h, w]``. The vertex ``embeddings`` gives ``[minibatch, 128]`` of norm 1, the output
    ``[minibatch, num_classes]``.
    """
    x = start = Input(image(input_shape), name="input1")
    x = _stem(x)
    for i in range(1, 6):
        x = _residual_a(x, i)
    x = _reduction_a(x)
    x = _TANH(x, name="resnetB-activation1-0")
    for i in range(1, 11):
        x = _residual_b(x, i)
    x = _reduction_b(x)
    for i in range(1, 6):
        x = _residual_c(x, i)
    x = SubsamplingLayer(pooling_type="avg")(x, name="avgpool")
    x = DenseLayer(n_out=128)(x, name="bottleneck")
    x = L2NormalizeVertex(dimension=[1], eps=1e-10)(x, name="embeddings")
    loss = CenterLossOutputLayer(n_out=num_classes, loss="negativeloglikelihood", alpha=0.9, lambda_=1e-4)
    return ComputationGraphConfiguration(
        seed=1234,
        activation="relu",
        updater=RmsProp(learning_rate=0.1, rms_decay=0.96, epsilon=0.001),
        weight_init=TruncatedNormalDistribution(mean=0, std=0.5),
        l2=5e-5,
        inputs=[start],
        outputs=[loss(x, name="outputLayer")],
    )


Kernel = int | tuple[int, int]


def _normalized(x: Node, part: str, number: int, n_out: int, kernel: Kernel, **options: Any) -> Node:
    """Convolution ``number`` of a part, and the batch normalization with its number or the one given."""
    batch = options.pop("batch", number)
    suffix = options.pop("suffix", "")
    activation = options.pop("activation", None)
    layer = ConvolutionLayer(n_out=n_out, kernel_size=kernel, **options)
    norm = BatchNormalization(decay=0.995, eps=0.001, activation=activation)
    return norm(layer(x, name=f"{part}-cnn{number}{suffix}"), name=f"{part}-batch{batch}{suffix}")


def _stem(x: Node) -> Node:
    x = _normalized(x, "stem", 1, 32, 3, stride=2)
    x = _normalized(x, "stem", 2, 32, 3)
    x = _POOL(_normalized(x, "stem", 3, 64, 3, convolution_mode="same"), name="stem-pool4")
    x = _normalized(x, "stem", 5, 80, 1)
    x = _normalized(x, "stem", 6, 128, 3)
    return _normalized(x, "stem", 7, 192, 3, stride=2)


def _chain(x: Node, part: str, i: int, first: int, *steps: tuple[int, Kernel], **last: Any) -> Node:
    """Convolutions of a residual block, one after the other, numbered from ``first``."""
    for number, (n_out, kernel) in enumerate(steps, first):
        more = last if number == first + len(steps) - 1 else {}
        same = {"convolution_mode": "same", "cudnn_algo_mode": "no_workspace", "suffix": f"-{i}"}
        x = _normalized(x, part, number, n_out, kernel, **same, **more)
    return x


def _joined(given: Node, x: Node, part: str, i: int, *, blocks: int, scale: float) -> Node:
    """The scaled block added to its input; the last of its kind has the kind's name."""
    scaled = ScaleVertex(scale_factor=scale)(x, name=f"{part}-scaling-{i}")
    shortcut = ActivationLayer(activation="identity")(given, name=f"{part}-shortcut-identity-{i}")
    joined = ElementWiseVertex(op="add")(scaled, shortcut, name=f"{part}-shortcut-{i}")
    return _TANH(joined, name=part if i == blocks else f"{part}-activation-{i}")


def _residual_a(given: Node, i: int) -> Node:
    one = _chain(given, "resnetA", i, 1, (32, 1))
    three = _chain(given, "resnetA", i, 2, (32, 1), (32, 3))
    five = _chain(given, "resnetA", i, 4, (32, 1), (32, 3), (32, 3))
    x = MergeVertex()(one, three, five, name=f"resnetA-merge1-{i}")
    return _joined(given, _chain(x, "resnetA", i, 7, (192, 3)), "resnetA", i, blocks=5, scale=0.17)


def _residual_b(given: Node, i: int) -> Node:
    one = _chain(given, "resnetB", i, 1, (128, 1))
    seven = _chain(given, "resnetB", i, 2, (128, 1), (128, (1, 3)), (128, (3, 1)))
    x = MergeVertex()(one, seven, name=f"resnetB-merge1-{i}")
    return _joined(given, _chain(x, "resnetB", i, 5, (576, 1)), "resnetB", i, blocks=10, scale=0.10)


def _residual_c(given: Node, i: int) -> Node:
    one = _chain(given, "resnetC", i, 1, (192, 1))
    three = _chain(given, "resnetC", i, 2, (192, 1), (192, (1, 3)), (192, (3, 1)), activation="tanh")
    x = MergeVertex()(one, three, name=f"resnetC-merge1-{i}")
    return _joined(given, _chain(x, "resnetC", i, 5, (1344, 1), activation="tanh"), "resnetC", i, blocks=5, scale=0.20)


def _reduction_a(given: Node) -> Node:
    one = _normalized(given, "reduceA", 1, 192, 3, stride=2)
    x = _normalized(given, "reduceA", 2, 128, 1, convolution_mode="same")
    x = _normalized(x, "reduceA", 3, 128, 3, convolution_mode="same")
    x = _normalized(x, "reduceA", 4, 192, 3, stride=2)
    return MergeVertex()(one, x, _POOL(given, name="reduceA-pool5"), name="reduceA")


def _reduction_b(given: Node) -> Node:
    pool = _POOL(given, name="reduceB-pool1")
    a = _normalized(given, "reduceB", 2, 256, 1, batch=1, convolution_mode="same")
    a = _normalized(a, "reduceB", 3, 256, 3, batch=2, stride=2)
    b = _normalized(given, "reduceB", 4, 256, 1, batch=3, convolution_mode="same")
    b = _normalized(b, "reduceB", 5, 256, 3, batch=4, stride=2)
    c = _normalized(given, "reduceB", 6, 256, 1, batch=5, convolution_mode="same")
    c = _normalized(c, "reduceB", 7, 256, 3, batch=6, convolution_mode="same")
    c = _normalized(c, "reduceB", 8, 256, 3, batch=7, stride=2)
    return MergeVertex()(pool, a, b, c, name="reduceB")
