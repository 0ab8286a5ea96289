"""How many rows a second Elephas predicts of a cached DataFrame, once its workers have started: for scripts/bench spark."""

import statistics
import sys
import time

import keras
import numpy as np
from elephas.ml_model import ElephasTransformer
from elephas.utils.model_utils import ModelType
from pyspark.ml.functions import array_to_vector
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[2]").getOrCreate()
frame = spark.read.parquet(sys.argv[1]).select(array_to_vector("x").alias("features"), "y").cache()
rows = frame.count()
model = keras.Sequential(
    [
        keras.Input((784,)),
        keras.layers.Dense(256, activation="relu"),
        keras.layers.Dense(10, activation="softmax"),
    ]
)
transformer = ElephasTransformer(
    keras_model_config=model.to_json(),
    weights=[np.asarray(weights) for weights in model.get_weights()],
    featuresCol="features",
    labelCol="y",
    outputCol="prediction",
    model_type=ModelType.CLASSIFICATION,
)
seconds = []
for _ in range(4):
    start = time.perf_counter()
    transformer.transform(frame).write.format("noop").mode("overwrite").save()
    seconds.append(time.perf_counter() - start)
print()
print(rows / statistics.median(seconds[1:]))
spark.stop()
