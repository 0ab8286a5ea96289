"""Layers, under DL4J's names."""

from pydl4j.conf.layers import (
    LSTM,
    ActivationLayer,
    BatchNormalization,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    GlobalPoolingLayer,
    GravesLSTM,
    Layer,
    LocalResponseNormalization,
    LossLayer,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
)

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
