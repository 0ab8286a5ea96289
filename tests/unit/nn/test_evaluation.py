"""The figures that follow from a confusion matrix."""

import math

import numpy as np
import pytest

from pydl4j.errors import DataError
from pydl4j.nn.evaluation import Evaluation

THREE = np.array([[5, 1, 0], [2, 6, 0], [0, 1, 0]])


def test_three_classes_are_averaged_over_those_that_are_defined() -> None:
    evaluation = Evaluation.of(THREE)
    assert evaluation.examples == 15
    assert evaluation.accuracy == pytest.approx(11 / 15)
    # class 2 was never predicted: no precision, no F1
    assert evaluation.precision == pytest.approx((5 / 7 + 6 / 8) / 2)
    assert evaluation.recall == pytest.approx((5 / 6 + 6 / 8 + 0) / 3)
    f1 = [2 * p * r / (p + r) for p, r in ((5 / 7, 5 / 6), (6 / 8, 6 / 8))]
    assert evaluation.f1 == pytest.approx(sum(f1) / 2)
    assert math.isnan(evaluation.class_precision[2])
    assert evaluation.class_recall[2] == 0


def test_two_classes_give_the_figures_of_class_1() -> None:
    evaluation = Evaluation.of(np.array([[50, 10], [5, 35]]))
    assert evaluation.precision == pytest.approx(35 / 45)
    assert evaluation.recall == pytest.approx(35 / 40)
    assert evaluation.f1 == pytest.approx(2 * 35 / (45 + 40))


def test_it_is_frozen_and_readable() -> None:
    evaluation = Evaluation.of(THREE, ("ant", "bee", "cat"))
    with pytest.raises(ValueError, match="read-only"):
        evaluation.confusion[0, 0] = 9
    assert repr(evaluation) == "Evaluation(accuracy=0.7333, precision=0.7321, recall=0.5278, f1=0.7596, examples=15)"
    assert str(evaluation).splitlines()[-4:] == [
        "     ant bee cat",
        " ant   5   1   .",
        " bee   2   6   .",
        " cat   .   1   .",
    ]


@pytest.mark.parametrize(
    ("confusion", "labels", "message"),
    [
        (np.ones((2, 3)), None, r"square.*\(2, 3\)"),
        (np.zeros((2, 2)), None, "at least one example"),
        (THREE, ("a",), "expected 3 labels.*Received: 1"),
    ],
)
def test_what_is_no_confusion_matrix_is_refused(confusion, labels, message) -> None:
    with pytest.raises(DataError, match=message):
        Evaluation.of(confusion, labels)
