"""Pictures show what they are given and leave the user's matplotlib alone."""

import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from pydl4j import plot
from pydl4j.errors import DataError
from pydl4j.nn.evaluation import Evaluation
from pydl4j.nn.history import Epoch, History

PLAIN = History([Epoch(1, 2.0, 0.1, 10), Epoch(2, 1.0, 0.1, 10), Epoch(3, 0.5, 0.1, 10)])
VALIDATED = History([Epoch(1, 2.0, 0.1, 10, 2.2, 0.4), Epoch(2, 1.0, 0.1, 10, 1.2, 0.8)])
COUNTS = np.array([[50, 2, 0], [1, 40, 3], [0, 0, 60]])


def test_a_learning_curve_shows_each_column() -> None:
    left, right = plot.learning_curve(VALIDATED).figure.axes
    assert [line.get_label() for line in left.get_lines()] == ["score", "validation score"]
    assert left.get_lines()[0].get_xydata().tolist() == [[1, 2], [2, 1]]
    assert left.get_lines()[1].get_ydata().tolist() == [2.2, 1.2]
    assert right.get_lines()[0].get_ydata().tolist() == [0.4, 0.8]
    assert (left.get_xlabel(), left.get_ylabel(), right.get_ylabel()) == ("epoch", "score", "accuracy")


def test_without_validation_there_is_one_axis_and_one_line() -> None:
    (ax,) = plot.learning_curve(PLAIN).figure.axes
    assert [line.get_label() for line in ax.get_lines()] == ["score"]


def test_runs_are_compared_by_name() -> None:
    left, right = plot.learning_curve({"one": VALIDATED, "two": PLAIN}).figure.axes
    texts = [text.get_text() for text in left.get_legend().get_texts()]
    assert texts == ["one: score", "one: validation score", "two: score", "one: validation accuracy"]
    assert left.get_lines()[0].get_linestyle() != left.get_lines()[2].get_linestyle()
    assert len(right.get_lines()) == 1


def test_one_epoch_is_seen_as_a_point() -> None:
    assert plot.learning_curve(PLAIN[:1]).get_lines()[0].get_marker() == "o"


@pytest.mark.parametrize("nothing", [History(), {}, {"run": History()}])
def test_nothing_to_draw(nothing: History) -> None:
    with pytest.raises(DataError, match=r"history: expected at least one epoch to draw. Received: none"):
        plot.learning_curve(nothing)


def test_a_confusion_matrix_shows_counts_and_shares() -> None:
    ax = plot.confusion_matrix(Evaluation.of(COUNTS, ("cat", "dog", "elephant")))
    written = {(round(t.get_position()[1]), round(t.get_position()[0])): t.get_text() for t in ax.texts}
    assert written == {(0, 0): "50", (0, 1): "2", (1, 0): "1", (1, 1): "40", (1, 2): "3", (2, 2): "60"}
    np.testing.assert_allclose(ax.get_images()[0].get_array()[0], [50 / 52, 2 / 52, 0])
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["cat", "dog", "elephant"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "actual")
    assert ax.get_title() == "accuracy 0.9615"


def test_many_classes_and_a_class_without_examples() -> None:
    counts = np.eye(40, dtype=np.int64) * 5
    counts[7] = 0
    ax = plot.confusion_matrix(Evaluation.of(counts))
    assert not ax.texts
    assert np.asarray(ax.get_images()[0].get_array())[7].tolist() == [0] * 40


class Curve:
    false_positive_rate = np.array([0, 0.5, 1])
    true_positive_rate = np.array([0, 0.75, 1])
    precision = np.array([1, 0.6, 0.5])
    auc, auprc = 0.625, 0.6


class Rocs:
    roc_curves = (Curve(), Curve())
    names = ("cat", "dog")


class One:
    roc_curves = (Curve(),)
    names = ("0",)


def test_curves_have_names_and_areas() -> None:
    ax = plot.roc_curve(Rocs())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["cat: 0.6250", "dog: 0.6250"]
    assert ax.get_lines()[1].get_xydata().tolist() == [[0, 0], [0.5, 0.75], [1, 1]]
    ax = plot.precision_recall_curve({"before": One(), "after": One()})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["before: 0.6000", "after: 0.6000"]
    assert ax.get_lines()[0].get_xydata().tolist() == [[0, 1], [0.75, 0.6], [1, 0.5]]
    assert [text.get_text() for text in plot.roc_curve(One()).get_legend().get_texts()] == ["area 0.6250"]
    with pytest.raises(DataError, match="at least one evaluation to draw"):
        plot.roc_curve({})


class Calibration:
    names = ("cat", "dog")

    def reliability_diagram(self, index):
        return np.array([0.2, 0.8]), np.array([0.1, 0.9]) + 0.01 * index, np.array([5, 6])

    def residual_plot(self, index=None):
        return np.array([0, 0.5, 1]), np.array([7, 3 if index is None else index])

    def probability_histogram(self, index=None):
        return np.array([0, 0.5, 1]), np.array([1, 2])


def test_a_reliability_diagram_has_a_line_for_each_class() -> None:
    ax = plot.reliability_diagram(Calibration())
    assert [line.get_label() for line in ax.get_lines()[1:]] == ["cat", "dog"]
    assert ax.get_lines()[1].get_xydata().tolist() == [[0.2, 0.1], [0.8, 0.9]]
    assert len(plot.reliability_diagram(Calibration(), classes=[1]).get_lines()) == 2


def test_histograms_of_residuals_and_probabilities() -> None:
    ax = plot.residuals(Calibration())
    assert [bar.get_height() for bar in ax.patches] == [7, 3]
    assert ax.get_title() == "all classes"
    ax = plot.residuals(Calibration(), 1)
    assert [bar.get_height() for bar in ax.patches] == [7, 1]
    assert ax.get_title() == "class dog"
    assert [bar.get_height() for bar in plot.probabilities(Calibration()).patches] == [1, 2]


@pytest.mark.parametrize(
    "draw", [lambda ax: plot.learning_curve(VALIDATED, ax), lambda ax: plot.confusion_matrix(Evaluation.of(COUNTS), ax)]
)
def test_given_axes_are_drawn_on(draw, tmp_path: Path) -> None:
    ax = Figure().add_subplot()
    assert draw(ax) is ax
    ax.figure.savefig(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_backend_and_pyplot_stay_untouched(tmp_path: Path) -> None:
    code = (
        "import sys; from pydl4j import plot; from pydl4j.nn.history import Epoch, History\n"
        "assert 'matplotlib' not in sys.modules\n"
        f"plot.learning_curve(History([Epoch(1, 1.0, 1.0, 1)])).figure.savefig({str(tmp_path / 'a.png')!r})\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        timeout=60,
        env={"MPLCONFIGDIR": mpl.get_configdir(), "PYTHONPATH": ":".join(sys.path)},
    )


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pictures need matplotlib: pip install 'pydl4j\[plot\]'"):
        plot.learning_curve(PLAIN)
