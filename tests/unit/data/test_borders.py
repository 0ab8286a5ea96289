"""What graphs take and give, read from configurations; arrays and masks checked and converted for them. No JVM."""

import numpy as np
import pytest

import pydl4j as dl
from pydl4j.data.examples import Border, Examples, Given, Names, validation_data
from pydl4j.data.interface import interface, seen
from pydl4j.errors import ConfigError, DataError, DataWarning, ShapeError
from pydl4j.layers import (
    LSTM,
    CnnLossLayer,
    ConvolutionLayer,
    DenseLayer,
    EmbeddingSequenceLayer,
    GlobalPoolingLayer,
    OutputLayer,
    RnnOutputLayer,
)
from pydl4j.vertices import ElementWiseVertex


def graph(**options) -> dl.ComputationGraphConfiguration:
    """An image, words and numbers in; a class, a class for each word and a number out."""
    vertices = {
        "maps": (ConvolutionLayer(n_out=2, kernel_size=3), "image"),
        "seen": (DenseLayer(n_out=4), "maps"),
        "words": (EmbeddingSequenceLayer(n_in=50, n_out=3), "text"),
        "lstm": (LSTM(n_out=4), "words"),
        "tag": (RnnOutputLayer(n_out=5, loss="mcxent", activation="softmax"), "lstm"),
        "pool": (GlobalPoolingLayer(), "lstm"),
        "read": (DenseLayer(n_out=4), "pool"),
        "kind": (OutputLayer(n_out=3), "seen", "read"),
        "size": (OutputLayer(n_out=1, loss="mse", activation="identity"), "seen", "read", "age"),
    }
    return dl.ComputationGraphConfiguration(
        **{
            "inputs": {
                "image": dl.InputType.convolutional(height=6, width=6, channels=1),
                "text": dl.InputType.recurrent(50),
                "age": dl.InputType.feed_forward(1),
            },
            "vertices": vertices,
            "outputs": ["kind", "tag", "size"],
            **options,
        }
    )


X = {"image": np.zeros((4, 6, 6)), "text": np.zeros((4, 7), int), "age": np.ones((4, 1))}
Y = {"kind": [0, 1, 2, 0], "tag": np.zeros((4, 7), int), "size": [1.0, 2.0, 3.0, 4.0]}


def border(conf=None) -> Border:
    return Border(interface(conf or graph()), None)


def test_inputs_and_outputs_by_name() -> None:
    net = interface(graph())
    assert [(x.name, x.row_shape, x.n_in) for x in net.inputs] == [
        ("image", (1, 6, 6), 1),
        ("text", (None,), 50),
        ("age", (1,), None),
    ]
    assert net.inputs[1].path == 'vertices["words"].layer'
    assert [(y.name, y.classes, y.label_shape, y.places) for y in net.outputs] == [
        ("kind", 3, (3,), 0),
        ("tag", 5, (5, 1), 1),
        ("size", None, (1,), 0),
    ]
    assert [y.name for y in net.classifiers] == ["kind", "tag"]
    assert net.output("tag").index == 1
    known = seen(net, [np.zeros((4, 1, 6, 6)), np.zeros((4, 7)), np.ones((4, 1))])
    assert known.outputs[1].label_shape == (5, 7)


def test_the_borders_of_layers_have_no_names() -> None:
    net = interface(dl.MultiLayerConfiguration(layers=[DenseLayer(n_in=3, n_out=4), OutputLayer(n_out=2)]))
    assert (net.inputs[0].name, net.inputs[0].path) == (None, "layers[0]")
    assert (net.outputs[0].name, net.outputs[0].path, net.outputs[0].classes) == (None, "layers[1]", 2)
    assert net.output(None) is net.outputs[0]
    with pytest.raises(ConfigError, match=r"no output 'out'\. A multi-layer network has one output, without a name"):
        net.output("out")


def test_a_document_tells_as_much_as_its_layers_do() -> None:
    vertices = {"fc": (DenseLayer(n_in=3, n_out=4), "in"), "out": (OutputLayer(n_in=4, n_out=2), "fc")}
    conf = dl.ComputationGraphConfiguration(inputs=["in"], vertices=vertices, outputs=["out"])
    read = dl.ComputationGraphConfiguration.from_json(conf.to_json())
    for each in (conf, read):
        found = border(each).examples(Given(np.ones((2, 3)), [0, 1]))
        assert found.labels[0].tolist() == [[1, 0], [0, 1]]
        with pytest.raises(ShapeError, match=r"x must (be 3 wide, the n_in of vertices\[\"fc\"\]|have the shape)"):
            border(each).features(Given(np.ones((2, 4))))


def test_arrays_are_converted_each_for_its_place() -> None:
    found = border().examples(Given(X, Y))
    assert [array.shape for array in found.features] == [(4, 1, 6, 6), (4, 7), (4, 1)]
    assert [array.shape for array in found.labels] == [(4, 3), (4, 5, 7), (4, 1)]
    assert all(array.dtype == np.float32 for array in (*found.features, *found.labels))
    in_order = border().examples(Given(list(X.values()), tuple(Y.values())))
    for ours, theirs in zip(found.columns().values(), in_order.columns().values(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert list(found.columns()) == ["features", "features_1", "features_2", "labels", "labels_1", "labels_2"]
    assert [len(piece) for piece in found.pieces(3)] == [3, 1]


def test_one_output_alone() -> None:
    net = border()
    tag = net.net.output("tag")
    for y in (Y["tag"], Y, list(Y.values()), {"tag": Y["tag"]}):
        found = net.examples_of(tag, Given(X, y, None, np.ones((4, 7)) if y is Y["tag"] else None))
        assert [None if array is None else array.shape for array in found.labels] == [None, (4, 5, 7), None]
    assert list(found.columns())[-1] == "labels_1"


@pytest.mark.parametrize(
    ("x", "y", "error", "message"),
    [
        (X | {"image": np.zeros((4, 5, 6))}, Y, ShapeError, r"x\['image'\] must have the shape \[examples, 1, 6, 6\]"),
        (
            X | {"text": np.full((4, 7), 50)},
            Y,
            DataError,
            r"x\['text'\] must be indices: .* Received: 50 at x\['text'\]\[",
        ),
        (X | {"age": ["a"] * 4}, Y, DataError, r"x\['age'\] must be numbers\. Received: dtype <U1"),
        (X | {"age": np.ones((3, 1))}, Y, ShapeError, r"4 of 'image'\. Received: 3 in x\['age'\]"),
        (
            X,
            Y | {"kind": [0, 1, 2, 3]},
            DataError,
            r"classes in y\['kind'\] must be from 0 to 2, since the output 'kind'",
        ),
        (
            X,
            Y | {"tag": np.zeros((4, 6), int)},
            ShapeError,
            r"time steps of labels as of .*: 7\. Received: 6 in y\['tag'\]",
        ),
        (X, Y | {"size": [1, 2, 3]}, ShapeError, r"as many labels as examples: 4\. Received: 3 in y\['size'\]"),
        (X, Y | {"what": 1}, DataError, r"y: the graph has no output 'what'\. It has: kind, tag, size"),
        (
            [X["image"], X["text"]],
            Y,
            DataError,
            r"x must be 3 arrays, .* in the order image, text, age, or a .* list of 2",
        ),
        (X, {"kind": Y["kind"]}, DataError, r"y lacks the output 'tag'\. It has: kind"),
    ],
)
def test_what_does_not_fit_is_named(x, y, error, message: str) -> None:
    with pytest.raises(error, match=message):
        border().examples(Given(x, y))


def test_masks_as_dl4j_takes_them() -> None:
    text, kind, tag = np.ones((4, 7)), [1, 0, 1, 1], np.ones((4, 7), bool)
    tag[0, 3:] = False
    masks = {"text": text}, {"kind": kind, "tag": tag}
    found = border().examples(Given(X, Y, *masks))
    assert [None if mask is None else mask.shape for mask in found.features_masks] == [None, (4, 7), None]
    assert [None if mask is None else mask.shape for mask in found.labels_masks] == [(4, 1), (4, 7), None]
    assert [name for name in found.columns() if "mask" in name] == ["features_mask_1", "labels_mask", "labels_mask_1"]
    with pytest.raises(ShapeError, match=r"labels_mask\['tag'\] must have the shape \[examples, time\]: \[4, 7\]"):
        border().examples(Given(X, Y, None, {"tag": text[:, :3]}))
    with pytest.raises(ShapeError, match=r"features_mask\['age'\]: the features have neither time steps nor pixels"):
        border().features(Given(X, features_mask={"age": np.ones((4, 1))}))
    with pytest.raises(ShapeError, match=r"features_mask\['image'\] must .* \[examples, height, width\]: \[4, 6, 6\]"):
        border().features(Given(X, features_mask={"image": np.ones((4, 1, 6, 6))}))


def test_what_is_masked_may_hold_anything() -> None:
    kept = np.array([[1, 1, 0], [1, 0, 0]])
    conf = dl.MultiLayerConfiguration(
        input_type=dl.InputType.recurrent(2),
        layers=[LSTM(n_out=3), RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax")],
    )
    x = np.where(kept[:, None], 1.0, np.nan) * np.ones((2, 2, 3))
    found = border(conf).examples(Given(x, np.where(kept, 1, -100), kept, kept))
    np.testing.assert_array_equal(found.features[0], kept[:, None] * np.ones((2, 2, 3)))
    np.testing.assert_array_equal(found.labels[0][:, 1], kept)
    with pytest.raises(DataError, match="x must be finite"):
        border(conf).features(Given(x))
    rows = np.full((2, 2, 3), 0.5) * kept[:, None]
    assert border(conf).examples(Given(x, rows, kept, kept)).labels[0].sum() == 3  # rows that do not count may sum to 0
    with pytest.warns(DataWarning, match="3 of 6 rows of y do not sum to 1"):
        border(conf).examples(Given(x, rows, kept))


def test_pixels_of_flat_images() -> None:
    layers = [ConvolutionLayer(n_out=2, kernel_size=1), CnnLossLayer(loss="mcxent", activation="softmax")]
    of = dl.InputType.convolutional_flat(height=2, width=3, channels=2)
    conf = dl.MultiLayerConfiguration(input_type=of, layers=layers)
    kept = np.array([[[1, 0, 1], [0, 0, 1]]])
    found = border(conf).examples(Given(np.ones((1, 12)), np.zeros((1, 2, 3), int), kept, kept))
    np.testing.assert_array_equal(found.features[0].reshape(2, 2, 3), np.repeat(kept, 2, axis=0))
    assert found.features_masks[0].shape == (1, 1, 2, 3)
    assert found.labels_masks[0].shape == (1, 2, 3)


def test_vertices_without_a_layer_have_no_labels() -> None:
    vertices = {
        "a": (DenseLayer(n_out=2), "in"),
        "b": (DenseLayer(n_out=2), "in"),
        "sum": (ElementWiseVertex(op="add"), "a", "b"),
    }
    inputs = {"in": dl.InputType.feed_forward(3)}
    conf = dl.ComputationGraphConfiguration(inputs=inputs, vertices=vertices, outputs=["sum"])
    assert interface(conf).outputs[0].output_shape == (2,)
    with pytest.raises(ConfigError, match=r'vertices\["sum"\] must be an output layer.*Received: ElementWiseVertex'):
        border(conf).examples(Given(np.ones((2, 3)), [0, 1]))


def test_validation_has_two_parts_or_four() -> None:
    assert validation_data((1, 2)) == Given(1, 2)
    assert validation_data([1, 2, None, 4]) == Given(1, 2, None, 4)
    with pytest.raises(DataError, match=r"or with masks \(x, y, features_mask, labels_mask\)\. Received: a tuple of 3"):
        validation_data((1, 2, 3))
    names = Names(*(f"validation[{i}]" for i in range(4)))
    with pytest.raises(DataError, match=r"validation\[0\]\['age'\] must be numbers"):
        border().features(Given(X | {"age": "old"}), names)


def test_examples_without_labels() -> None:
    found = border().features(Given(X))
    assert isinstance(found, Examples)
    assert (found.labels, len(found)) == ((), 4)
