"""Preprocessors between layers, under DL4J's names."""

from pydl4j.conf.preprocessors import (
    CnnToFeedForwardPreProcessor,
    CnnToRnnPreProcessor,
    FeedForwardToCnnPreProcessor,
    FeedForwardToRnnPreProcessor,
    InputPreProcessor,
    RnnToCnnPreProcessor,
    RnnToFeedForwardPreProcessor,
)

__all__ = [
    "CnnToFeedForwardPreProcessor",
    "CnnToRnnPreProcessor",
    "FeedForwardToCnnPreProcessor",
    "FeedForwardToRnnPreProcessor",
    "InputPreProcessor",
    "RnnToCnnPreProcessor",
    "RnnToFeedForwardPreProcessor",
]
