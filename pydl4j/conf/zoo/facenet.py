"""FaceNet in its small variant."""

from collections.abc import Sequence

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.layers import (
    ActivationLayer,
    BatchNormalization,
    CenterLossOutputLayer,
    ConvolutionLayer,
    DenseLayer,
    LocalResponseNormalization,
    SubsamplingLayer,
)
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.nodes import Input, Node
from pydl4j.conf.updaters import Adam
from pydl4j.conf.vertices import L2NormalizeVertex, MergeVertex
from pydl4j.conf.zoo.shapes import Shape, image

__all__ = ["FaceNetNN4Small2"]

_RELU = ActivationLayer(activation="relu")
_MAX = SubsamplingLayer(kernel_size=3, padding=1)
_PNORM = SubsamplingLayer(pooling_type="pnorm", kernel_size=3, stride=1, pnorm=2)


def FaceNetNN4Small2(
    num_classes: int, *, input_shape: Shape = (3, 96, 96), embedding_size: int = 128
) -> ComputationGraphConfiguration:
    """OpenFace's nn4.small2 (Amos et al. 2016, after Schroff et al. 2015), as in ``org.deeplearning4j.zoo.model.FaceNetNN4Small2``.

    Input: ``[minibatch, c, h, w]``. The vertex ``embeddings`` gives ``[minibatch, embedding_size]`` of norm 1, the output
    ``[minibatch, num_classes]``.
    """
    x = start = Input(image(input_shape), name="input1")
    x = _normalized(x, _convolution(64, 7, 2, 3), "stem-cnn1", "stem-batch1", "stem-activation1")
    x = LocalResponseNormalization(k=1)(_MAX(x, name="stem-pool1"), name="stem-lrn1")
    two = "inception-2-"
    x = _normalized(x, _convolution(64, 1), f"{two}cnn1", f"{two}batch1", f"{two}activation1")
    x = _normalized(x, _convolution(192, 3, 1, 1), f"{two}cnn2", f"{two}batch2", f"{two}activation2")
    x = _MAX(LocalResponseNormalization(k=1)(x, name=f"{two}lrn1"), name=f"{two}pool1")
    x = _inception(x, "3a", (128, 32), (96, 16, 32, 64), _MAX.replace(stride=1))
    x = _inception(x, "3b", (128, 64), (96, 32, 64, 64), _PNORM)
    x = _reduction(x, "3c", (128, 256), (32, 64))
    x = _inception(x, "4a", (192, 64), (96, 32, 128, 256), _PNORM)
    x = _reduction(x, "4e", (160, 256), (64, 128))
    x = _last(x, "5a", _PNORM)
    x = _last(x, "5b", _MAX.replace(stride=1))
    x = SubsamplingLayer(pooling_type="avg", kernel_size=3, stride=3)(x, name="avgpool")
    x = DenseLayer(n_out=embedding_size, activation="identity")(x, name="bottleneck")
    x = L2NormalizeVertex(dimension=[], eps=1e-6)(x, name="embeddings")
    loss = CenterLossOutputLayer(
        n_out=num_classes,
        loss="squared_loss",
        lambda_=1e-4,
        alpha=0.9,
        gradient_normalization="renormalize_l2_per_layer",
    )
    return ComputationGraphConfiguration(
        seed=1234,
        activation="identity",
        updater=Adam(learning_rate=0.1, epsilon=0.01),
        weight_init="relu",
        l2=5e-5,
        convolution_mode="same",
        inputs=[start],
        outputs=[loss(x, name="lossLayer")],
    )


def _convolution(n_out: int, kernel: int, stride: int = 1, padding: int = 0) -> ConvolutionLayer:
    return ConvolutionLayer(
        n_out=n_out, kernel_size=kernel, stride=stride, padding=padding, cudnn_algo_mode="no_workspace"
    )


def _normalized(x: Node, layer: Layer, name: str, batch: str, transfer: str) -> Node:
    """A convolution, its batch normalization, its activation."""
    return _RELU(BatchNormalization()(layer(x, name=name), name=batch), name=transfer)


def _inception(x: Node, module: str, outputs: Sequence[int], reduced: Sequence[int], pooling: Layer) -> Node:
    """Convolutions of 3 and 5, a pooling and a narrow convolution side by side."""
    name = f"inception-{module}"
    branches = []
    for i, kernel in enumerate((3, 5)):
        narrow = _convolution(reduced[i], 1).replace(bias_init=0.2)
        wide = _convolution(outputs[i], kernel).replace(bias_init=0.2)
        y = _normalized(x, narrow, f"{name}-cnn1-{i}", f"{name}-batch1-{i}", f"{name}-transfer1-{i}")
        branches.append(_normalized(y, wide, f"{name}-reduce1-{i}", f"{name}-batch2-{i}", f"{name}-transfer2-{i}"))
    narrow = _convolution(reduced[2], 1).replace(bias_init=0.2)
    y = pooling(x, name=f"{name}-pool1")
    branches.append(_normalized(y, narrow, f"{name}-cnn2", f"{name}-batch3", f"{name}-transfer3"))
    narrow = _convolution(reduced[3], 1).replace(bias_init=0.2)
    branches.append(_normalized(x, narrow, f"{name}-reduce2", f"{name}-batch4", f"{name}-transfer4"))
    return MergeVertex()(*branches, name=name)


def _reduction(x: Node, name: str, first: tuple[int, int], second: tuple[int, int]) -> Node:
    """Two pairs of convolutions and a pooling side by side, each halving the image."""
    a = _normalized(x, _convolution(first[0], 1), f"{name}-1x1", f"{name}-1x1-norm", f"{name}-transfer1")
    a = _normalized(a, _convolution(first[1], 3, 2), f"{name}-3x3", f"{name}-3x3-norm", f"{name}-transfer2")
    b = _normalized(x, _convolution(second[0], 1), f"{name}-2-1x1", f"{name}-2-1x1-norm", f"{name}-2-transfer3")
    b = _normalized(b, _convolution(second[1], 3, 2), f"{name}-2-5x5", f"{name}-2-5x5-norm", f"{name}-2-transfer4")
    return MergeVertex()(a, b, _MAX(x, name=f"{name}-pool"), name=f"inception-{name}")


def _last(x: Node, name: str, pooling: Layer) -> Node:
    """A narrow convolution, a pair of convolutions and a pooling side by side."""
    transfer = f"{name}-transfer3" if name == "5a" else f"{name}-2-transfer3"
    a = _normalized(x, _convolution(256, 1), f"{name}-1x1", f"{name}-1x1-norm", f"{name}-transfer1")
    b = _normalized(x, _convolution(96, 1), f"{name}-2-1x1", f"{name}-2-1x1-norm", f"{name}-2-transfer2")
    b = _normalized(b, _convolution(384, 3), f"{name}-2-3x3", f"{name}-2-3x3-norm", transfer)
    c = pooling(x, name=f"{name}-3-pool")
    reduce = f"{name}-3-1x1reduce"
    c = _normalized(c, _convolution(96, 1), reduce, f"{reduce}-norm", f"{name}-3-transfer4")
    return MergeVertex()(a, b, c, name=f"inception-{name}")
