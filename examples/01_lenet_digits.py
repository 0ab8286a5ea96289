"""LeNet on 1,797 real handwritten digits: trained in this process, then on Spark with parameter averaging.

    python examples/01_lenet_digits.py [--epochs 15]

Leaves lenet.zip, which any JVM service can load with DL4J's ModelSerializer, and learning-curve.png.
"""

import argparse

from pyspark.sql import SparkSession

import pydl4j as dl
from pydl4j.layers import ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer
from pydl4j.spark import ParameterAveragingTrainingMaster, SparkDl4jMultiLayer

BATCH_SIZE = 32


def lenet() -> dl.MultiLayerConfiguration:
    return dl.MultiLayerConfiguration(
        seed=123,
        updater=dl.updaters.Adam(learning_rate=1e-3),
        weight_init="xavier",
        convolution_mode="same",
        layers=[
            ConvolutionLayer(kernel_size=(5, 5), n_out=20, activation="relu"),
            SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            ConvolutionLayer(kernel_size=(5, 5), n_out=50, activation="relu"),
            SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            DenseLayer(n_out=500, activation="relu"),
            OutputLayer(n_out=10, loss="negativeloglikelihood", activation="softmax"),
        ],
        input_type=dl.InputType.convolutional_flat(height=8, width=8, channels=1),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=15)
    epochs = parser.parse_args().epochs

    x, y = dl.datasets.digits()
    x_train, x_test, y_train, y_test = dl.datasets.train_test_split(x, y, test_size=0.2)
    conf = lenet()
    print(conf.summary())

    # a line per epoch, printed here, in place of a progress bar
    shown = {"epochs": epochs, "validation": (x_test, y_test), "progress": False, "callbacks": [print]}

    print("\nIn this process")
    net = dl.MultiLayerNetwork(conf)
    history = net.fit(x_train, y_train, batch_size=BATCH_SIZE, **shown)
    evaluation = net.evaluate(x_test, y_test)
    net.save("lenet.zip")

    print("\nOn Spark, local[2]")
    spark = dl.spark.configure(SparkSession.builder.master("local[2]").appName("LeNet")).getOrCreate()
    master = ParameterAveragingTrainingMaster(batch_size_per_worker=BATCH_SIZE, averaging_frequency=5)
    on_spark = SparkDl4jMultiLayer(spark, conf, master)
    spark_history = on_spark.fit(x_train, y_train, **shown)
    spark_evaluation = on_spark.evaluate(x_test, y_test)
    spark.stop()

    axes = dl.plot.learning_curve({"in process": history, "Spark": spark_history})
    axes.figure.savefig("learning-curve.png", dpi=150)

    print(f"\n{evaluation}\n")
    print(f"Held-out accuracy in this process: {evaluation.accuracy:.4f}")
    print(f"Held-out accuracy on Spark:        {spark_evaluation.accuracy:.4f}")
    print("Wrote lenet.zip and learning-curve.png")


if __name__ == "__main__":
    main()
