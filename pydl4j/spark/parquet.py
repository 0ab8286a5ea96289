"""Parquet, read by Spark."""

import os
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from pydl4j.data.files import has_scheme
from pydl4j.jvm import Gateway

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def read_parquet(spark: "SparkSession", gateway: Gateway, path: str | PathLike[str]) -> "DataFrame":
    """A DataFrame of what is at a path or URI.

    Raises:
        DataError: there is nothing, or no Parquet.
    """
    from pyspark.sql import DataFrame

    text = os.fspath(path)
    place = text if has_scheme(text) else f"file:{Path(text).absolute()}"  # as it is: Hadoop's paths know no %20
    return DataFrame(gateway.call("spark.frame.Frames.parquet", spark._jsparkSession, place), spark)  # noqa: SLF001
