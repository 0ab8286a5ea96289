"""The job of scripts/bench peers as a user of Elephas writes it, with its estimator for DataFrames."""

import json
import sys
import time

import keras
from elephas.ml_model import ElephasEstimator
from pyspark.ml.functions import array_to_vector
from pyspark.sql import SparkSession

folder = sys.argv[1]
spark = SparkSession.builder.master("local[2]").getOrCreate()
# cached: made anew for Python each time, some vectors arrive damaged in about every second run
train, test = (
    spark.read.parquet(f"{folder}/{name}.parquet").select(array_to_vector("x").alias("features"), "label").cache()
    for name in ("train", "test")
)

keras.utils.set_random_seed(1)
model = keras.Sequential(
    [
        keras.Input((784,)),
        keras.layers.Dense(256, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),
    ]
)


def estimator(epochs: int) -> ElephasEstimator:
    return ElephasEstimator(
        keras_model_config=model.to_json(),
        optimizer_config=keras.optimizers.serialize(keras.optimizers.Adam(learning_rate=1e-3)),
        loss="categorical_crossentropy",
        metrics=["acc"],
        categorical=True,
        nb_classes=10,
        epochs=epochs,
        batch_size=64,
        validation_split=0.0,
        num_workers=2,
        verbose=0,
        featuresCol="features",
        labelCol="label",
    )


def seconds(epochs: int) -> float:
    start = time.perf_counter()
    estimator(epochs).fit(train)
    return time.perf_counter() - start


transformer = estimator(3).fit(train)
predicted = transformer.transform(test)
right = predicted.where("array_position(prediction, array_max(prediction)) - 1 = label").count()
ended = time.time()

# its loop over the epochs tells no times: what three more take
epoch = (seconds(4) - seconds(1)) / 3
print()
print(json.dumps({"ended": ended, "accuracy": right / test.count(), "epochs": {"averaging every epoch": epoch}}))
spark.stop()
