"""DataFrames: into minibatches, and through a network; and INDArrays through Kryo."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import peers
from common import BATCH, Data, clock, in_turn, mlp, report
from sessions import session

import pydl4j as dl
from pydl4j.jvm import spark_gateway

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 100_000
ELEPHAS_ROWS = 10_000  # it takes rows one by one
WIDTH = 784


def kryo(_data: Data) -> None:
    """The parameters of the MLP, 814 KB, written and read."""
    with session("local[2]") as spark:
        jvm = spark_gateway(spark)
        array = jvm.put(np.random.default_rng(0).random(203_530, "f4"))
        stock, ours = in_turn(
            5,
            lambda: jvm.call("bench.Kryos.seconds", array, "org.nd4j.kryo.Nd4jRegistrator", 50),
            lambda: jvm.call("bench.Kryos.seconds", array, "org.pydl4j.spark.ArrayRegistrator", 50),
        )
        what = f"INDArray of 814 KB through Kryo and back: DL4J ({stock * 1e3:.1f} ms) / ours ({ours * 1e3:.2f} ms)"
        report(what, stock / ours, "", ">= 5")


def frames(data: Data) -> None:
    """A cached DataFrame of 100,000 images, 314 MB; in this process, too, one thread: a slot of Spark's has one."""
    dl.configure_jvm(threads=1)
    with session("local[2]") as spark:
        x = np.resize(data[0], (ROWS, WIDTH))
        y = np.resize(data[1], ROWS)
        net = dl.spark.SparkDl4jMultiLayer(spark, mlp(), dl.spark.ParameterAveragingTrainingMaster())
        with cached(spark, as_array(x, y)) as frame:
            minibatches_of_array(spark, net, frame, x)
            predictions(net, frame, x)
        with cached(spark, as_columns(x, y)) as frame:
            minibatches_of_columns(spark, net, frame)


def as_array(x: np.ndarray, y: np.ndarray) -> dict[str, object]:
    import pyarrow as pa

    ends = pa.array(np.arange(0, x.size + 1, WIDTH, dtype="i4"))
    return {"x": pa.ListArray.from_arrays(ends, pa.array(x.ravel())), "y": y.astype("i4")}


def as_columns(x: np.ndarray, y: np.ndarray) -> dict[str, object]:
    return {f"p{i}": np.ascontiguousarray(x[:, i]) for i in range(WIDTH)} | {"y": y.astype("i4")}


@contextmanager
def cached(spark: "SparkSession", columns: dict[str, object]) -> Iterator["DataFrame"]:
    """A DataFrame of these columns in Spark's memory, in two partitions."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(columns)
    with tempfile.TemporaryDirectory(prefix="pydl4j-bench-") as folder:
        for part in range(2):
            pq.write_table(table.slice(part * ROWS // 2, ROWS // 2), f"{folder}/{part}.parquet", use_dictionary=False)
        spark.conf.set("spark.sql.files.maxPartitionBytes", "1g")
        frame = spark.read.parquet(folder).cache()
        frame.count()
    try:
        yield frame
    finally:
        frame.unpersist()


def make_minibatches(
    spark: "SparkSession", net: dl.spark.SparkDl4jMultiLayer, frame: "DataFrame", features: str | list[str]
) -> float:
    """Seconds from the DataFrame to the last minibatch of an epoch, shuffled, on the executors; nothing is trained."""

    def make() -> None:
        with net._inputs.dataset(frame, "y", features) as dataset:  # noqa: SLF001  # what fit does before it trains
            spark_gateway(spark).call(
                "bench.Frames.load",
                spark._jsparkSession,  # noqa: SLF001
                dataset.uri,
                dataset.rows,
                BATCH,
            )

    return clock(make)


def minibatches_of_array(
    spark: "SparkSession", net: dl.spark.SparkDl4jMultiLayer, frame: "DataFrame", x: np.ndarray
) -> None:
    target = np.empty_like(x)
    copied, made = in_turn(
        3, lambda: clock(lambda: np.copyto(target, x)), lambda: make_minibatches(spark, net, frame, "x")
    )
    speed = x.nbytes / made / 1e9
    what = f"cached array<float> to minibatches ({speed:.2f} GB/s) / numpy's copy ({x.nbytes / copied / 1e9:.1f} GB/s)"
    report(what, 100 * copied / made, "%", ">= 5")


def minibatches_of_columns(spark: "SparkSession", net: dl.spark.SparkDl4jMultiLayer, frame: "DataFrame") -> None:
    names = [f"p{i}" for i in range(WIDTH)]
    jvm = spark_gateway(spark)
    plain = frame.select(names)
    looped, made = in_turn(
        2,
        lambda: jvm.call("bench.Frames.read", plain._jdf, ROWS, BATCH),  # noqa: SLF001
        lambda: make_minibatches(spark, net, frame, names),
    )
    what = f"{WIDTH} cached columns to minibatches: getFloat ({looped:.2f} s) / ours ({made:.2f} s)"
    report(what, looped / made, "", ">= 5")


def predictions(net: dl.spark.SparkDl4jMultiLayer, frame: "DataFrame", x: np.ndarray) -> None:
    """Rows a second: every row's class, thrown away on the executors."""
    here = dl.MultiLayerNetwork(mlp())
    local, spread = in_turn(
        3,
        lambda: clock(lambda: here.predict(x)),
        lambda: clock(lambda: use(net.predict(frame, features="x"))),
    )
    what = (
        f"predict on a DataFrame ({ROWS / spread:,.0f} rows/s), a slot of 2 / in process ({ROWS / local:,.0f} rows/s)"
    )
    report(what, local / spread / 2, "", ">= 0.5")
    elephas = rows_of_elephas(x[:ELEPHAS_ROWS])
    if elephas is not None:
        what = f"predict on a DataFrame: rows a second / Elephas' ({elephas:,.0f} rows/s)"
        report(what, ROWS / spread / elephas, "", ">= 20")


def rows_of_elephas(x: np.ndarray) -> float | None:
    """Rows a second, in a process and a session of its own; None where Elephas is not installed."""
    if not peers.present([peers.ELEPHAS], install=False):
        return None
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory(prefix="pydl4j-bench-") as folder:
        table = pa.table(as_array(x, np.zeros(len(x))))
        for part in range(2):
            pq.write_table(table.slice(part * len(x) // 2, len(x) // 2), f"{folder}/{part}.parquet")
        return float(peers.output_of(peers.ELEPHAS, "rows_with_elephas.py", Path(folder)))


def use(frame: "DataFrame") -> None:
    """Compute every row, columns and all, and throw it away where it is."""
    frame.write.format("noop").mode("overwrite").save()
