"""Where Python's classes are not DL4J's on purpose: name -> why.

A name is that of a DL4J class that Python does not have, or ``Class.key`` for a JSON key, or ``Class.key:what`` for one
side of it: ``missing``, ``extra``, ``derived``, ``type``, ``choices``, ``default``, ``absent``, or ``null`` (DL4J leaves
null what is absent, and Python's option has no such value). ``Class`` may be a base class or the family; ``*`` is any.
"""

from pydl4j.layers import DenseLayer

_FOR_READING_ONLY = "made from documents only: what is absent there is its default"
_INHERITED = "None, which inherits; the network's are written"
_FROM_INPUTS = "must be given in DL4J; taken from the input types here"
_OTHER_NAME = "another name that DL4J reads and M2.1 does not write"

REASONS: dict[str, str] = {
    "*:null": "DL4J fails with what is null when it makes the layer; here it is the default",
    "Layer.dataType": "a layer has the network's data type; nothing keeps what this setter is given",
    "BaseLayer.regularization:default": _INHERITED,
    "BaseLayer.regularizationBias:default": _INHERITED,
    "NeuralNetConfiguration.optimizationAlgo:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.maxNumLineSearchIterations:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.cacheMode:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.seed:default": "DL4J takes it from the clock",
    "NeuralNetConfiguration.layer:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.stepFunction:type": "a class without options in DL4J, a choice here",
    "NeuralNetConfiguration.dataType:choices": "networks compute with these three only",
    "MultiLayerConfiguration.dataType:choices": "networks compute with these three only",
    "MultiLayerConfiguration.confs": "the layers, each with a NeuralNetConfiguration around it",
    "GraphVertex.dataType": "a vertex has the network's data type; nothing keeps what this setter is given",
    "LayerVertex.layerConf": "the layer, with a NeuralNetConfiguration around it",
    "AttentionVertex.weightInit:choices": "a distribution is not among what DL4J initializes this vertex with",
    "AttentionVertex.headSize:default": "DL4J's builder computes it, as here",
    "AttentionVertex.nheads:default": "1 in DL4J's builder; the dump gives it",
    "AttentionVertex.ninKeys:default": _FROM_INPUTS,
    "AttentionVertex.ninQueries:default": _FROM_INPUTS,
    "AttentionVertex.ninValues:default": _FROM_INPUTS,
    "AttentionVertex.projectInput:default": "false in DL4J's builder; the dump gives it",
    "AttentionVertex.vertexParams:derived": "computed from the others, in DL4J too",
    "ComputationGraphConfiguration.defaultConfiguration": "what the network's options say, and its layers inherit",
    "LastTimeStepVertex.maskArrayInputName:default": "no Java constructor leaves it out; None is allowed",
    "ReshapeVertex.reshapeOrder:type": "a character in DL4J, of which it takes these two",
    "AttentionVertex.dataType:choices": "networks compute with these three only",
    "ComputationGraphConfiguration.dataType:choices": "networks compute with these three only",
    "IDropout.pSchedule": _OTHER_NAME,
    "DropConnect.weightRetainProbability": _OTHER_NAME,
    "Cnn3DToFeedForwardPreProcessor.isNCDHW": _OTHER_NAME,
    "Nesterovs.momentumSchedule": _OTHER_NAME,
    "CycleSchedule.increment:derived": "the constructor computes it from the others",
    "CycleSchedule.stepSize:derived": "the constructor computes it from the others",
    "InputTypeConvolutional.depth:derived": "an old name of channels",
    "InputTypeConvolutional3D.dataFormat:default": "DL4J's factories have two defaults; the layers' is taken",
    "InputTypeRecurrent.timeSeriesLength:absent": "no time steps at all; here their number is unknown",
    "LayerConstraint.dimensions:default": "variable arguments in Java, which may be left out",
    "MinMaxNormConstraint.params:default": "null in DL4J until the layer is built, which sets it",
    "OrthogonalDistribution.gain:default": "no Java constructor leaves it out; 1 keeps norms",
    "WeightDecay.applyLR:default": "DL4J's weightDecay(coefficient) sets it",
}

SAMPLES: dict[str, dict[str, object]] = {
    "MultiLayerConfiguration": {"layers": [DenseLayer(n_in=1, n_out=1)]},
    "ComputationGraphConfiguration": {
        "inputs": ["in"],
        "outputs": ["out"],
        "vertices": {"out": (DenseLayer(n_in=1, n_out=1), "in")},
    },
    "ReshapeVertex": {"new_shape": [-1, 1]},
    "UniformDistribution": {"lower": 0.0, "upper": 1.0},
    "UnstackVertex": {"from_": 0, "stack_size": 1},
}
"""Required options whose values must fit together."""

NEEDED: dict[str, set[str]] = {
    "ComputationGraphConfiguration": {"defaultConfiguration", "vertices", "vertexInputs"},
    "LayerVertex": {"layerConf"},
}
"""Keys without which DL4J reads a document that it cannot use; pydl4j refuses it."""
