"""The job of scripts/bench peers as a user of TorchDistributor writes it: DistributedDataParallel, and pyspark's batched UDF to predict."""

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from pyspark.ml.functions import predict_batch_udf
from pyspark.ml.torch.distributor import TorchDistributor
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, FloatType

if TYPE_CHECKING:
    from torch import nn


def network() -> "nn.Module":
    from torch import nn

    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))


def fit(path: str, epochs: int) -> tuple[dict[str, np.ndarray], list[float]]:
    """On each worker."""
    import pyarrow.parquet as pq
    import torch
    from torch import distributed, nn
    from torch.nn.parallel import DistributedDataParallel
    from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, TensorDataset

    torch.manual_seed(1)
    torch.set_num_threads(1)
    distributed.init_process_group("gloo")
    table = pq.read_table(path)
    x = table["x"].combine_chunks().flatten().to_numpy().reshape(-1, 784)
    data = TensorDataset(torch.tensor(x), torch.tensor(table["label"].to_numpy(), dtype=torch.long))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=BatchSampler(sampler, 64, drop_last=False), batch_size=None)  # rows cut at once
    model = DistributedDataParallel(network())
    optimizer, loss = torch.optim.Adam(model.parameters(), lr=1e-3), nn.CrossEntropyLoss()
    seconds = []
    for epoch in range(epochs):
        start = time.perf_counter()
        sampler.set_epoch(epoch)
        for features, labels in loader:
            optimizer.zero_grad()
            loss(model(features), labels).backward()
            optimizer.step()
        seconds.append(time.perf_counter() - start)
    distributed.destroy_process_group()
    return {name: value.numpy() for name, value in model.module.state_dict().items()}, seconds


def main(folder: str) -> None:
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    train, test = (spark.read.parquet(f"{folder}/{name}.parquet") for name in ("train", "test"))
    # its workers are fed by what their function reads
    train.write.parquet(f"{folder}/for-torch", mode="overwrite")
    distributor = TorchDistributor(
        num_processes=2, local_mode=True, use_gpu=False
    )  # through Spark's tasks it takes longer
    weights, seconds = distributor.run(fit, f"{folder}/for-torch", 3)

    def make_predict() -> Callable[[np.ndarray], np.ndarray]:
        import torch

        torch.set_num_threads(1)
        model = network()
        model.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})

        def predict(x: np.ndarray) -> np.ndarray:
            with torch.inference_mode():
                return model(torch.from_numpy(np.ascontiguousarray(x))).numpy()

        return predict

    predict = predict_batch_udf(
        make_predict, return_type=ArrayType(FloatType()), batch_size=128, input_tensor_shapes=[[784]]
    )
    predicted = test.withColumn("prediction", predict("x"))
    right = predicted.where("array_position(prediction, array_max(prediction)) - 1 = label").count()
    ended = time.time()
    epochs = {"gradients every minibatch": statistics.median(seconds[1:])}
    print(json.dumps({"ended": ended, "accuracy": right / test.count(), "epochs": epochs}))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
