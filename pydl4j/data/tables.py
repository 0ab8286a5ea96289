"""Tables of pandas and pyarrow: the numbers of some columns, as arrays."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, Union

import numpy as np
from numpy.typing import NDArray

from pydl4j.data.borders import Shape
from pydl4j.errors import DataError, suggestion

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Array: TypeAlias = NDArray[Any]
Columns: TypeAlias = str | Sequence[str]
Table: TypeAlias = Union["pd.DataFrame", "pa.Table", "pa.RecordBatch"]

_KINDS = {("pandas", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch")}


def is_table(data: object) -> TypeGuard[Table]:
    """Whether this is a DataFrame of pandas, or a table of pyarrow; neither is loaded to find out."""
    kind = type(data)
    return (kind.__module__.partition(".")[0], kind.__name__) in _KINDS


def arrays_of(
    table: Table, features: Columns | None, labels: Columns | None, row_shape: Shape | None
) -> tuple[Array, Array | None]:
    """Features and labels: columns that are numbers, lists of numbers, lists of those or tensors, joined in the order of their names.

    A single column keeps its shape, but becomes ``row_shape`` where that is of as many numbers.

    Raises:
        DataError: a column that is not there, is null somewhere, holds no numbers, or lists of different lengths.
    """
    x = _joined(table, column_names(_names(table), features, "features"))
    if row_shape and None not in row_shape and np.prod(x.shape[1:]) == np.prod([size or 1 for size in row_shape]):
        x = x.reshape(len(x), *(size or 1 for size in row_shape))
    elif x.ndim == 1:
        x = x[:, None]
    return x, None if labels is None else _joined(table, column_names(_names(table), labels, "labels"))


def masks_of(table: Table, columns: Columns | Mapping[str, Columns] | None) -> Any:
    """Masks in a column, or in columns of several inputs or outputs by their names.

    Raises:
        DataError: as for :func:`arrays_of`.
    """
    if columns is None:
        return None
    if isinstance(columns, Mapping):
        return {name: masks_of(table, one) for name, one in columns.items()}
    return _joined(table, column_names(_names(table), columns, "mask"))


def column_names(there: Sequence[str], columns: Columns | None, what: str) -> tuple[str, ...]:
    """Names that were given, checked against those of the table.

    Raises:
        DataError: a column that is not there, or none named.
    """
    if columns is None or len(columns) == 0:
        raise DataError(f"{what}: name the column or columns of the DataFrame, as in {what}='...'", path=what)
    if not isinstance(columns, str) and not (
        isinstance(columns, Sequence) and all(isinstance(name, str) for name in columns)
    ):
        raise DataError(f"{what}: expected names of columns. Received: {type(columns).__name__}", path=what)
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    for name in names:
        if name not in there:
            raise DataError(
                f"{what}: the DataFrame has no column {name!r}{suggestion(name, there)}. It has: {', '.join(there)}",
                path=what,
            )
    return names


def _names(table: Any) -> list[str]:
    return [str(name) for name in getattr(table, "column_names", table.columns)]


def _joined(table: Any, names: Sequence[str]) -> Array:
    """[rows] or [rows, ...] of one column; [rows, numbers] of several."""
    columns = [_numbers(table[name], name) for name in names]
    if len(columns) == 1:
        return columns[0]
    return np.concatenate([column.reshape(len(column), -1) for column in columns], axis=1)


def _numbers(column: Any, name: str) -> Array:
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    try:
        array = column if isinstance(column, pa.Array) else pa.array(column)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise DataError(f"column {name!r} does not hold numbers: {error}", path=name) from None
    return _stacked(array, name)


def _stacked(array: Any, name: str) -> Array:
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):  # what combine_chunks gives for an extension type
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    rows, shape = len(array), []
    _refuse_nulls(array, name)
    if isinstance(array, pa.FixedShapeTensorArray):
        tensor: Array = array.to_numpy_ndarray()
        return tensor
    while pa.types.is_list(array.type) or pa.types.is_large_list(array.type) or pa.types.is_fixed_size_list(array.type):
        shape.append(_length(array, name))
        array = array.flatten()
        _refuse_nulls(array, name)
    if pa.types.is_decimal(array.type):
        array = array.cast(pa.float64())
    numbers: Array = array.to_numpy(zero_copy_only=False)
    if numbers.dtype.kind not in "fiub":
        raise DataError(f"column {name!r} is of type {array.type}; expected numbers, or lists of numbers", path=name)
    return numbers.reshape(rows, *shape)


def _length(array: Any, name: str) -> int:
    lengths = array.value_lengths().to_numpy(zero_copy_only=False)
    if len(lengths) == 0:
        return 0
    other = np.flatnonzero(lengths != lengths[0])
    if len(other):
        raise DataError(
            f"column {name!r} has lists of {lengths[0]} and of {lengths[other[0]]} elements (the first such at {other[0]}); "
            "expected lists of one length",
            path=name,
        )
    return int(lengths[0])


def _refuse_nulls(array: Any, name: str) -> None:
    if array.null_count:
        first = int(array.is_null().to_numpy(zero_copy_only=False).argmax())
        raise DataError(f"column {name!r} has a null at {first}, {array.null_count} in all; expected none", path=name)
