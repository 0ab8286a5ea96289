"""VGG-16 and VGG-19."""

from collections.abc import Sequence

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers import ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.updaters import Nesterovs
from pydl4j.conf.zoo.shapes import Shape

__all__ = ["VGG16", "VGG19"]


def VGG16(num_classes: int, *, input_shape: Shape = (3, 224, 224)) -> ComputationGraphConfiguration:
    """VGG with 16 layers (Simonyan and Zisserman 2014), as in ``org.deeplearning4j.zoo.model.VGG16``.

    Input: rows of ``c * h * w`` numbers for ``input_shape=(c, h, w)``. Output: ``[minibatch, num_classes]``.
    """
    hidden = [DenseLayer(n_out=4096, dropout=0.5)] * 2
    return _vgg([2, 2, 3, 3, 3], hidden, num_classes, input_shape)


def VGG19(num_classes: int, *, input_shape: Shape = (3, 224, 224)) -> ComputationGraphConfiguration:
    """VGG with 19 layers (Simonyan and Zisserman 2014), as in ``org.deeplearning4j.zoo.model.VGG19``.

    DL4J has one of the two hidden dense layers only. Input: rows of ``c * h * w`` numbers for ``input_shape=(c, h, w)``.
    Output: ``[minibatch, num_classes]``.
    """
    conf = _vgg([2, 2, 4, 4, 4], [DenseLayer(n_out=4096)], num_classes, input_shape)
    return conf.replace(cudnn_algo_mode="no_workspace")


def _vgg(
    convolutions: Sequence[int], hidden: Sequence[Layer], num_classes: int, shape: Shape
) -> ComputationGraphConfiguration:
    layers: list[Layer] = []
    for count, n_out in zip(convolutions, (64, 128, 256, 512, 512), strict=True):
        layers += [ConvolutionLayer(n_out=n_out, kernel_size=3, padding=1)] * count
        layers += [SubsamplingLayer(kernel_size=2)]
    layers += [*hidden, OutputLayer(n_out=num_classes, loss="negativeloglikelihood")]
    channels, height, width = shape
    return ComputationGraphConfiguration(
        seed=1234,
        updater=Nesterovs(),
        activation="relu",
        inputs={"in": InputType.convolutional_flat(height=height, width=width, channels=channels)},
        vertices={str(i): (layer, str(i - 1) if i else "in") for i, layer in enumerate(layers)},
        outputs=[str(len(layers) - 1)],
    )
