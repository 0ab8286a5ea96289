"""Layers by kind."""

from pydl4j.conf.layers.base import Layer
from pydl4j.conf.layers.convolution import ConvolutionLayer, GlobalPoolingLayer, SubsamplingLayer
from pydl4j.conf.layers.feedforward import ActivationLayer, DenseLayer, DropoutLayer
from pydl4j.conf.layers.normalization import BatchNormalization, LocalResponseNormalization
from pydl4j.conf.layers.output import LossLayer, OutputLayer, RnnOutputLayer
from pydl4j.conf.layers.recurrent import LSTM, GravesLSTM

__all__ = [
    "LSTM",
    "ActivationLayer",
    "BatchNormalization",
    "ConvolutionLayer",
    "DenseLayer",
    "DropoutLayer",
    "GlobalPoolingLayer",
    "GravesLSTM",
    "Layer",
    "LocalResponseNormalization",
    "LossLayer",
    "OutputLayer",
    "RnnOutputLayer",
    "SubsamplingLayer",
]
