"""Graphs: named vertices and nodes, order, inference, documents, refusals."""

import json
from functools import partial
from pathlib import Path

import pytest

import pydl4j as dl
from pydl4j import ComputationGraphConfiguration, Input, InputType
from pydl4j.errors import ConfigError, GuardError
from pydl4j.layers import (
    LSTM,
    Cnn3DLossLayer,
    ConvolutionLayer,
    DenseLayer,
    GravesLSTM,
    LossLayer,
    OCNNOutputLayer,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
    Upsampling2D,
)
from pydl4j.preprocessors import CnnToFeedForwardPreProcessor
from pydl4j.updaters import Sgd
from pydl4j.vertices import (
    AttentionVertex,
    ElementWiseVertex,
    FrozenVertex,
    L2NormalizeVertex,
    LastTimeStepVertex,
    LayerVertex,
    MergeVertex,
    ReshapeVertex,
    ScaleVertex,
    StackVertex,
    SubsetVertex,
    UnstackVertex,
)

GOLDEN = (Path(__file__).parents[2] / "golden" / "conf" / "m21" / "cg_two_inputs_merge.json").read_text()
ROWS = InputType.feed_forward(3)
SEQUENCES = InputType.recurrent(3, time_series_length=7)
IMAGES = InputType.convolutional(height=8, width=6, channels=2)


def two_inputs():
    return ComputationGraphConfiguration(
        seed=7,
        updater=Sgd(learning_rate=0.1),
        inputs={"a": ROWS, "b": InputType.feed_forward(4)},
        vertices={
            "da": (DenseLayer(n_out=5), "a"),
            "db": (DenseLayer(n_out=6), "b"),
            "m": (MergeVertex(), "da", "db"),
            "o": (OutputLayer(n_out=3), "m"),
            "auto": (OutputLayer(n_out=2), "da", "db"),
        },
        outputs=["o", "auto"],
    )


def graph(*steps, input_type=ROWS, n_out=2, **options):
    """Vertices one after the other, and an output layer."""
    names = ["in", *(f"v{i}" for i in range(len(steps)))]
    vertices = {name: (step, before) for name, step, before in zip(names[1:], steps, names, strict=False)}
    vertices["out"] = (OutputLayer(n_out=n_out), names[-1])
    return ComputationGraphConfiguration(inputs={"in": input_type}, outputs=["out"], vertices=vertices, **options)


def joined(vertex, *types, **options):
    """Inputs of these types into one vertex."""
    inputs = {f"in{i}": kind for i, kind in enumerate(types)}
    return ComputationGraphConfiguration(
        inputs=inputs, outputs=["v"], vertices={"v": (vertex, *inputs)}, validate_output_layer_config=False, **options
    )


def test_document_is_dl4js():
    assert two_inputs().to_json() == GOLDEN
    assert ComputationGraphConfiguration.from_json(GOLDEN).to_json() == GOLDEN
    assert ComputationGraphConfiguration.from_yaml(two_inputs().to_yaml()).to_json() == GOLDEN


def test_nodes_describe_the_same_graph():
    a, b = Input(ROWS, name="a"), Input(InputType.feed_forward(4), name="b")
    da, db = DenseLayer(n_out=5, name="da")(a), DenseLayer(n_out=6)(b, name="db")
    o = OutputLayer(n_out=3, name="o")(MergeVertex()(da, db, name="m"))
    auto = OutputLayer(n_out=2, name="auto")(da, db)
    conf = ComputationGraphConfiguration(seed=7, updater=Sgd(learning_rate=0.1), inputs=[a, b], outputs=[o, auto])
    assert conf.to_json() == GOLDEN


def test_nodes_without_names_are_named_after_their_class():
    x = Input(IMAGES)
    for _ in range(2):
        x = SubsamplingLayer(kernel_size=2, stride=1)(ConvolutionLayer(n_out=3, kernel_size=2)(x))
    x = LastTimeStepVertex()(LSTM(n_out=2)(x))
    conf = ComputationGraphConfiguration(inputs=[_first(x)], outputs=[OutputLayer(n_out=2)(x)])
    expected = ["convolution", "subsampling", "convolution_1", "subsampling_1", "lstm", "last_time_step", "output"]
    assert list(conf.vertices) == expected
    assert conf.inputs == ("input",)


def _first(node):
    while node.inputs:
        node = node.inputs[0]
    return node


def test_values_stay_values():
    conf = two_inputs()
    names = {**vars(dl.layers), **vars(dl.vertices), **vars(dl.updaters)}
    names |= {"InputType": InputType, "ComputationGraphConfiguration": ComputationGraphConfiguration}
    assert eval(repr(conf), names) == conf
    assert conf.replace() == conf
    assert hash(conf) == hash(two_inputs())


def test_vertices_are_resolved_in_order():
    resolved = two_inputs().resolve()
    assert resolved.order == ("a", "b", "da", "db", "m", "auto-merge", "o", "auto")
    assert [vertex.name for vertex in resolved.vertices] == list(resolved.order[2:])
    assert resolved["o"].layer.n_in == resolved["auto"].layer.n_in == 11
    assert resolved["m"].inputs == ("da", "db")
    assert resolved.outputs == {"o": InputType.feed_forward(3), "auto": InputType.feed_forward(2)}
    assert resolved.n_params == 4 * 5 + 5 * 6 + 12 * 3 + 12 * 2


def test_preprocessors_are_added_and_kept():
    conf = graph(ConvolutionLayer(n_out=3, kernel_size=2), DenseLayer(n_out=4), input_type=IMAGES)
    added = CnnToFeedForwardPreProcessor(input_height=7, input_width=5, num_channels=3)
    assert conf.resolve()["v1"].preprocessor == added
    kept = LayerVertex(layer=DenseLayer(n_out=4), preprocessor=added)
    assert graph(ConvolutionLayer(n_out=3, kernel_size=2), kept, input_type=IMAGES).to_json() == conf.to_json()


def test_documents_keep_what_vertices_disagree_on():
    tree = json.loads(GOLDEN)
    tree["vertices"]["da"]["layerConf"]["seed"] = 99
    tree["defaultConfiguration"]["variables"] = ["x"]
    tree["topologicalOrder"], tree["topologicalOrderStr"] = [0, 1], ["a", "b"]
    text = json.dumps(tree)
    conf = ComputationGraphConfiguration.from_json(text)
    assert json.loads(conf.to_json()) == tree
    assert conf.vertices["da"].state.seed == 99
    assert conf.vertices["db"].state is None


OUTPUT_TYPES = {
    "merged rows": (joined(MergeVertex(), ROWS, ROWS), InputType.feed_forward(6)),
    "merged sequences": (joined(MergeVertex(), SEQUENCES, SEQUENCES), SEQUENCES.replace(size=6)),
    "merged images": (joined(MergeVertex(), IMAGES, IMAGES), IMAGES.replace(channels=4)),
    "merged sequences of unknown format": (
        joined(MergeVertex(), SEQUENCES.replace(format=None), SEQUENCES),
        SEQUENCES.replace(size=6),
    ),
    "sum": (joined(ElementWiseVertex(op="add"), IMAGES, IMAGES), IMAGES),
    "sum with a number": (joined(ElementWiseVertex(op="add"), InputType.feed_forward(1), ROWS), ROWS),
    "stacked": (joined(StackVertex(), ROWS, ROWS), ROWS),
    "part of a stack": (joined(UnstackVertex(from_=1, stack_size=2), ROWS), ROWS),
    "some features": (joined(SubsetVertex(from_=1, to=2), ROWS), InputType.feed_forward(2)),
    "some channels": (joined(SubsetVertex(from_=0, to=0), IMAGES), IMAGES.replace(channels=1)),
    "last step": (joined(LastTimeStepVertex(), SEQUENCES), ROWS),
    "scaled": (joined(ScaleVertex(scale_factor=2), IMAGES), IMAGES),
    "frozen": (joined(FrozenVertex(underlying=ScaleVertex(scale_factor=2)), IMAGES), IMAGES),
    "reshaped": (joined(ReshapeVertex(new_shape=[-1, 1, 3, 1]), ROWS), IMAGES.replace(channels=1, height=3, width=1)),
    "attention": (
        joined(AttentionVertex(n_out=8, n_heads=2, project_input=True), SEQUENCES, SEQUENCES, SEQUENCES),
        SEQUENCES.replace(size=8),
    ),
}


@pytest.mark.parametrize("name", OUTPUT_TYPES)
def test_output_type_is_inferred(name):
    conf, expected = OUTPUT_TYPES[name]
    assert conf.resolve().outputs["v"] == expected


@pytest.mark.parametrize(("format_", "axis"), [("nchw", 1), ("nhwc", 3)])
def test_images_are_merged_along_their_channels(format_, axis):
    images = IMAGES.replace(format=format_)
    assert joined(MergeVertex(), images, images).resolve()["v"].vertex.merge_axis == axis


GUARDED = {
    "differing images": (
        partial(joined, MergeVertex(), IMAGES, IMAGES.replace(height=4)),
        'vertices["v"] (MergeVertex) must have inputs of equal height, as the first: ',
    ),
    "kinds": (
        partial(joined, MergeVertex(), ROWS, SEQUENCES),
        'vertices["v"] (MergeVertex) must have inputs of one kind, as the first: ',
    ),
    "sizes": (
        partial(joined, ElementWiseVertex(op="max"), ROWS, InputType.feed_forward(2)),
        'vertices["v"] (ElementWiseVertex) must have vectors of one size, 3, or of size 1. ',
    ),
    "three to subtract": (
        partial(joined, ElementWiseVertex(op="subtract"), ROWS, ROWS, ROWS),
        'vertices["v"] (ElementWiseVertex) must have 2 inputs with op="subtract". Received: 3',
    ),
    "one to merge": (
        partial(joined, MergeVertex(), ROWS),
        'vertices["v"] (MergeVertex) must have at least 2 inputs. Received: 1',
    ),
    "features that are not there": (
        partial(joined, SubsetVertex(from_=0, to=3), ROWS),
        'vertices["v"].to must be below 3, the size of the input. Received: 3',
    ),
    "channels that come last": (
        partial(joined, SubsetVertex(from_=0, to=1), IMAGES.replace(format="nhwc")),
        'vertices["v"] (SubsetVertex) needs features or channels first (ncw, nchw). Received: ',
    ),
    "size of a layer": (
        partial(graph, DenseLayer(n_in=9, n_out=4)),
        'vertices["v0"].layer.n_in must be 3, the size of the layer\'s input (or left out). Received: 9',
    ),
    "size of keys": (
        partial(joined, AttentionVertex(n_out=3, n_in_keys=4), SEQUENCES, SEQUENCES, SEQUENCES),
        'vertices["v"].n_in_keys must be 3, the size of the input (or left out). Received: 4',
    ),
    "no type and no size": (
        partial(
            ComputationGraphConfiguration,
            inputs=["in"],
            outputs=["out"],
            vertices={"out": (OutputLayer(n_out=2), "in")},
        ),
        'vertices["out"].layer.n_in must be given, or the network\'s input_type, from which it is inferred. Received: None',
    ),
}


@pytest.mark.parametrize("name", GUARDED)
def test_what_dl4j_lets_pass_is_guarded(name):
    make, message = GUARDED[name]
    with pytest.raises(GuardError) as caught:
        make()
    assert str(caught.value).startswith(message)
    assert caught.value.path == message.split(" ", 1)[0]


DENSE = DenseLayer(n_out=3)
two = partial(ComputationGraphConfiguration, inputs={"in": ROWS})
x = Input(ROWS)
REFUSED = {
    "cycle": (
        partial(two, outputs=["a"], vertices={"a": (DENSE, "in", "c"), "b": (DENSE, "a"), "c": (DENSE, "b")}),
        'vertices["a"] is part of a cycle: a <- a-merge <- c <- b <- a',
    ),
    "dangling input": (
        partial(two, outputs=["out"], vertices={"out": (DENSE, "inn")}),
        "vertex_inputs[\"out\"] must name vertices or inputs (did you mean 'in'?). Received: 'inn'",
    ),
    "dangling output": (
        partial(two, outputs=["oat"], vertices={"out": (DENSE, "in")}),
        "outputs must name vertices (did you mean 'out'?). Received: 'oat'",
    ),
    "no input": (
        partial(two, outputs=["out"], vertices={"out": (DENSE, "in"), "lost": DENSE}),
        'vertex_inputs["lost"] must name at least one vertex or input of the network. Received: ()',
    ),
    "goes nowhere": (
        partial(two, outputs=["out"], vertices={"out": (DENSE, "in"), "lost": (DENSE, "in")}),
        "vertices[\"lost\"] must feed a vertex or be one of the outputs (or give allow_disconnected=True). Received: 'lost'",
    ),
    "inputs of a vertex that is not there": (
        partial(two, outputs=["out"], vertices={"out": (DENSE, "in")}, vertex_inputs={"oot": ["in"]}),
        "vertex_inputs[\"oot\"] must be a vertex (did you mean 'out'?). Received: 'oot'",
    ),
    "a name twice": (
        partial(two, outputs=["in"], vertices={"in": (DENSE, "in")}),
        "vertices[\"in\"] must have another name than the inputs of the network. Received: 'in'",
    ),
    "no outputs": (
        partial(two, outputs=[], vertices={"out": (DENSE, "in")}),
        "ComputationGraphConfiguration.outputs must name an output (or give allow_no_output=True). Received: ()",
    ),
    "name of a merge": (
        partial(
            two,
            outputs=["out"],
            vertices={"out-merge": (DENSE, "in"), "out": (OutputLayer(n_out=2), "in", "out-merge")},
        ),
        "vertices[\"out-merge\"] cannot be there: 'out' has several inputs, which DL4J merges in a vertex of this name. ",
    ),
    "sequences needed": (
        partial(joined, LastTimeStepVertex(), ROWS),
        'vertices["v"] (LastTimeStepVertex) needs sequences as input. Received: InputType.feed_forward(size=3)',
    ),
    "whole sequences": (
        partial(joined, LastTimeStepVertex(), SEQUENCES, backprop_type="truncated_bptt"),
        'vertices["v"] cannot be a vertex that needs whole sequences with backprop_type="truncated_bptt". ',
    ),
    "not a vertex": (
        partial(two, outputs=["out"], vertices={"out": (Sgd(), "in")}),
        "ComputationGraphConfiguration.vertices must be a layer or a GraphVertex at key 'out'. ",
    ),
    "contradictory options of a layer": (
        partial(two, outputs=["a"], vertices={"a": (DenseLayer(n_out=3, l2=1, weight_decay=2), "in")}),
        'vertices["a"].layer.weight_decay cannot be given beside l2, of which DL4J keeps the last: ',
    ),
    "nodes and names": (
        partial(ComputationGraphConfiguration, inputs=["in"], outputs=[DENSE(x)]),
        "inputs must be nodes, as the network's other end is. Received: ['in']",
    ),
    "an input that is not listed": (
        partial(ComputationGraphConfiguration, inputs=[Input(ROWS)], outputs=[DENSE(x)]),
        "inputs must list every Input that the outputs come from. Missing: <node InputTypeFeedForward>",
    ),
    "nodes of one name": (
        partial(ComputationGraphConfiguration, inputs=[x], outputs=[DenseLayer(n_out=3, name="a")(DENSE(x, name="a"))]),
        'vertices["a"]: two nodes have this name. A layer that is applied twice makes two vertices, each with weights of its own: ',
    ),
    "a layer called with something else": (
        partial(DENSE, ROWS),
        "DenseLayer(...)(x) must be called with nodes: Input(...), or what a layer or vertex returned. Received: ",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_graph_is_refused(name):
    make, message = REFUSED[name]
    with pytest.raises(ConfigError) as caught:
        make()
    assert not isinstance(caught.value, GuardError)
    assert str(caught.value).startswith(message)


def changed(change):
    tree = json.loads(GOLDEN)
    change(tree)
    return json.dumps(tree)


WRONG_DOCUMENTS = {
    "of layers": ('{"confs": []}', "this is of a multi-layer network"),
    "no default": (changed(lambda t: t.pop("defaultConfiguration")), "default_configuration is required"),
    "an unknown key": (changed(lambda t: t.update(vertice=1)), "has no JSON key 'vertice' .did you mean 'vertices'"),
    "of a layer": (
        changed(lambda t: t["vertices"]["da"]["layerConf"]["layer"].update(nout=-1)),
        r'^vertices\["da"\]\.layer\.n_out must be >= 1\. Received: -1',
    ),
    "of a vertex": (
        changed(lambda t: t["vertices"]["m"].update(mergeAxis="x")),
        r'^vertices\["m"\]\.merge_axis must be an int\. Received: \'x\'',
    ),
    "a class of another family": (
        changed(lambda t: t["vertices"].update(m={"@class": "org.nd4j.linalg.learning.config.Sgd"})),
        r'^vertices\["m"\] must be a GraphVertex\. Received: org\.nd4j',
    ),
    "a dangling name": (changed(lambda t: t["vertexInputs"].update(m=["nowhere"])), r'^vertex_inputs\["m"\] must name'),
    "a cycle": (changed(lambda t: t["vertexInputs"].update(da=["o"])), "is part of a cycle: "),
}


@pytest.mark.parametrize("name", WRONG_DOCUMENTS)
def test_wrong_document_is_refused(name):
    text, message = WRONG_DOCUMENTS[name]
    with pytest.raises(ConfigError, match=message):
        ComputationGraphConfiguration.from_json(text).resolve()


def test_sequences_in_and_out():
    conf = ComputationGraphConfiguration(
        inputs={"in": SEQUENCES},
        outputs=["out"],
        vertices={"lstm": (LSTM(n_out=4), "in"), "out": (RnnOutputLayer(n_out=2), "lstm")},
        backprop_type="truncated_bptt",
        tbptt_length=5,
    )
    assert json.loads(conf.to_json())["tbpttBackLength"] == 5
    assert conf.resolve().outputs["out"] == SEQUENCES.replace(size=2)


def test_a_layer_after_a_loss_layer_is_guarded():
    vertices = {"loss": (LossLayer(activation="softmax"), "in"), "out": (OutputLayer(n_out=2), "loss")}
    with pytest.raises(GuardError, match=r'^vertices\["loss"\]\.layer \(LossLayer\) must be the last layer'):
        ComputationGraphConfiguration(inputs={"in": InputType.feed_forward(3)}, vertices=vertices, outputs=["out"])


def test_a_cycle_is_guarded_where_dl4j_does_not_look_for_it():
    vertices = {"a": (DenseLayer(n_in=3, n_out=3), "in", "b"), "b": (OutputLayer(n_in=3, n_out=2), "a")}
    with pytest.raises(GuardError, match=r'^vertices\["a"\] is part of a cycle'):
        ComputationGraphConfiguration(inputs=["in"], vertices=vertices, outputs=["b"])


def test_padding_beside_its_own_mode_same_is_refused():
    layer = ConvolutionLayer(n_out=2, convolution_mode="same", padding=1)
    images = InputType.convolutional(height=6, width=5, channels=2)
    with pytest.raises(ConfigError, match=r'^vertices\["a"\]\.layer\.padding must be 0'):
        ComputationGraphConfiguration(inputs={"in": images}, vertices={"a": (layer, "in")}, outputs=["a"])


def test_several_inputs_of_a_frozen_vertex_that_takes_several_are_not_merged():
    vertices = {
        "a": (FrozenVertex(underlying=StackVertex()), "x", "y"),
        "b": (FrozenVertex(underlying=ScaleVertex(scale_factor=2)), "x", "y"),
    }
    conf = ComputationGraphConfiguration(inputs=["x", "y"], vertices=vertices, outputs=["a", "b"])
    assert [place.name for place in conf.resolve().vertices] == ["a", "b-merge", "b"]


def test_a_merge_axis_that_is_given_is_kept():
    assert MergeVertex(merge_axis=1).modified
    assert not MergeVertex().modified


def test_the_only_input_and_output_need_no_list():
    node = Input(ROWS)
    out = DENSE(node)
    in_lists = ComputationGraphConfiguration(inputs=[node], outputs=[out])
    assert ComputationGraphConfiguration(inputs=node, outputs=out) == in_lists
    assert ComputationGraphConfiguration(inputs=node, outputs=[out]) == in_lists


@pytest.mark.parametrize(
    ("vertex", "name"),
    [
        (Upsampling2D(size=2), "upsampling2d"),
        (Cnn3DLossLayer(data_format="ncdhw"), "cnn3d_loss"),
        (OCNNOutputLayer(n_in=3, hidden_size=3), "ocnn_output"),
        (GravesLSTM(n_in=3, n_out=3), "graves_lstm"),
        (L2NormalizeVertex(), "l2_normalize"),
        (LastTimeStepVertex(), "last_time_step"),
    ],
)
def test_vertices_without_a_name_have_that_of_their_class(vertex, name):
    graph = ComputationGraphConfiguration(inputs=(start := Input()), outputs=vertex(start))
    assert list(graph.vertices) == [name]
