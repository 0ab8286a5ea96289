"""A graph with a residual block and two outputs: which digit it is, and whether it is odd.

    python examples/05_two_outputs.py [--epochs 8] [--spark]

Leaves two-outputs.zip, which any JVM service can load with DL4J's ModelSerializer.
"""

import argparse

import pydl4j as dl
from pydl4j.layers import BatchNormalization, ConvolutionLayer, DenseLayer, OutputLayer
from pydl4j.vertices import ElementWiseVertex


def graph() -> dl.ComputationGraphConfiguration:
    """Images through a residual block to two outputs."""
    image = dl.Input(dl.InputType.convolutional_flat(height=8, width=8, channels=1), name="image")
    maps = ConvolutionLayer(n_out=16, kernel_size=3, convolution_mode="same", activation="relu")(image)
    block = ConvolutionLayer(n_out=16, kernel_size=3, convolution_mode="same", activation="relu")(maps)
    added = ElementWiseVertex(op="add")(maps, BatchNormalization()(block))
    dense = DenseLayer(n_out=64, activation="relu")(added)
    outputs = [OutputLayer(n_out=10, name="digit")(dense), OutputLayer(n_out=2, name="odd")(dense)]
    return dl.ComputationGraphConfiguration(
        seed=123, updater=dl.updaters.Adam(learning_rate=1e-3), inputs=[image], outputs=outputs
    )


def on_spark(conf: dl.ComputationGraphConfiguration) -> dl.spark.SparkComputationGraph:
    """The same graph, trained by two workers."""
    from pyspark.sql import SparkSession

    spark = dl.spark.configure(
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    ).getOrCreate()
    master = dl.spark.ParameterAveragingTrainingMaster(batch_size_per_worker=32, averaging_frequency=5)
    return dl.spark.SparkComputationGraph(spark, conf, master)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--spark", action="store_true", help="train on Spark")
    args = parser.parse_args()

    x_train, x_test, y_train, y_test = dl.datasets.train_test_split(*dl.datasets.digits(), test_size=0.2)
    conf = graph()
    print(conf.summary())
    net = on_spark(conf) if args.spark else dl.ComputationGraph(conf)
    net.fit({"image": x_train}, {"digit": y_train, "odd": y_train % 2}, epochs=args.epochs)
    print(f"digit: {net.evaluate(x_test, y_test, output='digit').accuracy:.3f}")
    print(f"odd: {net.evaluate(x_test, y_test % 2, output='odd').accuracy:.3f}")
    (net.network if args.spark else net).save("two-outputs.zip")


if __name__ == "__main__":
    main()
