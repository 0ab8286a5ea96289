"""Which columns of a DataFrame are features and labels, and what the network makes of them."""

import base64
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from pydl4j.data.arrays import check_trainable
from pydl4j.data.borders import InputInterface, Interface, OutputInterface
from pydl4j.data.normalizer import Normalizer
from pydl4j.errors import ConfigError, DataError, suggestion

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Columns = str | Sequence[str]


def is_frame(data: object) -> "TypeGuard[DataFrame]":
    """Whether this is a Spark DataFrame; pyspark is not loaded to find out."""
    return type(data).__module__.startswith("pyspark.sql.") and type(data).__name__ == "DataFrame"


def frame_options(
    frame: "DataFrame",
    net: Interface,
    features: Columns | None,
    labels: Columns | None,
    normalizer: Normalizer | None,
) -> dict[str, Any]:
    """What ``org.pydl4j.spark.frame`` is told about a DataFrame.

    Raises:
        DataError: a column that is not there, or none named.
        ConfigError: the network does not say how long its rows are; a normalizer that was not fitted.
    """
    options = {
        "features": _names(frame, features, "features"),
        "feature_shape": _feature_shape(net.inputs[0]),
        "dtype": np.dtype(net.dtype).name,
    }
    if normalizer is not None:
        options["normalizer"] = _bytes(normalizer)
    if labels is not None:
        check_trainable(net)
        output = net.outputs[0]
        options |= {
            "labels": _names(frame, labels, "labels"),
            "label_shape": _label_shape(output),
            # JSON has no infinity
            "label_range": [min(bound, sys.float_info.max) for bound in output.label_range or ()],
            "classes": (output.n_out if output.sparse_labels else output.classes) or 0,
        }
    return options


def _names(frame: "DataFrame", columns: Columns | None, what: str) -> list[str]:
    if columns is None or len(columns) == 0:
        raise DataError(f"{what}: name the column or columns of the DataFrame, as in {what}='...'", path=what)
    names = [columns] if isinstance(columns, str) else list(columns)
    for name in names:
        if name not in frame.columns:
            raise DataError(
                f"{what}: the DataFrame has no column {name!r}{suggestion(name, frame.columns)}. "
                f"It has: {', '.join(frame.columns)}",
                path=what,
            )
    return names


def _feature_shape(net: InputInterface) -> list[int]:
    shape = net.row_shape
    known = [size for size in shape if size is not None]
    if len(known) != len(shape):
        raise ConfigError(
            "rows of a DataFrame have one length, which this network does not say. Give it an input_type, "
            "with time_series_length for sequences",
            path="input_type",
        )
    return known


def _label_shape(net: OutputInterface) -> list[int]:
    if net.places:
        where = "time step" if net.places == 1 else "pixel"
        raise ConfigError(
            f"labels for each {where} cannot come from a DataFrame; hand over arrays instead", path="labels"
        )
    (width,) = net.label_shape
    if width is None:
        raise ConfigError("the last layer does not say how wide its output is (n_out)", path="n_out")
    return [width]


def _bytes(normalizer: Normalizer) -> str:
    if not normalizer.is_fitted:
        raise ConfigError("a normalizer must be fitted to arrays before it is used on a DataFrame", path="normalizer")
    return base64.b64encode(normalizer.to_bytes()).decode("ascii")
