"""Wrong values are refused where they are given, with the place, what was expected and what came."""

import json
from functools import partial

import numpy as np
import pytest

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.activations import ActivationRReLU
from pydl4j.constraints import MaxNormConstraint, MinMaxNormConstraint, UnitNormConstraint
from pydl4j.dropout import AlphaDropout, Dropout, GaussianDropout
from pydl4j.errors import ConfigError, UnknownOptionError
from pydl4j.initializers import BinomialDistribution, NormalDistribution, UniformDistribution
from pydl4j.layers import (
    LSTM,
    AutoEncoder,
    BatchNormalization,
    Bidirectional,
    CenterLossOutputLayer,
    ConvolutionLayer,
    DenseLayer,
    GlobalPoolingLayer,
    LossLayer,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
)
from pydl4j.losses import LossMCXENT
from pydl4j.preprocessors import CnnToFeedForwardPreProcessor, FeedForwardToCnnPreProcessor
from pydl4j.schedules import FixedSchedule, MapSchedule, StepSchedule
from pydl4j.transferlearning import FineTuneConfiguration
from pydl4j.updaters import AdaGrad, Adam, RmsProp, Sgd
from pydl4j.vertices import AttentionVertex

DENSE = DenseLayer(n_in=4, n_out=8)
OUTPUT = OutputLayer(n_out=3)
RNN_OUTPUT = RnnOutputLayer(n_out=3)
IMAGES = InputType.convolutional(height=6, width=5, channels=2)

AT_CONSTRUCTION = {
    "too small": (lambda: DenseLayer(n_out=-3), "DenseLayer.n_out must be >= 1. Received: -3"),
    "wrong type": (lambda: DenseLayer(n_out="10"), "DenseLayer.n_out must be an int. Received: '10'"),
    "a bool is no int": (lambda: DenseLayer(n_out=True), "DenseLayer.n_out must be an int. Received: True"),
    "an int is no bool": (
        lambda: DenseLayer(n_out=1, has_bias=1),
        "DenseLayer.has_bias must be True or False. Received: 1",
    ),
    "required": (DenseLayer, "DenseLayer.n_out is required"),
    "name": (lambda: DenseLayer(n_out=1, name=3), "DenseLayer.name must be a string. Received: 3"),
    "number": (
        lambda: DenseLayer(n_out=1, bias_init="a"),
        "DenseLayer.bias_init must be a number. Received: 'a'",
    ),
    "not finite": (lambda: Adam(learning_rate=float("inf")), "Adam.learning_rate must be finite. Received: inf"),
    "not a number": (
        lambda: NormalDistribution(mean=float("nan"), std=1),
        "NormalDistribution.mean must be finite. Received: nan",
    ),
    "rate": (lambda: Adam(learning_rate=-1.0), "Adam.learning_rate must be >= 0. Received: -1.0"),
    "rate of another kind": (
        lambda: Sgd(learning_rate=Adam()),
        "Sgd.learning_rate must be an ISchedule. Received: Adam()",
    ),
    "retain probability": (lambda: Dropout(p=0.0), "Dropout.p must be > 0 and <= 1. Received: 0.0"),
    "no schedule": (
        lambda: AlphaDropout(p=FixedSchedule(value=0.5)),
        "AlphaDropout.p must be a number. Received: FixedSchedule(value=0.5)",
    ),
    "dropout": (
        lambda: DenseLayer(n_out=1, dropout=1.5),
        "DenseLayer.dropout must be a probability to retain an activation (0: no dropout), from 0 to 1. Received: 1.5",
    ),
    "pair": (
        lambda: ConvolutionLayer(n_out=1, kernel_size=(3, 3, 3)),
        "ConvolutionLayer.kernel_size must have 2 items. Received: (3, 3, 3)",
    ),
    "in a pair": (
        lambda: ConvolutionLayer(n_out=1, kernel_size=(0, 1)),
        "ConvolutionLayer.kernel_size must be >= 1 at index 0. Received: (0, 1)",
    ),
    "pnorm": (
        lambda: SubsamplingLayer(pooling_type="pnorm"),
        'SubsamplingLayer.pnorm must be >= 1 with pooling_type="pnorm". Received: 0',
    ),
    "another family": (
        lambda: DenseLayer(n_out=1, regularization=[Adam()]),
        "DenseLayer.regularization must be a Regularization at index 0. Received: [Adam()]",
    ),
    "no layers": (
        lambda: MultiLayerConfiguration(layers=[]),
        "MultiLayerConfiguration.layers must have a layer. Received: ()",
    ),
    "not a layer": (
        lambda: MultiLayerConfiguration(layers=[DENSE, Adam()]),
        f"MultiLayerConfiguration.layers must be a Layer at index 1. Received: [{DENSE!r}, Adam()]",
    ),
    "not a sequence": (
        lambda: MultiLayerConfiguration(layers=DENSE),
        f"MultiLayerConfiguration.layers must be a sequence. Received: {DENSE!r}",
    ),
    "lengths without truncation": (
        lambda: MultiLayerConfiguration(layers=[OUTPUT], tbptt_length=50),
        "MultiLayerConfiguration.backprop_type must be \"truncated_bptt\" where tbptt lengths are given. Received: 'standard'",
    ),
    "lengths twice": (
        lambda: MultiLayerConfiguration(
            layers=[OUTPUT], backprop_type="truncated_bptt", tbptt_length=5, tbptt_fwd_length=6
        ),
        "MultiLayerConfiguration.tbptt_length sets tbptt_fwd_length and tbptt_back_length: give either. Received: 5",
    ),
    "an updater that fails": (
        lambda: MultiLayerConfiguration(layers=[DENSE, OUTPUT], updater="adabelief"),
        (
            "MultiLayerConfiguration.updater cannot be AdaBelief, which DL4J 1.0.0-M2.1 fails to start "
            "(it reads the width of its state, which is a vector). Received: AdaBelief()"
        ),
    ),
    "a schedule that is lost": (
        lambda: MultiLayerConfiguration(
            layers=[DENSE, OUTPUT], bias_updater=AdaGrad(learning_rate=FixedSchedule(value=0.5))
        ),
        (
            "MultiLayerConfiguration.bias_updater cannot be AdaGrad with a schedule, which DL4J loses when it copies it, "
            "and trains with NaN: use RmsProp. Received: AdaGrad(learning_rate=FixedSchedule(value=0.5))"
        ),
    ),
    "two kinds of decay": (
        lambda: MultiLayerConfiguration(layers=[DENSE, OUTPUT], l2=0.1, weight_decay=0.2),
        (
            "MultiLayerConfiguration.weight_decay cannot be given beside l2, of which DL4J keeps the last: "
            "for both, list them in regularization. Received: 0.2"
        ),
    ),
    "no value at 0": (
        lambda: MapSchedule(schedule_type="epoch", values={1: 0.1}),
        "MapSchedule.values must have a value at 0. Received: {1: 0.1}",
    ),
    "empty range": (
        lambda: UniformDistribution(lower=1, upper=1),
        "UniformDistribution.lower must be below upper = 1.0. Received: 1.0",
    ),
    "probability": (
        lambda: BinomialDistribution(number_of_trials=1, probability_of_success=1.5),
        "BinomialDistribution.probability_of_success must be <= 1. Received: 1.5",
    ),
    "clipping": (
        lambda: LossMCXENT(softmax_clip_eps=0.6),
        "LossMCXENT.softmax_clip_eps must be at most 0.5. Received: 0.6",
    ),
    "rate of a constraint": (
        lambda: MinMaxNormConstraint(min=0, max=1, rate=1.5),
        "MinMaxNormConstraint.rate must be at most 1. Received: 1.5",
    ),
    "norms of a constraint": (
        lambda: MinMaxNormConstraint(min=2, max=1),
        "MinMaxNormConstraint.min must be at most max = 1.0. Received: 2.0",
    ),
    "corruption": (
        lambda: AutoEncoder(n_out=3, corruption_level=3),
        "AutoEncoder.corruption_level must be >= 0 and <= 1. Received: 3",
    ),
    "decay of a moment": (lambda: Adam(beta1=1.0), "Adam.beta1 must be < 1. Received: 1.0"),
    "decay of an updater": (lambda: RmsProp(rms_decay=1.5), "RmsProp.rms_decay must be >= 0 and <= 1. Received: 1.5"),
    "threshold of a layer": (
        lambda: DenseLayer(n_out=1, gradient_normalization_threshold=-1),
        "DenseLayer.gradient_normalization_threshold must be >= 0. Received: -1",
    ),
    "threshold of a network": (
        lambda: MultiLayerConfiguration(layers=[DENSE, OUTPUT], gradient_normalization_threshold=-1),
        "MultiLayerConfiguration.gradient_normalization_threshold must be >= 0. Received: -1",
    ),
    "threshold of a vertex": (
        lambda: AttentionVertex(n_out=1, gradient_normalization_threshold=-1),
        "AttentionVertex.gradient_normalization_threshold must be >= 0. Received: -1",
    ),
    "threshold of a transfer": (
        lambda: FineTuneConfiguration(gradient_normalization_threshold=-1),
        "FineTuneConfiguration.gradient_normalization_threshold must be >= 0. Received: -1",
    ),
    "slopes": (lambda: ActivationRReLU(l=1, u=0), "ActivationRReLU.l must be at most u = 0.0. Received: 1.0"),
    "centers": (
        lambda: CenterLossOutputLayer(n_out=3, alpha=-1),
        "CenterLossOutputLayer.alpha must be >= 0. Received: -1",
    ),
    "decay of running statistics": (
        lambda: BatchNormalization(decay=-0.1),
        "BatchNormalization.decay must be >= 0 and <= 1. Received: -0.1",
    ),
    "rate of noise": (lambda: GaussianDropout(rate=2), "GaussianDropout.rate must be >= 0 and <= 1. Received: 2"),
    "steps without a length": (
        lambda: StepSchedule(schedule_type="epoch", initial_value=1, decay_rate=0.5, step=0),
        "StepSchedule.step must be > 0. Received: 0",
    ),
}


@pytest.mark.parametrize("case", AT_CONSTRUCTION)
def test_wrong_value_is_refused_at_construction(case):
    make, message = AT_CONSTRUCTION[case]
    with pytest.raises(ConfigError) as caught:
        make()
    assert str(caught.value) == message
    assert caught.value.path == message.split(" ", 1)[0]


def test_misspelled_choice_names_the_choices_and_the_nearest():
    with pytest.raises(
        ConfigError, match=r"^DenseLayer\.activation must be an IActivation or one of 'cube', .*did you mean 'relu'"
    ):
        DenseLayer(n_out=1, activation="rleu")
    with pytest.raises(
        ConfigError,
        match=r"convolution_mode must be one of 'strict', 'truncate', 'same', 'causal' \(did you mean 'same'\?\)",
    ):
        ConvolutionLayer(n_out=1, convolution_mode="sme")


def test_unknown_option_names_the_nearest():
    with pytest.raises(UnknownOptionError) as caught:
        DenseLayer(n_ot=1)
    assert str(caught.value) == "DenseLayer has no option 'n_ot' (did you mean 'n_out'?)"
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DenseLayer(units=3), "DenseLayer has no option 'units' (here it is 'n_out')"),
        (lambda: Adam(lr=0.1), "Adam has no option 'lr' (here it is 'learning_rate')"),
        (
            lambda: DenseLayer(n_out=1, zzz=2),
            "DenseLayer has no option 'zzz'. It has: n_out, has_bias, has_layer_norm, and those of its bases: help(DenseLayer)",
        ),
        (
            lambda: StepSchedule(qqqq=1),
            "StepSchedule has no option 'qqqq'. It has: schedule_type, initial_value, decay_rate, step",
        ),
        (
            lambda: Adam(zzz=1),
            "Adam has no option 'zzz'. It has: learning_rate, beta1, beta2, epsilon",
        ),
    ],
)
def test_unknown_option_names_the_one_that_is_meant_or_the_classs_own(make, message):
    with pytest.raises(UnknownOptionError) as caught:
        make()
    assert str(caught.value) == message


def test_a_class_is_no_instance():
    with pytest.raises(ConfigError, match=r"^DenseLayer\.updater must be an IUpdater: write Adam\(\)\. "):
        DenseLayer(n_out=1, updater=Adam)


def test_a_schedule_is_no_dropout():
    must = r"must be an IDropout or a number: a schedule goes into one, such as Dropout\(p=\.\.\.\)\. Received: Fixed"
    with pytest.raises(ConfigError, match=rf"^DenseLayer\.dropout {must}"):
        DenseLayer(n_out=1, dropout=FixedSchedule(value=0.5))


def test_bools_of_numpy_are_bools():
    assert DenseLayer(n_out=1, has_bias=np.bool_(False)).has_bias is False
    with pytest.raises(ConfigError, match="has_bias must be True or False"):
        DenseLayer(n_out=1, has_bias=np.array([True]))


def test_positional_options_are_refused():
    with pytest.raises(
        UnknownOptionError, match=r"DenseLayer takes its options by keyword, such as n_out=\.\.\. Received: 10"
    ):
        DenseLayer(10)


def test_instances_are_frozen():
    with pytest.raises(AttributeError, match=r"DenseLayer is frozen: use replace\(n_out=\.\.\.\)"):
        DENSE.n_out = 3
    with pytest.raises(AttributeError, match="DenseLayer is frozen"):
        del DENSE.n_out


def network(*layers, **options):
    return MultiLayerConfiguration(layers=layers, **options)


TRUNCATED = {"backprop_type": "truncated_bptt", "tbptt_length": 5}
IN_A_NETWORK = {
    "identity of another shape": (
        partial(network, DENSE, OUTPUT, weight_init="identity"),
        (
            "layers[0].weight_init cannot be the identity: W must be square, its kernel odd, and is [4, 8]. "
            "Received: WeightInitIdentity()"
        ),
    ),
    "identity of gates": (
        partial(network, Bidirectional(layer=LSTM(n_in=3, n_out=2, weight_init_recurrent="identity")), RNN_OUTPUT),
        (
            "layers[0].layer.weight_init_recurrent cannot be the identity: RW must be square, its kernel odd, "
            "and is [2, 8]. Received: WeightInitIdentity()"
        ),
    ),
    "identity of an even kernel": (
        partial(
            network,
            ConvolutionLayer(n_in=2, n_out=2, kernel_size=(3, 2), weight_init="identity"),
            OUTPUT,
            input_type=IMAGES,
        ),
        (
            "layers[0].weight_init cannot be the identity: W must be square, its kernel odd, and is [2, 2, 3, 2]. "
            "Received: WeightInitIdentity()"
        ),
    ),
    "size against the input type": (
        partial(network, DENSE, OUTPUT, input_type=InputType.feed_forward(5)),
        "layers[0].n_in must be 5, the size of the layer's input (or left out). Received: 4",
    ),
    "size against the layer before": (
        partial(network, DENSE, OutputLayer(n_in=9, n_out=3)),
        "layers[1].n_in must be 8, the size of the layer's input (or left out). Received: 9",
    ),
    "two kinds of decay inside of a layer": (
        partial(network, Bidirectional(layer=LSTM(n_in=3, n_out=2, l2_bias=1, weight_decay_bias=2)), OUTPUT),
        (
            "layers[0].layer.weight_decay_bias cannot be given beside l2_bias, of which DL4J keeps the last: "
            "for both, list them in regularization_bias. Received: 2.0"
        ),
    ),
    "no input": (
        partial(network, DenseLayer(n_out=8), OUTPUT),
        "layers[0].n_in must be given, or the network's input_type, from which it is inferred. Received: None",
    ),
    "no input further on": (
        partial(network, ConvolutionLayer(n_in=1, n_out=2), OUTPUT),
        "layers[1].n_in must be given, or the network's input_type, from which it is inferred. Received: None",
    ),
    "kernel larger than the input": (
        partial(network, ConvolutionLayer(n_out=2, kernel_size=7), OUTPUT, input_type=IMAGES),
        "layers[0].kernel_size must fit into the input: height 6, padding 0, dilation 1. Received: (7, 7)",
    ),
    "strict mode": (
        partial(
            network,
            ConvolutionLayer(n_out=2, kernel_size=3, stride=2),
            OUTPUT,
            input_type=IMAGES,
            convolution_mode="strict",
        ),
        (
            'layers[0].stride must divide 3 (height + padding - kernel) in mode "strict"; "truncate" and "same" take any. '
            "Received: (2, 2)"
        ),
    ),
    "rows into a convolution": (
        partial(network, ConvolutionLayer(n_out=2), input_type=InputType.feed_forward(4)),
        (
            "layers[0] (ConvolutionLayer) needs images as input (InputType.convolutional, or a preprocessor). "
            "Received: InputType.feed_forward(size=4)"
        ),
    ),
    "images into pooling over time": (
        partial(network, LSTM(n_in=3, n_out=2), GlobalPoolingLayer(), OUTPUT, **TRUNCATED),
        (
            'layers[1] cannot be a layer that needs whole sequences with backprop_type="truncated_bptt". '
            "Received: GlobalPoolingLayer(name='layer1')"
        ),
    ),
    "softmax of one": (
        partial(network, OutputLayer(n_in=4, n_out=1)),
        "layers[0].n_out must be > 1 with softmax, whose only output would always be 1; use sigmoid with xent. Received: 1",
    ),
    "no probabilities": (
        partial(network, OutputLayer(n_in=4, n_out=2, activation="relu")),
        (
            "layers[0].activation must give probabilities (0 to 1) for LossMCXENT(), such as softmax or sigmoid. "
            "Received: ActivationReLU()"
        ),
    ),
    "softmax with binary loss": (
        partial(network, OutputLayer(n_in=4, n_out=2, loss="xent")),
        "layers[0].loss must be mcxent with softmax, or the activation sigmoid. Received: LossBinaryXENT()",
    ),
    "sigmoid with class loss": (
        partial(network, OutputLayer(n_in=4, n_out=2, activation="sigmoid")),
        "layers[0].loss must be xent with sigmoid, or the activation softmax. Received: LossMCXENT()",
    ),
    "a loss layer, too": (
        partial(network, DENSE, LossLayer(activation="tanh")),
        (
            "layers[1].activation must give probabilities (0 to 1) for LossMCXENT(), such as softmax or sigmoid. "
            "Received: ActivationTanH()"
        ),
    ),
    "padding beside its own mode same": (
        partial(network, ConvolutionLayer(n_out=2, convolution_mode="same", padding=1), input_type=IMAGES),
        'layers[0].padding must be 0 with convolution_mode="same", which pads by itself. Received: (1, 1)',
    ),
    "causal images": (
        partial(network, ConvolutionLayer(n_in=2, n_out=2, convolution_mode="causal")),
        "layers[0].convolution_mode cannot be \"causal\", which is for Convolution1DLayer: give another to this layer. Received: 'causal'",
    ),
    "causal images by the network": (
        partial(network, SubsamplingLayer(kernel_size=2), input_type=IMAGES, convolution_mode="causal"),
        "layers[0].convolution_mode cannot be \"causal\", which is for Convolution1DLayer: give another to this layer. Received: 'causal'",
    ),
    "a layer after a loss layer": (
        partial(network, DENSE, LossLayer(activation="softmax"), OUTPUT),
        (
            "layers[1] (LossLayer) must be the last layer: DL4J tells the next that n_in is 0. Received: "
            f"{LossLayer(activation='softmax')!r}"
        ),
    ),
    "preprocessor of another kind": (
        partial(network, DENSE, OUTPUT, input_preprocessors={1: CnnToFeedForwardPreProcessor()}),
        "input_preprocessors[1] (CnnToFeedForwardPreProcessor) needs images. Received: InputType.feed_forward(size=8)",
    ),
    "preprocessor of another size": (
        partial(
            network,
            ConvolutionLayer(n_out=2, kernel_size=1),
            input_type=InputType.feed_forward(7),
            input_preprocessors={0: FeedForwardToCnnPreProcessor(input_height=2, input_width=3, num_channels=1)},
        ),
        (
            "input_preprocessors[0] (FeedForwardToCnnPreProcessor) needs images of 2 x 3 with 1 channels. "
            "Received: InputType.feed_forward(size=7)"
        ),
    ),
    "preprocessor beyond the layers": (
        partial(network, DENSE, OUTPUT, input_preprocessors={5: CnnToFeedForwardPreProcessor()}),
        "input_preprocessors must have keys below 2, the number of layers. Received: 5",
    ),
}


@pytest.mark.parametrize("case", IN_A_NETWORK)
def test_layers_that_do_not_fit_are_refused_with_their_place(case):
    make, message = IN_A_NETWORK[case]
    with pytest.raises(ConfigError) as caught:
        make()
    assert str(caught.value) == message
    assert caught.value.path == message.split(" ", 1)[0]


def test_constraints_on_biases_of_a_layer_without_biases_are_none():
    layer = DenseLayer(n_in=4, n_out=3, has_bias=False, constrain_bias=[UnitNormConstraint()])
    (place,) = network(layer, constrain_weights=[MaxNormConstraint(max_norm=2)]).resolve().layers
    assert place.layer.constraints == (MaxNormConstraint(max_norm=2, params=["W"]),)


def test_identity_is_allowed_in_a_loss_layer():
    conf = network(DenseLayer(n_in=4, n_out=3, activation="softmax"), LossLayer())
    assert conf.resolve().n_params == 15


def test_output_check_can_be_switched_off_and_stays_off():
    conf = network(OutputLayer(n_in=4, n_out=1), validate_output_layer_config=False)
    assert json.loads(conf.to_json())["validateOutputLayerConfig"] is False


# Documents


def changed(change, conf=None):
    tree = json.loads((conf or network(DENSE, OUTPUT)).to_json())
    change(tree)
    return json.dumps(tree)


def layer(tree, index=0):
    return tree["confs"][index]["layer"]


DOCUMENTS = {
    "not json": ("{", "not a JSON document: the text ends too early at line 1 column 2"),
    "not a network": ("[1]", "expected DL4J's document of a multi-layer network, .* this is another document"),
    "a graph": ('{"vertices": {}}', "this is a ComputationGraph"),
    "no layers": (changed(lambda t: t.update(confs=[])), 'with its layers under "confs"'),
    "unknown key": (changed(lambda t: t.update(seeed=1)), "has no JSON key 'seeed'"),
    "unknown key of a layer": (
        changed(lambda t: layer(t).update(nOut=1)),
        r"^layers\[0\]: org\.deeplearning4j\.nn\.conf\.layers\.DenseLayer has no JSON key 'nOut'",
    ),
    "misspelled key of what is required": (
        changed(lambda t: layer(t).update(nOut=layer(t).pop("nout"))),
        r"^layers\[0\]: org\.deeplearning4j\.nn\.conf\.layers\.DenseLayer has no JSON key 'nOut' \(did you mean 'nout'\?\)",
    ),
    "unknown key of a layer's configuration": (
        changed(lambda t: t["confs"][1].update(leaf=True)),
        r"^layers\[1\]: NeuralNetConfiguration has no JSON key 'leaf'",
    ),
    "unknown class": (
        changed(lambda t: layer(t, 1).update({"@class": "my.Layer"})),
        r"^layers\[1\]: the Java class 'my\.Layer' is not one of DL4J's\. from_json\(\.\.\., custom=\['my\.Layer'\]\)",
    ),
    "no class": (
        changed(lambda t: layer(t).pop("@class")),
        r"^layers\[0\]: expected a DL4J class name under '@class'\. Received: None",
    ),
    "class of another family": (
        changed(lambda t: layer(t).update(iupdater=layer(t)["activationFn"])),
        r"^layers\[0\]\.updater must be an IUpdater\. Received: org\.nd4j\.linalg\.activations\.impl\.ActivationSigmoid",
    ),
    "no updater": (
        changed(lambda t: layer(t).pop("iupdater")),
        r"^layers\[0\]\.updater must be in the document of a layer with parameters\. Received: None",
    ),
    "wrong value": (changed(lambda t: layer(t).update(nout=-1)), r"^layers\[0\]\.n_out must be >= 1\. Received: -1"),
    "wrong value deep inside": (
        changed(lambda t: layer(t)["iupdater"].update(learningRate="fast")),
        r"^layers\[0\]\.updater\.learning_rate must be a number\. Received: 'fast'",
    ),
    "wrong enum": (
        changed(lambda t: t.update(backpropType="Sideways")),
        r"^MultiLayerConfiguration\.backprop_type must be one of 'standard', 'truncated_bptt'\. Received: 'Sideways'",
    ),
    "object expected": (
        changed(lambda t: layer(t).update(activationFn=3)),
        r"^layers\[0\]\.activation must be an IActivation as a JSON object\. Received: 3",
    ),
    "step function": (
        changed(lambda t: t["confs"][0].update(stepFunction={"sideways": {}})),
        r"^layers\[0\]\.step_function must be one of 'default', 'gradient', .*Received: 'sideways'",
    ),
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_wrong_document_is_refused_with_the_place(case):
    text, message = DOCUMENTS[case]
    with pytest.raises(ConfigError, match=message):
        MultiLayerConfiguration.from_json(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "not a YAML document"),
        ("--- 3", "this is another document"),
        ("--- !<x.Y> 3", "expected members under the tag"),
    ],
)
def test_wrong_yaml_is_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        MultiLayerConfiguration.from_yaml(text)


def test_sequence_output_needs_sequences():
    conf = network(RnnOutputLayer(n_out=2), input_type=InputType.feed_forward(3))
    assert conf.resolve().layers[0].preprocessor is not None


@pytest.mark.parametrize("document", [None, {}])
def test_a_document_that_is_no_text_is_refused(document):
    with pytest.raises(ConfigError, match=r"expected a JSON document as text. Received: "):
        MultiLayerConfiguration.from_json(document)
    with pytest.raises(ConfigError, match=r"expected a YAML document as text. Received: "):
        MultiLayerConfiguration.from_yaml(document)
