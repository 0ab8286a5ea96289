"""The job of scripts/bench peers as a user of pydl4j writes it."""

import json
import statistics
import sys
import time

from pyspark.sql import SparkSession

import pydl4j as dl
from pydl4j.layers import DenseLayer, OutputLayer

folder = sys.argv[1]
spark = dl.spark.configure(SparkSession.builder.master("local[2]")).getOrCreate()
train, test = (spark.read.parquet(f"{folder}/{name}.parquet") for name in ("train", "test"))

conf = dl.MultiLayerConfiguration(
    seed=1,
    updater=dl.updaters.Adam(learning_rate=1e-3),
    input_type=dl.InputType.feed_forward(784),
    layers=[
        DenseLayer(n_out=256, activation="relu"),
        OutputLayer(n_out=10, loss="negativeloglikelihood", activation="softmax"),
    ],
)


def network(frequency: int) -> dl.spark.SparkDl4jMultiLayer:
    master = dl.spark.ParameterAveragingTrainingMaster(batch_size_per_worker=64, averaging_frequency=frequency)
    return dl.spark.SparkDl4jMultiLayer(spark, conf, master)


net = network(5)
net.fit(train, "label", features="x", epochs=3, progress=False)
right = net.predict(test, features="x").where("prediction = label").count()
ended = time.time()

epochs = {}
for frequency in (5, 20):
    history = network(frequency).fit(train, "label", features="x", epochs=4, progress=False)
    epochs[f"averaging every {frequency}"] = statistics.median(history["seconds"][1:])
print(json.dumps({"ended": ended, "accuracy": right / test.count(), "epochs": epochs}))
spark.stop()
