"""What ``summary()`` and notebooks show: parameters, memory, HTML."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from pydl4j import ComputationGraphConfiguration, Input, InputType, MultiLayerConfiguration
from pydl4j.conf._memory import estimate, human
from pydl4j.conf.rows import rows
from pydl4j.errors import ConfigError
from pydl4j.layers import (
    LSTM,
    BatchNormalization,
    ConvolutionLayer,
    DenseLayer,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
    VariationalAutoencoder,
)
from pydl4j.updaters import Adam
from pydl4j.vertices import FrozenVertex, LayerVertex, MergeVertex


def perceptron(**options):
    layers = [DenseLayer(n_out=100), OutputLayer(n_out=10)]
    return MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(50), **options)


def memory(conf, batch_size=1):
    resolution = conf.resolve()
    return estimate(rows(resolution), resolution.data_type, batch_size)


def test_memory_at_a_batch_size_is_shown():
    summary = perceptron(updater="adam").summary(batch_size=1000)
    assert summary.partition("(float)\n\n")[2] == (
        "Memory, estimated for a batch of 1,000, 4 bytes per number:\n"
        "  parameters         23.9 KiB\n"
        "  gradients          23.9 KiB\n"
        "  updater state      47.7 KiB\n"
        "  activations       625.0 KiB  outputs of all layers, kept until training has gone back\n"
        "  their gradients   585.9 KiB  of one layer at a time\n"
        "  training            1.3 MiB  all of these\n"
        "  inference         609.8 KiB  parameters, and the activations of one layer at a time\n"
        "Working memory of the native engine and of the JVM comes on top."
    )
    assert summary.startswith(perceptron().summary())


def test_memory_adds_up():
    found = memory(perceptron(updater="adam"), 7)
    n_params = 50 * 100 + 100 + 100 * 10 + 10
    assert (found.parameters, found.updater_state) == (n_params, 2 * n_params)
    assert found.activations == 7 * (50 + 100 + 10)
    assert found.largest == 7 * (50 + 100)
    assert found.training == 4 * n_params + 7 * (160 + 150)
    assert found.inference == n_params + 7 * 150


@pytest.mark.parametrize(("data_type", "size"), [("half", 2), ("float", 4), ("double", 8)])
def test_memory_is_in_bytes_of_the_data_type(data_type, size):
    summary = perceptron(data_type=data_type).summary(batch_size=1)
    assert f"{size} bytes per number" in summary
    assert re.search(r"parameters +(\S+ \S+)", summary.partition("Memory")[2])[1] == human(6110 * size)


@pytest.mark.parametrize(
    ("updater", "arrays"),
    [
        *(("sgd", 0), ("none", 0), ("nesterovs", 1), ("adagrad", 1), ("rmsprop", 1)),
        *(("adam", 2), ("adamax", 2), ("nadam", 2), ("adadelta", 2), ("amsgrad", 3)),
    ],
)
def test_updaters_keep_numbers_for_each_parameter(updater, arrays):
    assert memory(perceptron(updater=updater)).updater_state == arrays * 6110


def test_layers_and_biases_may_have_updaters_of_their_own_and_running_means_have_none():
    conf = MultiLayerConfiguration(
        layers=[DenseLayer(n_out=4, updater="amsgrad"), BatchNormalization(), OutputLayer(n_out=2)],
        input_type=InputType.feed_forward(3),
        updater=Adam(),
        bias_updater="sgd",
    )
    states = [row.updater_state for row in rows(conf.resolve())]
    assert states == [0, 3 * 12, 2 * (4 + 4), 2 * 8]


def test_time_series_of_unknown_length_count_as_one_step():
    layers = [LSTM(n_out=8), RnnOutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, input_type=InputType.recurrent(3))
    assert memory(conf, 5).activations == 5 * (3 + 8 + 2)
    assert "; time series of unknown length count as 1 step:" in conf.summary(batch_size=5)
    known = conf.replace(input_type=InputType.recurrent(3, time_series_length=10))
    assert memory(known, 5).activations == 10 * 5 * (3 + 8 + 2)
    assert "unknown length" not in known.summary(batch_size=5)


def test_activations_of_unknown_shape_are_not_guessed():
    conf = MultiLayerConfiguration(layers=[ConvolutionLayer(n_in=1, n_out=2), SubsamplingLayer()])
    summary = conf.summary(batch_size=5)
    assert re.findall(r"(activations|training|inference) +\?", summary) == ["activations", "training", "inference"]
    assert re.search(r"parameters +208 B", summary)


@pytest.mark.parametrize("size", [0, -1, 1.5, "32", True])
def test_batch_sizes_are_positive_numbers(size):
    with pytest.raises(ConfigError, match=re.escape(f"batch_size must be an int >= 1. Received: {size!r}")):
        perceptron().summary(batch_size=size)


def test_a_batch_size_may_be_a_number_of_numpy():
    assert perceptron().summary(batch_size=np.int64(32)) == perceptron().summary(batch_size=32)


def test_bytes_for_people():
    sizes = [0, 1023, 1024, 1536, 5 * 1024**2, 3 * 1024**3, 2 * 1024**4]
    assert [human(n) for n in sizes] == ["0 B", "1,023 B", "1.0 KiB", "1.5 KiB", "5.0 MiB", "3.0 GiB", "2.0 TiB"]


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects cells, tags and attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.cells: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag in {"td", "th", "caption", "pre"}:
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in {"td", "th", "caption", "pre"}:
            self.cells[-1] += data


def test_of_many_parameters_the_first_and_the_last_are_shown():
    layers = [VariationalAutoencoder(n_out=3), OutputLayer(n_out=2)]
    conf = MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(4))
    shapes = conf.summary().splitlines()[3].split("  ")
    assert "e0W:[4, 100], e0b:[100], ..., pXZW:[100, 8], pXZb:[8]" in shapes


def test_a_notebook_shows_the_summary_as_a_table():
    page = Page(perceptron()._repr_html_())
    assert page.cells[0] == "MultiLayerConfiguration"
    assert page.cells[1:6] == ["Layer (type)", "nIn, nOut", "Parameters", "Shapes", "Output shape"]
    assert page.cells[11:16] == ["0 layer0 (DenseLayer)", "50, 100", "5,100", "W:[50, 100], b:[100]", "[?, 100]"]
    assert page.cells[-1] == "Total parameters: 6,110 (float)"


def test_a_notebook_shows_what_was_set_of_a_layer():
    page = Page(DenseLayer(n_out=3, activation="relu", name="x", updater=Adam(learning_rate=0.5))._repr_html_())
    assert page.cells == [
        *("DenseLayer", "Option", "Value"),
        *("name", "'x'", "updater", "Adam(learning_rate=0.5)", "activation", "'relu'", "n_out", "3"),
    ]


def test_html_is_plain_and_escaped():
    name = "<script>alert('x')</script>&\"<img src=//x.y>"
    layer = DenseLayer(n_in=1, n_out=1, name=name)
    for html in (layer._repr_html_(), MultiLayerConfiguration(layers=[layer, OutputLayer(n_out=2)])._repr_html_()):
        page = Page(html)
        assert page.tags == {"div", "table", "caption", "thead", "tbody", "tr", "th", "td"} | page.tags & {"pre"}
        assert page.attributes == {"style"}
        assert any(name in cell or repr(name) in cell for cell in page.cells)
        assert "<script" not in html
        assert "<img" not in html


def branches(**options):
    """An image and numbers, joined."""
    picture = Input(InputType.convolutional(height=8, width=8, channels=1), name="picture")
    numbers = Input(InputType.feed_forward(5), name="numbers")
    seen = DenseLayer(n_out=7, name="seen")(ConvolutionLayer(n_out=3, name="look")(picture))
    out = OutputLayer(n_out=2, name="out")(MergeVertex()(seen, numbers, name="both"))
    return ComputationGraphConfiguration(inputs=[picture, numbers], outputs=[out], **options)


def test_the_summary_of_a_graph_names_the_inputs_of_every_vertex():
    assert branches().summary() == (
        "Vertex (type)                   nIn, nOut  Parameters  Shapes                 Output shape  Inputs\n"
        "---------------------------------------------------------------------------------------------------------\n"
        "picture                                                                       [?, 1, 8, 8]\n"
        "numbers                                                                       [?, 5]\n"
        "look (ConvolutionLayer)         1, 3               78  b:[3], W:[3, 1, 5, 5]  [?, 3, 4, 4]  picture\n"
        "  CnnToFeedForwardPreProcessor                                                [?, 48]\n"
        "seen (DenseLayer)               48, 7             343  W:[48, 7], b:[7]       [?, 7]        look\n"
        "both (MergeVertex)              -                   0  -                      [?, 12]       seen, numbers\n"
        "out (OutputLayer)               12, 2              26  W:[12, 2], b:[2]       [?, 2]        both\n"
        "---------------------------------------------------------------------------------------------------------\n"
        "Total parameters: 447 (float)"
    )


def test_the_memory_of_a_graph_counts_every_activation_once():
    found = memory(branches(updater="nesterovs"), 10)
    assert found.activations == 10 * (64 + 5 + 48 + 7 + 12 + 2)
    assert found.largest == 10 * (64 + 48)
    assert (found.parameters, found.updater_state) == (447, 447)


def test_frozen_parameters_are_counted_apart():
    frozen = FrozenVertex(underlying=LayerVertex(layer=DenseLayer(n_in=5, n_out=7)))
    conf = ComputationGraphConfiguration(
        inputs=["in"],
        vertices={"kept": (frozen, "in"), "out": (OutputLayer(n_in=7, n_out=2), "kept")},
        outputs=["out"],
        updater="adam",
    )
    assert "kept (FrozenVertex DenseLayer)  5, 7               42" in conf.summary()
    assert conf.summary().endswith("Total parameters: 58 (float), of these trainable: 16, frozen: 42")
    assert memory(conf).updater_state == 2 * 16


def test_a_notebook_shows_a_graph():
    page = Page(branches()._repr_html_())
    assert page.cells[0] == "ComputationGraphConfiguration"
    assert page.cells[1:7] == ["Vertex (type)", "nIn, nOut", "Parameters", "Shapes", "Output shape", "Inputs"]
    assert page.cells[-7:] == [
        "out (OutputLayer)",
        "12, 2",
        "26",
        "W:[12, 2], b:[2]",
        "[?, 2]",
        "both",
        "Total parameters: 447 (float)",
    ]
