"""Small and early networks: LeNet, SimpleCNN, AlexNet, TextGenerationLSTM."""

from typing import TYPE_CHECKING

from pydl4j.conf.initializers import NormalDistribution
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers import (
    ActivationLayer,
    BatchNormalization,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    GlobalPoolingLayer,
    GravesLSTM,
    LocalResponseNormalization,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
)
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.conf.updaters import Nesterovs, RmsProp
from pydl4j.conf.zoo.shapes import Shape, image

if TYPE_CHECKING:
    from pydl4j.conf.layers.base import Layer

__all__ = ["AlexNet", "LeNet", "SimpleCNN", "TextGenerationLSTM"]


def LeNet(num_classes: int, *, input_shape: Shape = (1, 28, 28)) -> MultiLayerConfiguration:
    """LeNet (LeCun et al. 1998) with ReLU, as in ``org.deeplearning4j.zoo.model.LeNet``.

    Input: rows of ``c * h * w`` numbers for ``input_shape=(c, h, w)``. Output: ``[minibatch, num_classes]``.

    >>> LeNet(10).resolve().n_params
    1256080
    """
    channels, height, width = input_shape
    return MultiLayerConfiguration(
        seed=1234,
        activation="identity",
        updater="adadelta",
        convolution_mode="same",
        input_type=InputType.convolutional_flat(height=height, width=width, channels=channels),
        layers=[
            ConvolutionLayer(name="cnn1", n_out=20, activation="relu"),
            SubsamplingLayer(name="maxpool1", kernel_size=2),
            ConvolutionLayer(name="cnn2", n_out=50, activation="relu"),
            SubsamplingLayer(name="maxpool2", kernel_size=2),
            DenseLayer(name="ffn1", n_out=500, activation="relu"),
            OutputLayer(name="output", n_out=num_classes),
        ],
    )


def SimpleCNN(num_classes: int, *, input_shape: Shape = (3, 48, 48)) -> MultiLayerConfiguration:
    """A plain convolutional network with batch normalization, for small images; it ends in a softmax without a loss.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, num_classes]``. Source: ``org.deeplearning4j.zoo.model.SimpleCNN``.
    """
    layers: list[Layer] = []
    for kernel, n_out in ((7, 16), (5, 32), (3, 64), (3, 128)):
        name = None if layers else "image_array"
        layers += [ConvolutionLayer(name=name, n_out=n_out, kernel_size=kernel), BatchNormalization()]
        layers += [ConvolutionLayer(n_out=n_out, kernel_size=kernel), BatchNormalization()]
        layers += [ActivationLayer(activation="relu"), SubsamplingLayer(pooling_type="avg", kernel_size=2)]
        layers += [DropoutLayer(dropout=0.5)]
    layers += [ConvolutionLayer(n_out=256, kernel_size=3), BatchNormalization()]
    layers += [ConvolutionLayer(n_out=num_classes, kernel_size=3), GlobalPoolingLayer(pooling_type="avg")]
    return MultiLayerConfiguration(
        seed=1234,
        activation="identity",
        weight_init="relu",
        updater="adadelta",
        convolution_mode="same",
        input_type=image(input_shape),
        layers=[*layers, ActivationLayer(activation="softmax")],
    )


def AlexNet(num_classes: int, *, input_shape: Shape = (3, 224, 224)) -> MultiLayerConfiguration:
    """AlexNet (Krizhevsky et al. 2012) on one device, as in ``org.deeplearning4j.zoo.model.AlexNet``.

    Input: ``[minibatch, c, h, w]``. Output: ``[minibatch, num_classes]``.
    """
    small = NormalDistribution(mean=0, std=0.005)
    return MultiLayerConfiguration(
        seed=1234,
        activation="relu",
        weight_init=NormalDistribution(mean=0, std=0.01),
        updater=Nesterovs(learning_rate=1e-2, momentum=0.9),
        bias_updater=Nesterovs(learning_rate=2e-2, momentum=0.9),
        convolution_mode="same",
        gradient_normalization="renormalize_l2_per_layer",
        l2=5e-4,
        mini_batch=False,
        input_type=image(input_shape),
        layers=[
            ConvolutionLayer(name="cnn1", n_out=96, kernel_size=11, stride=4, convolution_mode="truncate"),
            LocalResponseNormalization(),
            SubsamplingLayer(name="maxpool1", kernel_size=3, padding=1),
            ConvolutionLayer(name="cnn2", n_out=256, padding=2, convolution_mode="truncate", bias_init=1),
            SubsamplingLayer(name="maxpool2", kernel_size=3, convolution_mode="truncate"),
            LocalResponseNormalization(),
            ConvolutionLayer(name="cnn3", n_out=384, kernel_size=3),
            ConvolutionLayer(name="cnn4", n_out=384, kernel_size=3, bias_init=1),
            ConvolutionLayer(name="cnn5", n_out=256, kernel_size=3, bias_init=1),
            SubsamplingLayer(name="maxpool3", kernel_size=3, convolution_mode="truncate"),
            DenseLayer(name="ffn1", n_out=4096, weight_init=small, bias_init=1),
            DenseLayer(name="ffn2", n_out=4096, weight_init=small, bias_init=1, dropout=0.5),
            OutputLayer(
                name="output", n_out=num_classes, loss="negativeloglikelihood", weight_init=small, bias_init=0.1
            ),
        ],
    )


def TextGenerationLSTM(total_unique_characters: int = 47) -> MultiLayerConfiguration:
    """Two recurrent layers that predict the next character, as in ``org.deeplearning4j.zoo.model.TextGenerationLSTM``.

    Input and output: ``[minibatch, total_unique_characters, time]``. (DL4J's builder fails unless its input shape is set.)
    """
    return MultiLayerConfiguration(
        seed=12345,
        l2=0.001,
        updater=RmsProp(learning_rate=0.01),
        backprop_type="truncated_bptt",
        tbptt_length=50,
        layers=[
            GravesLSTM(n_in=total_unique_characters, n_out=256, activation="tanh"),
            GravesLSTM(n_out=256, activation="tanh"),
            RnnOutputLayer(n_out=total_unique_characters),
        ],
    )
