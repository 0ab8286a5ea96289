"""Where Python's classes are not DL4J's on purpose: name -> why.

A name is that of a DL4J class that Python does not have, or ``Class.key`` for a JSON key, or ``Class.key:what`` for one
side of it: ``missing``, ``extra``, ``derived``, ``type``, ``choices``, ``default``, ``absent``; ``null`` (DL4J leaves null
what is absent, and Python's option has no such value) or ``refused`` (reading refuses what is absent). ``Class`` may be a
base class or the family in Java; ``*`` is any.
"""

from pydl4j.datavec import StringComparator
from pydl4j.layers import LSTM, DenseLayer

_FOR_READING_ONLY = "made from documents only: what is absent there is its default"
_INHERITED = "None, which inherits; the network's are written"
_BY_THE_PROCESS_BUILDER = "what methods of TransformProcess.Builder take"
_REFUSED = "refused where there are any: DataVec cannot read them"
_OTHER_NAME = "another name that DL4J reads and M2.1 does not write"
_COMPUTED = "follows from the others; what a document says about it is of no effect"
_INFERRED = "left out, it is taken from the input; DL4J wants it given"
_UNREADABLE = "DL4J cannot read it back"
_STEP_FUNCTION = "has no options: a choice of step_function"
_NETWORK_TYPES = "networks compute with these three only"
_PENALTIES = "the options l1, l2 and weight_decay say it"
_PRESENCE = "DL4J's JSON says only that there is one"
_PROGRESS = "set while training; a condition in a configuration is new"

REASONS: dict[str, str] = {
    # classes
    "ActivationPReLU": f"{_UNREADABLE}; PReLULayer is what users have",
    "ArrayEmbeddingInitializer": _UNREADABLE,
    "ConditionalReduction": _UNREADABLE,
    "DataSetLossCalculatorCG": "deprecated; DataSetLossCalculator takes graphs, too",
    "LocalFileGraphSaver": "LocalFileModelSaver saves graphs, too",
    "SparkDataSetLossCalculator": "computes on a cluster, which pydl4j's early stopping in one process does not",
    "SparkLossCalculatorComputationGraph": "computes on a cluster, which pydl4j's early stopping in one process does not",
    "RampSchedule": _UNREADABLE,
    "TFOpLayer": f"{_UNREADABLE}; an operation of an imported Keras model",
    "SDLayerParams": "shapes that a layer computes from its options",
    "SDVertexParams": "shapes that a vertex computes from its options",
    "StepFunction": _STEP_FUNCTION,
    "DefaultStepFunction": _STEP_FUNCTION,
    "GradientStepFunction": _STEP_FUNCTION,
    "NegativeDefaultStepFunction": _STEP_FUNCTION,
    "NegativeGradientStepFunction": _STEP_FUNCTION,
    # any class
    "*:null": "DL4J fails with what is null when it makes the network; here it is the default",
    "*:refused": "DL4J fails with what is null when it makes the network; here reading refuses it",
    # networks
    "MultiLayerConfiguration.confs": "the layers, each with a NeuralNetConfiguration around it",
    "MultiLayerConfiguration.dataType:choices": _NETWORK_TYPES,
    "ComputationGraphConfiguration.dataType:choices": _NETWORK_TYPES,
    "ComputationGraphConfiguration.vertexInputs:default": "given together with the vertices",
    "NeuralNetConfiguration.cacheMode:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.dataType:choices": _NETWORK_TYPES,
    "NeuralNetConfiguration.layer:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.maxNumLineSearchIterations:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.optimizationAlgo:default": _FOR_READING_ONLY,
    "NeuralNetConfiguration.seed:default": "DL4J takes it from the clock",
    # layers and vertices
    "Layer.dataType": "a layer has the network's data type; nothing keeps what this setter is given",
    "Subsampling3DLayer.poolingType:choices": "DL4J takes sums and norms, and computes averages",
    "BaseUpsamplingLayer.size:default": "one number, which does nothing to sequences and is refused for the others",
    "BaseLayer.regularization:default": _INHERITED,
    "BaseLayer.regularizationBias:default": _INHERITED,
    "AbstractSameDiffLayer.layerParams:derived": _COMPUTED,
    "AbstractSameDiffLayer.regularization:default": _INHERITED,
    "AbstractSameDiffLayer.regularizationBias:default": _INHERITED,
    "AbstractSameDiffLayer.weightInit:choices": "DISTRIBUTION needs a distribution, which a name does not hold",
    "GraphVertex.dataType:missing": "a vertex has the network's data type; nothing keeps what this setter is given",
    "SameDiffVertex.vertexParams:derived": _COMPUTED,
    "SameDiffVertex.weightInit:choices": "DISTRIBUTION needs a distribution, which a name does not hold",
    "AttentionVertex.dataType:choices": _NETWORK_TYPES,
    "AttentionVertex.headSize:default": "left out, it is nout / nheads",
    "AttentionVertex.ninKeys:default": _INFERRED,
    "AttentionVertex.ninQueries:default": _INFERRED,
    "AttentionVertex.ninValues:default": _INFERRED,
    "LayerVertex.layerConf:type": "the layer, with a NeuralNetConfiguration around it",
    "LastTimeStepVertex.maskArrayInputName:default": "DL4J's constructor takes null for no mask, too",
    "ReshapeVertex.reshapeOrder:type": "a char in DL4J, of which two are orders",
    "Convolution1D.*:default": "DL4J's builder makes a Convolution1DLayer of it, which has these defaults",
    "Convolution2D.*:default": "DL4J's builder makes a ConvolutionLayer of it, which has these defaults",
    "Convolution3D.dilation:absent": "two numbers in DL4J, which then fails; here three",
    "Deconvolution3D.dilation:absent": "two numbers in DL4J, which then fails; here three",
    **{f"LocallyConnected1D.{key}:absent": "0, with which DL4J fails" for key in ("kernel", "stride", "dilation")},
    "Pooling1D.*:default": "DL4J's builder makes a Subsampling1DLayer of it, which has these defaults",
    "Pooling2D.*:default": "DL4J's builder makes a SubsamplingLayer of it, which has these defaults",
    # parts of layers
    "InputTypeConvolutional.depth:derived": "an old name of channels",
    "InputTypeConvolutional3D.dataFormat:default": "DL4J's factories have two defaults; the layers' is taken",
    "InputTypeRecurrent.timeSeriesLength:absent": "no time steps at all; here their number is unknown",
    "LearnedSelfAttentionLayer.headSize:default": _INFERRED,
    "LearnedSelfAttentionLayer.nheads:default": "DL4J's builder has none that it takes",
    "LearnedSelfAttentionLayer.nin:default": _INFERRED,
    "LearnedSelfAttentionLayer.nout:default": _INFERRED,
    "RecurrentAttentionLayer.headSize:default": _INFERRED,
    "RecurrentAttentionLayer.nheads:default": "DL4J's builder has none that it takes",
    "RecurrentAttentionLayer.nin:default": _INFERRED,
    "RecurrentAttentionLayer.nout:default": _INFERRED,
    "SelfAttentionLayer.headSize:default": _INFERRED,
    "SelfAttentionLayer.nheads:default": "DL4J's builder has none that it takes",
    "SelfAttentionLayer.nin:default": _INFERRED,
    "SelfAttentionLayer.nout:default": _INFERRED,
    "Bidirectional.bwd:default": "a copy of fwd, as DL4J's constructor makes one",
    "CompositeReconstructionDistribution.totalSize:derived": "the sum of the sizes",
    "FeedForwardToCnn3DPreProcessor.isNCDHW": _OTHER_NAME,
    "FrozenLayerWithBackprop.layer": _OTHER_NAME,
    "OCNNOutputLayer.activation": _OTHER_NAME,
    "OCNNOutputLayer.nout:derived": "always 1",
    "ReshapePreprocessor.dataFormat": _OTHER_NAME,
    "Cnn3DToFeedForwardPreProcessor.isNCDHW": _OTHER_NAME,
    "CycleSchedule.increment:derived": _COMPUTED,
    "CycleSchedule.stepSize:derived": _COMPUTED,
    "DropConnect.weightRetainProbability": _OTHER_NAME,
    "IDropout.pSchedule": _OTHER_NAME,
    "LayerConstraint.dimensions:default": "variable arguments in Java, which may be left out",
    "MinMaxNormConstraint.params:default": "null in DL4J until the layer is built, which sets it",
    "Nesterovs.momentumSchedule": _OTHER_NAME,
    "OrthogonalDistribution.gain:default": "no Java constructor leaves it out; 1 keeps norms",
    "Text.bytes:derived": "of the option value, which is the text",
    "Text.length:derived": "of the option value, which is the text",
    "DataAction": "the JSON object around a step, which says its kind",
    "NDArrayWritable": "DataVec cannot read back one that has an array",
    "StringReducer": "no step of a process takes one",
    "Reducer.conditionalReductions:derived": _REFUSED,
    "Reducer.customReductions:derived": _REFUSED,
    "DerivedColumn.columnType:default": "its builders say it",
    "DerivedColumn.columnType:choices": "DataVec makes columns of these two types only",
    "DerivedColumn.dateTimeZone:default": "the dump gives it",
    "DerivedColumn.fieldType:default": "null with a format",
    "ConvertToSequence.keyColumn": _OTHER_NAME,
    "DeriveColumnsFromTimeTransform.inputTimeZone:derived": "DataVec puts the column's in the place of what it reads",
    **dict.fromkeys(
        [
            f"{name}:{what}"
            for name in (
                "DeriveColumnsFromTimeTransform.insertAfter",
                "SequenceMovingWindowReduceTransform.newColumnName",
                "StringListToCountsNDArrayTransform.newColumnName",
                "StringListToIndicesNDArrayTransform.newColumnName",
            )
            for what in ("absent", "default", "derived")
        ],
        "may be left to be computed, as by another constructor or builder of DataVec",
    ),
    "SequenceOffsetTransform.edgeCaseValue:default": _BY_THE_PROCESS_BUILDER,
    "SequenceTrimToLengthTransform.pad:default": _BY_THE_PROCESS_BUILDER,
    "StringToTimeTransform.timeZone:absent": "the zone of the machine in DataVec, which others have not",
    "FirstDigitTransform.mode:default": _BY_THE_PROCESS_BUILDER,
    "SequenceOffsetTransform.operationType:default": "what is left of two when one is refused",
    "SequenceOffsetTransform.edgeHandling:default": _BY_THE_PROCESS_BUILDER,
    "SequenceTrimToLengthTransform.mode:default": _BY_THE_PROCESS_BUILDER,
    "StringToTimeTransform.timeZone:default": "as in TimeMetaData",
    "WeightDecay.applyLR:default": "DL4J's weightDecay(coefficient) sets it",
    # training
    "FineTuneConfiguration.constraints:derived": _PRESENCE,
    "FineTuneConfiguration.dropout:derived": _PRESENCE,
    "FineTuneConfiguration.gradientNormalization:derived": _PRESENCE,
    "FineTuneConfiguration.weightNoise:derived": _PRESENCE,
    **{
        f"FineTuneConfiguration.remove{kind}:derived": _PENALTIES
        for kind in ("L1", "L2", "WD", "L1Bias", "L2Bias", "WDBias")
    },
    "FineTuneConfiguration.regularization:derived": _PENALTIES,
    "FineTuneConfiguration.regularizationBias:derived": _PENALTIES,
    "MaxTimeIterationTerminationCondition.endTime:derived": _PROGRESS,
    "MaxTimeIterationTerminationCondition.initializationTime:derived": _PROGRESS,
    "ScoreImprovementEpochTerminationCondition.bestEpoch:derived": _PROGRESS,
    "ScoreImprovementEpochTerminationCondition.bestScore:derived": _PROGRESS,
    "DataSetLossCalculator.average:default": "the mean compares with the score of training",
    "EarlyStoppingConfiguration.evaluateEveryNEpochs:absent": "0, by which DL4J divides",
    "EarlyStoppingConfiguration.scoreCalculator:absent": "DL4J refuses to train without one",
    "EarlyStoppingConfiguration.scoreCalculator:default": "DL4J refuses to train without one",
    "EarlyStoppingConfiguration.scoreCalculatorSupplier": "code, not data",
    # DataVec
    "ChangeCaseStringTransform.column:missing": _OTHER_NAME,
    "ConditionalReplaceValueTransformWithDefault.condiiton:missing": _OTHER_NAME,
    "FilterInvalidValues.filterAnyInvalid:derived": _COMPUTED,
    "OverlappingTimeWindowFunction.offset:missing": _OTHER_NAME,
    "RemoveColumnsTransform.leftOverColumns:derived": _COMPUTED,
    "TextToCharacterIndexTransform.columnName:missing": _OTHER_NAME,
    "TextToCharacterIndexTransform.newColumnName:missing": _OTHER_NAME,
    "TextToTermIndexSequenceTransform.columnName:missing": _OTHER_NAME,
    "TextToTermIndexSequenceTransform.newColumnName:missing": _OTHER_NAME,
    "Transform.columnNumber:derived": _COMPUTED,
    "Transform.inputSchema:derived": _COMPUTED,
    "TrivialColumnCondition.columnIdx:derived": _COMPUTED,
    "TrivialColumnCondition.name:missing": _OTHER_NAME,
    "TrivialColumnCondition.sequenceMode:derived": _COMPUTED,
}

_TWO_COLUMNS = {"columns": ["a", "b"]}
SAMPLES: dict[str, dict[str, object]] = {
    "Bidirectional": {"layer": LSTM(n_in=1, n_out=1)},
    "MultiLayerConfiguration": {"layers": [DenseLayer(n_in=1, n_out=1)]},
    "ComputationGraphConfiguration": {
        "inputs": ["in"],
        "vertices": {"out": (DenseLayer(n_in=1, n_out=1), "in")},
        "outputs": ["out"],
    },
    "Yolo2OutputLayer": {"bounding_boxes": [[1, 1]]},
    "UniformDistribution": {"lower": 0.0, "upper": 1.0},
    "ReshapeVertex": {"new_shape": [-1, 2]},
    "UnstackVertex": {"from_": 0, "stack_size": 2},
    "CategoricalColumnCondition": {"op": "equal", "value": "a"},
    "StringColumnCondition": {"op": "equal", "value": "a"},
    **{f"{kind}ColumnCondition": {"value": 1} for kind in ("Double", "Float", "Integer", "Long", "Time")},
    **dict.fromkeys([f"{kind}ColumnsMathOpTransform" for kind in ("Double", "Float", "Integer", "Long")], _TWO_COLUMNS),
    "NDArrayColumnsMathOpTransform": _TWO_COLUMNS,
    "SequenceLengthCondition": {"length": 1},
    "ConvertToSequence": {"key_columns": ["a"], "comparator": StringComparator(column_name="a")},
    "DerivedColumn": {"format": "YYYY", "date_time_zone": "UTC"},
}
"""Options whose values must fit together."""

CODEC_SAMPLES: dict[str, list[object]] = {
    "_StepFunctions": ["default"],
    "_Steps": [()],
    "_Base64": [b"a"],
    "_Wrapped": ["era"],
}
"""Values that an option with a codec of its own takes."""
