"""Pictures of networks: their text, colours and sizes."""

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from pydl4j import ComputationGraphConfiguration, Input, InputType, MultiLayerConfiguration, plot
from pydl4j.conf.rows import rows
from pydl4j.errors import ConfigError
from pydl4j.layers import (
    LSTM,
    ActivationLayer,
    BatchNormalization,
    Convolution1DLayer,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    FrozenLayerWithBackprop,
    GlobalPoolingLayer,
    GravesBidirectionalLSTM,
    LastTimeStep,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
    Upsampling2D,
)
from pydl4j.plot.diagram import _KINDS
from pydl4j.vertices import ElementWiseVertex, MergeVertex

LENET = MultiLayerConfiguration(
    layers=[
        ConvolutionLayer(n_out=20),
        SubsamplingLayer(kernel_size=2),
        ConvolutionLayer(n_out=50, kernel_size=(3, 5), stride=(1, 2)),
        DenseLayer(n_out=500, name="wide"),
        OutputLayer(n_out=10),
    ],
    input_type=InputType.convolutional_flat(height=28, width=28, channels=1),
)


IMAGES = InputType.convolutional(height=24, width=24, channels=3)
TIMES = "\N{MULTIPLICATION SIGN}"


def texts(axes) -> list[str]:
    """The texts of the picture as SVG, read as XML."""
    with mpl.rc_context({"svg.fonttype": "none"}):
        buffer = io.BytesIO()
        axes.figure.savefig(buffer, format="svg")
    return [
        "".join(element.itertext())
        for element in ET.fromstring(buffer.getvalue()).iter("{http://www.w3.org/2000/svg}text")
    ]


def test_boxes_say_what_the_layers_are():
    assert texts(plot.network(LENET)) == [
        "MultiLayerConfiguration: 1,021,080 parameters",
        *("input", "784"),
        *("FeedForwardToCnn", "layer0", "ConvolutionLayer", f"5{TIMES}5, 1 → 20, 520 parameters"),
        f"20 {TIMES} 24 {TIMES} 24",
        *("layer1", "SubsamplingLayer", f"max, 2{TIMES}2, stride 2", f"20 {TIMES} 12 {TIMES} 12"),
        *("layer2", "ConvolutionLayer", f"3{TIMES}5, stride 1{TIMES}2, 20 → 50, 15,050 parameters"),
        f"50 {TIMES} 10 {TIMES} 4",
        *("CnnToFeedForward", "wide", "DenseLayer", "2000 → 500, 1,000,500 parameters", "500"),
        *("layer4", "OutputLayer", "500 → 10, 5,010 parameters", "10"),
        *("input", "convolution", "pooling", "feedforward", "output"),
    ]


def test_names_are_text_whatever_signs_they_have():
    name = "<b>&amp; $x_1$ \\alpha"
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=3, n_out=2, name=name), OutputLayer(n_out=2)])
    assert name in texts(plot.network(conf))


def test_long_names_are_cut_to_the_box():
    conf = MultiLayerConfiguration(layers=[DenseLayer(n_in=3, n_out=2, name="long" * 40), OutputLayer(n_out=2)])
    (cut,) = [text for text in texts(plot.network(conf)) if text.startswith("longlong")]
    assert cut.endswith("…")
    assert plot.network(conf).figure.get_size_inches()[0] < 4.5


SMALLEST = MultiLayerConfiguration(layers=[OutputLayer(n_in=1, n_out=2, name="o")])
WORDY = MultiLayerConfiguration(
    layers=[
        FrozenLayerWithBackprop(layer=FrozenLayerWithBackprop(layer=GravesBidirectionalLSTM(n_out=4), name="n" * 80)),
        RnnOutputLayer(n_out=2),
    ],
    input_type=InputType.recurrent(3),
)


@pytest.mark.parametrize("conf", [LENET, SMALLEST, WORDY])
def test_every_text_is_inside_of_the_picture_and_of_its_box(conf):
    ax = plot.network(conf)
    figure = ax.figure
    figure.draw_without_rendering()
    everything = figure.bbox
    boxes = [patch.get_window_extent() for patch in ax.patches]
    for text in ax.texts:
        extent = text.get_window_extent()
        assert everything.x0 <= extent.x0 < extent.x1 <= everything.x1
        assert everything.y0 <= extent.y0 < extent.y1 <= everything.y1
    inside = [
        text
        for text in ax.texts
        if any(
            b.x0 <= text.get_window_extent().x0
            and text.get_window_extent().x1 <= b.x1
            and b.y0 <= text.get_window_extent().y0
            and text.get_window_extent().y1 <= b.y1
            for b in boxes
        )
    ]
    kinds = {row.kind for row in rows(conf.resolve())}
    assert len(inside) == len(ax.texts) - 1 - len(kinds)  # all but the title and the legend


def test_a_colour_tells_the_kind_of_layer():
    conf = MultiLayerConfiguration(
        layers=[LSTM(n_out=4), BatchNormalization(), DropoutLayer(), RnnOutputLayer(n_out=2)],
        input_type=InputType.recurrent(3),
    )
    ax = plot.network(conf)
    used = [text for text in ax.texts if text.get_text() in {"LSTM", "BatchNormalization", "RnnOutputLayer"}]
    assert [text.get_color() for text in used] == [_KINDS[k] for k in ("recurrent", "normalization", "output")]
    edges = {patch.get_edgecolor()[:3] for patch in ax.patches}
    assert {to_rgb(_KINDS[k]) for k in ("input", "recurrent", "normalization", "output")} <= edges


def test_unknown_shapes_are_question_marks():
    conf = MultiLayerConfiguration(layers=[ConvolutionLayer(n_in=1, n_out=2), SubsamplingLayer()])
    assert texts(plot.network(conf)).count("?") == 3


def test_deep_networks_are_folded():
    layers = [DenseLayer(n_out=8)] * 60
    ax = plot.network(MultiLayerConfiguration(layers=layers, input_type=InputType.feed_forward(4)))
    width, height = ax.figure.get_size_inches()
    assert 1 < width / height < 2


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_pictures_are_saved(tmp_path: Path, suffix, start):
    plot.network(LENET).figure.savefig(tmp_path / f"network{suffix}")
    assert (tmp_path / f"network{suffix}").read_bytes().startswith(start)


def test_given_axes_are_drawn_on_at_their_size():
    figure = Figure(figsize=(3, 2))
    ax = figure.add_axes((0, 0, 0.5, 1))
    assert plot.network(LENET, ax) is ax
    assert tuple(figure.get_size_inches()) == (3, 2)
    assert ax.texts[0].get_fontsize() < plot.network(LENET).texts[0].get_fontsize() / 2


@pytest.mark.parametrize(
    ("given", "hint"), [(5, ""), ('{"layers": []}', r" \(MultiLayerConfiguration\.from_json reads a document\)")]
)
def test_what_is_no_configuration_is_refused(given, hint):
    message = rf"^plot\.network must have the configuration of a network{hint}\. Received: {re.escape(repr(given))}$"
    with pytest.raises(ConfigError, match=message):
        plot.network(given)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pictures need matplotlib: pip install 'pydl4j\[plot\]'"):
        plot.network(LENET)


def test_drawing_leaves_pyplot_and_graphviz_alone():
    code = (
        "import sys; from pydl4j import MultiLayerConfiguration, plot\n"
        "from pydl4j.layers import DenseLayer, OutputLayer\n"
        "assert 'matplotlib' not in sys.modules\n"
        "plot.network(MultiLayerConfiguration(layers=[DenseLayer(n_in=1, n_out=1), OutputLayer(n_out=2)]))\n"
        "print([name for name in ('matplotlib.pyplot', 'graphviz', 'networkx', 'jpype') if name in sys.modules])\n"
    )
    env = {"MPLCONFIGDIR": mpl.get_configdir(), "PYTHONPATH": ":".join(sys.path), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_vertices_of_graphs_are_drawn_with_their_inputs():
    a, b = Input(InputType.feed_forward(4), name="a"), Input(InputType.feed_forward(3), name="b")
    joined = MergeVertex()(DenseLayer(n_out=5, name="fc")(a), b, name="both")
    out = OutputLayer(n_out=2, name="out")(ElementWiseVertex(op="add")(joined, joined, name="twice"))
    ax = plot.network(ComputationGraphConfiguration(inputs=[a, b], outputs=[out]))
    assert texts(ax) == [
        "ComputationGraphConfiguration: 43 parameters",
        *("a", "4", "b", "3"),
        *("fc", "DenseLayer", "4 → 5, 25 parameters", "5"),
        *("both", "MergeVertex", "8"),
        *("twice", "ElementWiseVertex", "add", "8"),
        *("out", "OutputLayer", "8 → 2, 18 parameters", "2"),
        *("input", "feedforward", "vertex", "output"),
    ]
    arrows = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 6


@pytest.mark.parametrize(
    ("layer", "input_type", "text"),
    [
        (ConvolutionLayer(n_out=2, kernel_size=1, stride=11), IMAGES, f"1{TIMES}1, stride 11, 3 → 2, 8 parameters"),
        (
            ConvolutionLayer(n_out=2, kernel_size=1, stride=(1, 11)),
            IMAGES,
            f"1{TIMES}1, stride 1{TIMES}11, 3 → 2, 8 parameters",
        ),
        (ConvolutionLayer(n_out=2, kernel_size=1), IMAGES, f"1{TIMES}1, 3 → 2, 8 parameters"),
        (
            Convolution1DLayer(n_out=2, kernel_size=3, stride=2),
            InputType.recurrent(3),
            "3, stride 2, 3 → 2, 20 parameters",
        ),
        (Upsampling2D(size=3), IMAGES, "size 3"),
        (GlobalPoolingLayer(pooling_type="avg"), IMAGES, "avg"),
        (ActivationLayer(activation="relu"), IMAGES, "relu"),
        (LastTimeStep(layer=LSTM(n_out=2)), InputType.recurrent(3), "3 → 2, 48 parameters"),
    ],
)
def test_sizes_are_those_that_one_knows_a_layer_by(layer, input_type, text):
    conf = MultiLayerConfiguration(layers=[layer, DenseLayer(n_out=1)], input_type=input_type)
    assert texts(plot.network(conf)).count(text) == 1
