"""How well networks do: DL4J's evaluations, as data."""

from pydl4j.nn.evaluation.base import IEvaluation
from pydl4j.nn.evaluation.binary import EvaluationBinary
from pydl4j.nn.evaluation.calibration import EvaluationCalibration
from pydl4j.nn.evaluation.classes import Evaluation
from pydl4j.nn.evaluation.regression import RegressionEvaluation
from pydl4j.nn.evaluation.roc import ROC, ROCBinary, ROCMultiClass

__all__ = [
    "ROC",
    "Evaluation",
    "EvaluationBinary",
    "EvaluationCalibration",
    "IEvaluation",
    "ROCBinary",
    "ROCMultiClass",
    "RegressionEvaluation",
]
