"""New layers are refused where DL4J would take them, and fail with the first minibatch or train something else."""

import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.errors import GuardError
from pydl4j.layers import (
    LSTM,
    Convolution1DLayer,
    ConvolutionLayer,
    LocalResponseNormalization,
    OutputLayer,
    PReLULayer,
    RnnLossLayer,
    RnnOutputLayer,
    Subsampling1DLayer,
)
from pydl4j.preprocessors import CnnToRnnPreProcessor

NCW, NWC = (InputType.recurrent(4, time_series_length=6, format=order) for order in ("ncw", "nwc"))
NCHW, NHWC = (InputType.convolutional(height=6, width=4, channels=2, format=order) for order in ("nchw", "nhwc"))
STEPS, ROWS = RnnOutputLayer(n_out=2), OutputLayer(n_out=2)
REFUSED = {
    "convolution over NWC": (
        [Convolution1DLayer(n_out=3, kernel_size=2), STEPS],
        NWC,
        "layers[0].data_format must be 'ncw', in which DL4J can train the layer. Received: 'nwc'",
    ),
    "pooling over NWC": (
        [Subsampling1DLayer(), STEPS],
        NWC,
        "layers[0].data_format must be 'ncw', in which DL4J can train the layer. Received: 'nwc'",
    ),
    "loss over NWC": (
        [LSTM(n_out=3), RnnLossLayer(activation="softmax", data_format="nwc")],
        NWC,
        "layers[1].data_format must be 'ncw', where DL4J computes the loss; or use RnnOutputLayer. Received: 'nwc'",
    ),
    "sequences of NHWC": (
        [ConvolutionLayer(n_out=3, kernel_size=2), LSTM(n_out=3), STEPS],
        NHWC,
        "input_preprocessors[1] (CnnToRnnPreProcessor) works on images in the format 'nchw' only. Received: ",
    ),
    "slopes of another shape": (
        [PReLULayer(input_shape=(2, 4, 6)), ROWS],
        NCHW,
        "layers[0].input_shape must be (2, 6, 4), the shape of the layer's input. Received: (2, 4, 6)",
    ),
    "a slope for a large image": (
        [PReLULayer(input_shape=(2, 12, 6), shared_axes=(2, 3)), ROWS],
        NCHW.replace(height=12, width=6),
        "layers[0].shared_axes must leave a slope for each 64 of the 144 numbers of an example. Received: (2, 3)",
    ),
    "more neighbours than channels": (
        [LocalResponseNormalization(), ROWS],
        NCHW,
        "layers[0].n must be less than twice the number of channels, which is 2. Received: 5.0",
    ),
}
ACCEPTED = {
    "convolution over NCW": ([Convolution1DLayer(n_out=3, kernel_size=2), STEPS], NCW),
    "pooling over NCW": ([Subsampling1DLayer(), STEPS], NCW),
    "loss over NCW": ([LSTM(n_out=3), RnnLossLayer(activation="softmax")], NCW),
    "sequences of NCHW": ([ConvolutionLayer(n_out=3, kernel_size=2), LSTM(n_out=3), STEPS], NCHW),
    "slopes": ([PReLULayer(input_shape=(2, 6, 4)), ROWS], NCHW),
    "a slope for a small image": ([PReLULayer(input_shape=(2, 6, 4), shared_axes=(2, 3)), ROWS], NCHW),
    "as many neighbours as channels": ([LocalResponseNormalization(n=3), ROWS], NCHW),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_dl4j_cannot_train_is_refused(name):
    layers, input_type, message = REFUSED[name]
    with pytest.raises(GuardError) as caught:
        MultiLayerConfiguration(layers=layers, input_type=input_type)
    assert str(caught.value).startswith(message)
    assert caught.value.path == message.split()[0]


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_it_can_train_is_accepted(name):
    layers, input_type = ACCEPTED[name]
    MultiLayerConfiguration(layers=layers, input_type=input_type)


@pytest.mark.parametrize(
    "layer",
    [Convolution1DLayer(n_in=4, n_out=3, kernel_size=2, data_format="nwc"), Subsampling1DLayer(data_format="nwc")],
)
def test_a_format_that_is_given_is_refused_too(layer):
    with pytest.raises(GuardError, match="must be 'ncw'"):
        MultiLayerConfiguration(layers=[layer])


def test_documents_with_such_layers_are_read():
    conf = MultiLayerConfiguration(layers=[Convolution1DLayer(n_out=3, kernel_size=2), STEPS], input_type=NCW)
    text = conf.to_json().replace('"rnnDataFormat" : "NCW"', '"rnnDataFormat" : "NWC"')
    assert MultiLayerConfiguration.from_json(text).to_json() == text


def test_a_preprocessor_that_is_given_is_refused_too():
    layers = [ConvolutionLayer(n_out=3, kernel_size=1), LSTM(n_out=3), STEPS]
    given = {1: CnnToRnnPreProcessor(input_height=6, input_width=4, num_channels=3)}
    with pytest.raises(GuardError, match="format 'nchw' only"):
        MultiLayerConfiguration(layers=layers, input_type=NHWC, input_preprocessors=given)
