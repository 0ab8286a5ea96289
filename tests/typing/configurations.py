"""What a type checker must report, and what it must let pass; read by test_typing.py, never run.

A line that ends in ``# error: CODE`` must be reported with that code of mypy; no other line may be.
"""

import pydl4j as dl
from pydl4j.activations import ActivationLReLU
from pydl4j.datavec import (
    CalculateSortedRank,
    CategoricalMetaData,
    ConditionalReplaceValueTransform,
    ConditionFilter,
    DoubleColumnCondition,
    DoubleMetaData,
    IntegerMathOpTransform,
    Reducer,
    Schema,
    TransformProcess,
)
from pydl4j.layers import LSTM, ConvolutionLayer, DenseLayer, OutputLayer
from pydl4j.vertices import ElementWiseVertex, MergeVertex

good = DenseLayer(n_out=10, activation="relu", updater=dl.updaters.Adam(learning_rate=1e-3), dropout=0.5)
also_good = DenseLayer(n_out=10, activation=ActivationLReLU(alpha=0.3), weight_init="xavier")
square = ConvolutionLayer(n_out=3, kernel_size=5, stride=(2, 2), convolution_mode="same")
scheduled = dl.updaters.Sgd(learning_rate=dl.schedules.FixedSchedule(value=0.1))
conf = dl.MultiLayerConfiguration(layers=[good, OutputLayer(n_out=2)], input_type=dl.InputType.feed_forward(4))
params: int = conf.resolve().n_params
rows = dl.InputType.feed_forward(4)
graph = dl.ComputationGraphConfiguration(
    inputs={"in": rows},
    outputs=["out"],
    vertices={"fc": (good, "in"), "both": (MergeVertex(), "in", "fc"), "out": (OutputLayer(n_out=2), "both")},
)
x = dl.Input(rows)
traced = dl.ComputationGraphConfiguration(inputs=[x], outputs=[OutputLayer(n_out=2)(good(x))], seed=1)
n_params: int = traced.resolve()["dense"].n_params

schema = Schema(columns=[CategoricalMetaData(name="c", state_names=["x"]), DoubleMetaData(name="v", allow_nan=True)])
low = DoubleColumnCondition(column_name="v", op="less_than", value=0)
process = TransformProcess(
    initial_schema=schema,
    steps=[
        ConditionFilter(condition=low | ~low),
        ConditionalReplaceValueTransform(column_to_replace="v", new_value=0.5, condition=low),
        Reducer(default_op="count", key_columns=["c"], op_map={"v": ["mean", "max"]}),
        CalculateSortedRank(new_column_name="rank", sort_on_column="mean(v)", comparator="double"),
    ],
)
column_names: tuple[str, ...] = process.final_schema.column_names

misspelled = DenseLayer(n_ot=10)  # error: call-arg
missing = DenseLayer()  # error: call-arg
wrong_type = DenseLayer(n_out="ten")  # error: arg-type
positional = DenseLayer(10)  # error: call-arg
wrong_choice = DenseLayer(n_out=10, activation="rleu")  # error: arg-type
wrong_mode = ConvolutionLayer(n_out=3, convolution_mode="sane")  # error: arg-type
wrong_pair = ConvolutionLayer(n_out=3, kernel_size=(5, 5, 5))  # error: arg-type
wrong_loss = OutputLayer(n_out=3, loss="mcxnet")  # error: arg-type
wrong_updater = LSTM(n_out=3, updater=good)  # error: arg-type
wrong_layers = dl.MultiLayerConfiguration(layers=[dl.updaters.Sgd()])  # error: list-item
unknown_global = dl.MultiLayerConfiguration(layers=[good], sed=1)  # error: call-arg
good.n_out = 5  # error: misc
conf.seed = 5  # error: misc
wrong_op = ElementWiseVertex(op="ad")  # error: arg-type
wrong_vertex = dl.ComputationGraphConfiguration(
    inputs=["in"],
    outputs=["a"],
    vertices={"a": (rows, "in")},  # error: dict-item
)
wrong_input = dl.ComputationGraphConfiguration(
    inputs=["in"],
    outputs=["a"],
    vertices={"a": (good, 3)},  # error: dict-item
)
wrong_saver = dl.earlystopping.LocalFileModelSaver(directory=3)  # error: arg-type
wrong_metric = dl.earlystopping.ClassificationScoreCalculator(metric="f2")  # error: arg-type
wrong_condition = dl.earlystopping.MaxEpochsTerminationCondition(epochs=3)  # error: call-arg
wrong_freezing = dl.transferlearning.TransferLearning(set_feature_extractor=good)  # error: arg-type
wrong_call = good(rows)  # error: arg-type
wrong_column = DoubleMetaData(nam="v")  # error: call-arg
wrong_condition = DoubleColumnCondition(column_name="v", op="less")  # error: arg-type
wrong_step = TransformProcess(initial_schema=schema, steps=[low])  # error: list-item
wrong_reduction = Reducer(default_op="men")  # error: arg-type
wrong_scalar = IntegerMathOpTransform(column_name="n", math_op="add", scalar="1")  # error: arg-type
