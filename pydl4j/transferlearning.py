"""Transfer learning, under DL4J's names: ``network.transfer_learning(TransferLearning(...))``."""

from pydl4j.conf.transferlearning import *
