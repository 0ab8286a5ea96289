"""Which columns of a DataFrame are features and labels, and what the network makes of them."""

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np

from pydl4j.data.arrays import check_trainable
from pydl4j.data.borders import InputInterface, Interface, OutputInterface, Shape
from pydl4j.data.normalizer import Normalizer
from pydl4j.data.tables import Columns, column_names
from pydl4j.errors import ConfigError, DataError
from pydl4j.spark.images import ImageShape, Resized
from pydl4j.spark.sequences import SequenceShape, holds_sequences, longest

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import DataFrame

__all__ = [
    "Columns",
    "Named",
    "Selection",
    "Tensor",
    "columns_of",
    "decoded",
    "encoded",
    "frame_options",
    "is_frame",
    "is_points",
    "select",
    "tensors",
]


Named: TypeAlias = Columns | Mapping[str, Columns]
"""Columns; those of a graph with several inputs or outputs by their names."""


def is_frame(data: object) -> "TypeGuard[DataFrame]":
    """Whether this is a Spark DataFrame; pyspark is not loaded to find out."""
    return type(data).__module__.startswith("pyspark.sql.") and type(data).__name__ == "DataFrame"


def is_points(data: object) -> "TypeGuard[RDD[Any]]":
    """Whether this is an RDD, as of ``LabeledPoint``; pyspark is not loaded to find out."""
    return any((kind.__module__, kind.__name__) == ("pyspark.rdd", "RDD") for kind in type(data).__mro__)


@dataclass(frozen=True)
class Tensor:
    """One tensor of a dataset, and what its numbers have to be."""

    name: str
    """``features``, ``features_1``, ..., ``labels``, ..."""
    shape: Shape
    """Of one row; None for what is left open."""
    dtype: str
    of: str | None = None
    """The name of the graph's input or output; None where there is one without a name."""
    range: tuple[float, float] | None = None
    """Least and greatest number that has a meaning; None where that is any."""
    classes: int | None = None
    """How many classes a single number may name; None where it names none."""
    indices: bool = False
    """Whether numbers are indices into an embedding, from 0 to the end of ``range``."""
    image: ImageShape | None = field(default=None, repr=False, compare=False)
    """Of features that may be images; a dataset does not tell."""
    sequence: SequenceShape | None = field(default=None, repr=False, compare=False)
    """Of features that may be sequences, and of their masks; a dataset does not tell."""

    @property
    def is_features(self) -> bool:
        """Whether it is no labels."""
        return self.name.startswith("features") and not self.is_mask

    @property
    def is_mask(self) -> bool:
        """Whether it says which time steps count."""
        return self.name.startswith("features_mask")

    def to_dict(self) -> dict[str, Any]:
        """As the manifest of a dataset has it; JSON has no infinity."""
        bounds = self.range and [min(bound, sys.float_info.max) for bound in self.range]
        told = {name: value for name, value in vars(self).items() if name not in {"image", "sequence"}}
        return told | {"shape": list(self.shape), "range": bounds}

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> "Tensor":
        """What :meth:`to_dict` gave."""
        bounds = found["range"] and tuple(np.inf if b == sys.float_info.max else b for b in found["range"])
        return cls(**found | {"shape": tuple(found["shape"]), "range": bounds})


@dataclass(frozen=True)
class Selection:
    """The columns of a DataFrame that a tensor is made of."""

    tensor: Tensor
    columns: tuple[str, ...]
    normalizer: Normalizer | None = None
    sequences: bool = False
    """Whether the column holds sequences, which are padded."""

    def to_dict(self) -> dict[str, Any]:
        """As ``org.pydl4j.spark.frame`` is told of it."""
        options = self.tensor.to_dict() | {"columns": list(self.columns)}
        if self.tensor.image is not None:
            resize = any(isinstance(column, Resized) for column in self.columns)
            options["image"] = self.tensor.image.to_dict(resize=resize)
        if self.sequences and self.tensor.sequence is not None:
            options["sequence"] = self.tensor.sequence.to_dict(mask=self.tensor.is_mask)
        return options if self.normalizer is None else options | {"normalizer": encoded(self.normalizer)}


def tensors(net: Interface, *, labels: bool, output: OutputInterface | None = None) -> list[Tensor]:
    """What a network takes: features, and where asked for labels, of all outputs or of one.

    Raises:
        ConfigError: the network has no use for labels.
    """
    found = [_features(i, border) for i, border in enumerate(net.inputs)]
    if labels:
        check_trainable(net)
        found += [_labels(border.index, border) for border in net.outputs if output in (None, border)]
    return found


def _features(number: int, border: InputInterface) -> Tensor:
    indices = bool(border.index_shapes) and border.n_in is not None
    bounds = (0.0, border.n_in - 1.0) if indices and border.n_in else None
    dtype = np.dtype(border.dtype).name
    image = ImageShape.of(border.input_type)
    return Tensor(
        _numbered("features", number),
        border.row_shape,
        dtype,
        border.name,
        bounds,
        indices=indices,
        image=image,
        sequence=SequenceShape.of(border),
    )


def _labels(number: int, border: OutputInterface) -> Tensor:
    classes = border.n_out if border.sparse_labels else border.classes
    dtype = np.dtype(border.dtype).name
    return Tensor(_numbered("labels", number), border.label_shape, dtype, border.name, border.label_range, classes)


def _numbered(name: str, number: int) -> str:
    return f"{name}_{number}" if number else name


def select(
    frame: "DataFrame", wanted: Sequence[Tensor], features: Named | None, labels: Named | None
) -> list[Selection]:
    """The columns of a DataFrame, for the tensors that are wanted.

    Raises:
        DataError: a column that is not there, or none named.
        ConfigError: nobody says how long rows are.
    """
    found = []
    for tensor in wanted:
        what, given = ("features", features) if tensor.is_features else ("labels", labels)
        several = sum(other.is_features == tensor.is_features for other in wanted) > 1
        names = column_names(frame.columns, columns_of(given, tensor.of, what, several=several), what)
        sequences = tensor.sequence is not None and holds_sequences(frame, names)
        if not sequences:
            _require_known(tensor)
        found.append(Selection(tensor, names, sequences=sequences))
    return found


def padded(frame: "DataFrame", selections: Sequence[Selection], normalizer: Normalizer | None) -> list[Selection]:
    """Selections in which sequences have one length, that of the longest, with the masks of what is no padding.

    Raises:
        ConfigError: a normalizer.
        DataError: no sequence with time steps.
    """
    found = [_of_one_length(frame, selection) for selection in selections]
    masks = [_mask(selection) for selection in found if selection.sequences]
    if masks and normalizer is not None:
        raise ConfigError(
            "a normalizer is not applied to sequences of a DataFrame. Normalize them before, or hand over arrays with features_mask",
            path="normalizer",
        )
    return [*found, *masks]


def _of_one_length(frame: "DataFrame", selection: Selection) -> Selection:
    tensor = selection.tensor
    if not selection.sequences or tensor.sequence is None:
        return selection
    shape = tensor.sequence
    if shape.length is None:
        shape = replace(shape, length=longest(frame, selection.columns[0]))
    return replace(selection, tensor=replace(tensor, sequence=shape, shape=shape.shape))


def _mask(selection: Selection) -> Selection:
    tensor = selection.tensor
    name = tensor.name.replace("features", "features_mask")
    length = None if tensor.sequence is None else tensor.sequence.length
    mask = Tensor(name, (length,), tensor.dtype, tensor.of, sequence=tensor.sequence)
    return Selection(mask, selection.columns, sequences=True)


def columns_of(given: Named | None, name: str | None, what: str, *, several: bool) -> Columns | None:
    """The columns of one input or output: of several they are named in a dict.

    Raises:
        DataError: none are named for it.
    """
    if isinstance(given, Mapping):
        if name is None or name not in given:
            raise DataError(f"{what} has no columns for {name!r}. It has: {', '.join(given)}", path=what)
        return given[name]
    if several:
        raise DataError(
            f"{what}: the graph has several; name the columns of each, as in {what}={{{name!r}: ...}}", path=what
        )
    return given


def _require_known(tensor: Tensor) -> None:
    if tensor.is_features:
        if None in tensor.shape:
            raise ConfigError(
                "rows of a DataFrame have one length, which this network does not say. Give it an input_type, "
                "with time_series_length for sequences",
                path="input_type",
            )
    elif len(tensor.shape) > 1:
        where = "time step" if len(tensor.shape) == 2 else "pixel"
        raise ConfigError(
            f"labels for each {where} cannot come from a DataFrame; hand over arrays instead", path="labels"
        )
    elif None in tensor.shape:
        raise ConfigError("the last layer does not say how wide its output is (n_out)", path="n_out")


def frame_options(selections: Sequence[Selection], **more: Any) -> str:
    """What ``org.pydl4j.spark.frame`` is told about a DataFrame."""
    return json.dumps({"tensors": [selection.to_dict() for selection in selections]} | more)


def encoded(normalizer: Normalizer) -> str:
    """A normalizer as it travels in JSON."""
    return base64.b64encode(normalizer.to_bytes()).decode("ascii")


def decoded(text: str) -> Normalizer:
    """What :func:`encoded` gave."""
    return Normalizer.from_bytes(base64.b64decode(text))
