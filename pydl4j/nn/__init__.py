"""Networks: fit, output, predict, evaluate, score, save, load."""

from pydl4j.nn.earlystopping import EarlyStoppingResult
from pydl4j.nn.evaluation import Evaluation
from pydl4j.nn.graph import ComputationGraph
from pydl4j.nn.history import Epoch, History
from pydl4j.nn.network import MultiLayerNetwork

__all__ = ["ComputationGraph", "EarlyStoppingResult", "Epoch", "Evaluation", "History", "MultiLayerNetwork"]
