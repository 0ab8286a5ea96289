"""The figures that follow from a confusion matrix."""

import math

import numpy as np
import pytest

from pydl4j.errors import ConfigError, DataError
from pydl4j.evaluation import (
    ROC,
    Evaluation,
    EvaluationBinary,
    EvaluationCalibration,
    RegressionEvaluation,
    ROCMultiClass,
)
from pydl4j.nn.evaluation.base import Numbers

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


# -- what the JVM counts, as figures -----------------------------------------------------------------------------------------------------


def numbers(*parts) -> Numbers:
    return Numbers(np.concatenate([np.ravel(part) for part in parts]).astype("f8"))


def test_top_n_accuracy_is_said_where_it_was_asked_for() -> None:
    evaluation = Evaluation(top_n=2)._counted(numbers(3, 13, THREE))
    assert evaluation.top_n_accuracy == pytest.approx(13 / 15)
    assert repr(evaluation).startswith("Evaluation(accuracy=0.7333, top_2_accuracy=0.8667, precision=")


def test_an_output_that_never_says_yes_is_left_out_of_the_means() -> None:
    counts = [[4, 1, 4, 1], [0, 0, 8, 2]]
    binary = EvaluationBinary(labels=["rain", "snow"])._counted(numbers(2, counts))
    assert list(binary.accuracy) == [0.8, 0.8]
    assert math.isnan(binary.precision[1])
    assert binary.average_precision == 0.8
    assert binary.average_recall == pytest.approx((0.8 + 0) / 2)
    assert str(binary).splitlines()[1].split() == [
        "rain",
        "0.8000",
        "0.8000",
        "0.8000",
        "0.8000",
        "10",
        "4",
        "1",
        "4",
        "1",
    ]
    assert str(binary).splitlines()[3].split() == ["mean", "0.8000", "0.8000", "0.4000", "0.4000"]


CURVE = [4, 2, 3, [np.inf, 0.9, 0.5, 0.1], [0, 1, 1, 2], [0, 0, 2, 3]]


def test_areas_are_those_of_trapezoids() -> None:
    roc = ROC()._counted(numbers(1, *CURVE))
    assert roc.auc == pytest.approx(2 / 3 * 0.5 + 1 / 3 * 0.75)
    assert roc.auprc == pytest.approx(0.5 * 1 + 0.5 * (1 / 3 + 2 / 5) / 2)
    assert repr(roc) == "ROC(auc=0.5833, auprc=0.6833, positives=2, negatives=3)"
    assert list(roc.roc_curve.precision) == pytest.approx([1, 1, 1 / 3, 2 / 5])


def test_a_curve_without_negatives_has_no_area() -> None:
    roc = ROCMultiClass()._counted(numbers(2, *CURVE, 2, 2, 0, [np.inf, 0.5], [0, 2], [0, 0]))
    assert math.isnan(roc.auc[1])
    assert roc.average_auc == roc.auc[0]
    assert str(roc).splitlines()[2].split() == ["1", "nan", "1", "2", "0.0000"]


def calibration() -> EvaluationCalibration:
    asked = EvaluationCalibration(reliability_diag_num_bins=2, histogram_num_bins=4, labels=["a", "b"])
    of_class = np.arange(8)
    parts = [
        [[1, 0], [3, 4]],
        [[4, 0], [4, 8]],
        [[0.8, 0], [3.0, 6.4]],
        [4, 4],
        [3, 5],
        [1, 2, 3, 4],
        of_class,
        [4, 3, 2, 1],
        of_class,
    ]
    return asked._counted(numbers(2, *parts))


def test_bins_without_outputs_are_left_out() -> None:
    evaluation = calibration()
    diagram = evaluation.reliability_diagram(1)
    assert [list(part) for part in diagram] == [[0.8], [0.5], [8]]
    assert list(evaluation.expected_calibration_error) == pytest.approx([0.2 / 8, 2.4 / 8])
    assert list(evaluation.residual_plot().counts) == [1, 2, 3, 4]
    assert list(evaluation.residual_plot(1).counts) == [1, 3, 5, 7]
    assert list(evaluation.probability_histogram(0).edges) == [0, 0.25, 0.5, 0.75, 1]
    with pytest.raises(DataError, match="index must be from 0 to 1"):
        evaluation.reliability_diagram(2)


def test_numbers_of_a_regression() -> None:
    evaluation = RegressionEvaluation()._counted(numbers(1, [4, 2.5, 2.0, 5, 5, 4, 3, 2]))
    assert evaluation.average_mean_squared_error == 0.75
    assert evaluation.average_r_squared == pytest.approx(0.4)
    assert evaluation.average_pearson_correlation == pytest.approx(0.8)
    assert repr(evaluation).endswith("average_r_squared=0.4000, columns=1, examples=4)")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Evaluation(top_n=0), "top_n must be an int >= 1"),
        (lambda: Evaluation(binary_decision_threshold=2), "binary_decision_threshold must be a number from 0 to 1"),
        (lambda: Evaluation(cost_array=[1, -1]), "cost_array must be numbers >= 0"),
        (lambda: Evaluation(cost_array=[1, 1], binary_decision_threshold=0.1), "not both"),
        (lambda: Evaluation(labels="abc"), "labels must be a list of names"),
        (lambda: EvaluationBinary(decision_threshold=[0.1, -1]), "decision_threshold must be a number from 0 to 1"),
        (lambda: ROC(-1), "threshold_steps must be an int >= 0"),
        (lambda: EvaluationCalibration(histogram_num_bins=0), "histogram_num_bins must be an int >= 1"),
    ],
)
def test_options_that_cannot_be(make, message) -> None:
    with pytest.raises(ConfigError, match=message):
        make()
