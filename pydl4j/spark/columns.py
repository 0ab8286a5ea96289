"""Which columns of a DataFrame are features and labels, and what the network makes of them."""

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard

import numpy as np

from pydl4j.data.arrays import check_trainable
from pydl4j.data.borders import InputInterface, Interface, OutputInterface, Shape
from pydl4j.data.interface import seen
from pydl4j.data.normalizer import Normalizer
from pydl4j.data.tables import Columns, column_names
from pydl4j.errors import ConfigError, DataError, ShapeError, suggestion
from pydl4j.spark.images import ImageShape, Resized
from pydl4j.spark.sequences import SequenceShape, holds_sequences, longest

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import DataFrame

__all__ = [
    "Columns",
    "Named",
    "Names",
    "Selection",
    "Tensor",
    "are_names",
    "check_normalizable",
    "columns_of",
    "decoded",
    "encoded",
    "frame_options",
    "is_frame",
    "is_points",
    "lengths_needed",
    "normalized",
    "of_batches",
    "of_lengths",
    "padded",
    "select",
    "tensors",
]


Named: TypeAlias = Columns | Mapping[str, Columns]
"""Columns; those of a graph with several inputs or outputs by their names."""


class Names(NamedTuple):
    """Which columns of a DataFrame are what."""

    features: Named | None
    labels: Named | None = None
    features_mask: Named | None = None
    labels_mask: Named | None = None


def are_names(given: object) -> TypeGuard[Named | None]:
    """Whether masks are names of columns, or there are none; and no arrays."""
    if isinstance(given, Mapping):
        return all(isinstance(name, str) for name in given.values())
    return given is None or isinstance(given, str)


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
    """Of features that may be sequences, of labels that are, and of their masks; a dataset does not tell."""

    @property
    def is_features(self) -> bool:
        """Whether it is no labels."""
        return self.name.startswith("features") and not self.is_mask

    @property
    def is_mask(self) -> bool:
        """Whether it says what counts of features or labels."""
        return "_mask" in self.name

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
    kept: str | None = None
    """The column that says which time steps count, or whether a row does; None where all do."""
    open: bool = False
    """Whether each batch is padded to its own longest sequence, whatever length is said."""
    like: tuple[str, ...] = ()
    """Columns as long as one of which each sequence has to be; none for any length."""

    def to_dict(self) -> dict[str, Any]:
        """As ``org.pydl4j.spark.frame`` is told of it."""
        options = self.tensor.to_dict() | {"columns": list(self.columns), "mask": self.tensor.is_mask}
        if self.tensor.image is not None:
            resize = any(isinstance(column, Resized) for column in self.columns)
            options["image"] = self.tensor.image.to_dict(resize=resize)
        if self.sequences and self.tensor.sequence is not None:
            options["sequence"] = self.tensor.sequence.to_dict(self.like) | {"open": self.open}
        if self.kept is not None:
            options["kept"] = self.kept
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
    return Tensor(
        _numbered("labels", number),
        border.label_shape,
        np.dtype(border.dtype).name,
        border.name,
        border.label_range,
        classes,
        sequence=SequenceShape.of_labels(border),
    )


def _numbered(name: str, number: int) -> str:
    return f"{name}_{number}" if number else name


def select(frame: "DataFrame", net: Interface | None, wanted: Sequence[Tensor], names: Names) -> list[Selection]:
    """The columns of a DataFrame, for the tensors that are wanted; ``net`` is the network that wants them, if there is one.

    Raises:
        DataError: a column that is not there, or none named; masks of what has neither time steps nor labels.
        ConfigError: nobody says how long rows are.
    """
    found = []
    for tensor in wanted:
        what, given, mask = (
            ("features", names.features, names.features_mask)
            if tensor.is_features
            else ("labels", names.labels, names.labels_mask)
        )
        several = sum(other.is_features == tensor.is_features for other in wanted) > 1
        columns = column_names(frame.columns, columns_of(given, tensor.of, what, several=several), what)
        sequences = tensor.sequence is not None and (
            not tensor.is_features or holds_sequences(frame, columns, tensor.sequence)
        )
        if not sequences:
            _require_known(tensor)
        kept = _mask_column(frame, net, tensor, mask, several=several)
        if kept is not None and tensor.is_features and not sequences:
            raise DataError(
                "features_mask is for columns of sequences, arrays of time steps. Received: "
                + ", ".join(f"{column!r}, {frame.schema[column].dataType.simpleString()}" for column in columns),
                path="features_mask",
            )
        found.append(Selection(tensor, columns, sequences=sequences, kept=kept))
    return found


def _mask_column(
    frame: "DataFrame", net: Interface | None, tensor: Tensor, given: Named | None, *, several: bool
) -> str | None:
    what = "features_mask" if tensor.is_features else "labels_mask"
    if given is None:
        return None
    if isinstance(given, Mapping):
        borders = () if net is None else net.inputs if tensor.is_features else net.outputs
        known = [border.name for border in borders if border.name is not None]
        for name in given:
            if name not in known:
                kind = "input" if tensor.is_features else "output"
                raise DataError(f"{what}: there is no {kind} {name!r}{suggestion(name, known)}", path=what)
        if tensor.of not in given:
            return None
    names = column_names(frame.columns, columns_of(given, tensor.of, what, several=several), what)
    if len(names) != 1:
        raise DataError(f"{what}: expected one column. Received: {', '.join(names)}", path=what)
    return names[0]


def padded(frame: "DataFrame", selections: Sequence[Selection], net: Interface | None) -> list[Selection]:
    """Selections in which sequences have one length, that of the longest, with the masks of what counts.

    Raises:
        DataError: no sequence with time steps.
        ShapeError: sequences that are too short for the network.
    """
    return of_lengths(selections, net, longest(frame, lengths_needed(selections)))


def of_batches(frame: "DataFrame", selections: Sequence[Selection], net: Interface) -> tuple[list[Selection], bool]:
    """As :func:`padded`; but each batch to its own longest, without a pass over the lengths, if outputs have a time step for each of features.

    Returns:
        The selections, and whether outputs are so.
    """
    needed = lengths_needed(selections)
    if needed and all(_keeps_time(selections, net, dict.fromkeys(needed, length)) for length in _PROBES):
        nominal = of_lengths(selections, net, dict.fromkeys(needed, _PROBES[0]))
        return [replace(found, open=found.sequences) for found in nominal], True
    made = padded(frame, selections, net)
    return made, _follows(made, net)


_PROBES = (1, 32, 33)
"""Lengths of sequences; a network that keeps each keeps any."""


def _keeps_time(selections: Sequence[Selection], net: Interface, lengths: Mapping[str, int]) -> bool:
    try:
        return _follows(of_lengths(selections, net, lengths), net)
    except ShapeError:  # too short for it
        return False


def _follows(selections: Sequence[Selection], net: Interface) -> bool:
    features = [found for found in selections if found.tensor.is_features]
    lengths = {found.tensor.sequence.length for found in features if found.sequences and found.tensor.sequence}
    outputs = _seen(net, features).outputs if lengths else ()
    return len(lengths) == 1 and all({*output.place_shape} == lengths for output in outputs if output.places)


def _seen(net: Interface, features: Sequence[Selection]) -> Interface:
    """The network's borders for features of these lengths."""
    shapes = [(1, *(size or 0 for size in found.tensor.shape)) for found in features]  # all known by now
    return seen(net, [np.broadcast_to(np.float32(0), shape) for shape in shapes])


def lengths_needed(selections: Sequence[Selection]) -> list[str]:
    """The columns of features that decide how long the padded sequences are."""
    return list(dict.fromkeys(found.columns[0] for found in selections if _is_open(found) and found.tensor.is_features))


def _is_open(selection: Selection) -> bool:
    shape = selection.tensor.sequence
    return selection.sequences and shape is not None and shape.length is None


def of_lengths(selections: Sequence[Selection], net: Interface | None, lengths: Mapping[str, int]) -> list[Selection]:
    """Selections in which the sequences of a column are so long, those of labels as the network has them, with the masks of what counts."""
    features = [
        _of_length(found, lengths[found.columns[0]]) if _is_open(found) else found
        for found in selections
        if found.tensor.is_features
    ]
    labels = [_like(found, features, net) for found in selections if not found.tensor.is_features]
    values = [*features, *labels]
    return [*values, *(_mask(found) for found in values if found.sequences or found.kept is not None)]


def _of_length(selection: Selection, length: int | None) -> Selection:
    shape = selection.tensor.sequence
    if shape is None:
        return selection
    shape = replace(shape, length=length)
    return replace(selection, tensor=replace(selection.tensor, sequence=shape, shape=shape.shape))


def _like(labels: Selection, features: Sequence[Selection], net: Interface | None) -> Selection:
    """Labels of time steps, as long as the output is for these features; of each row as many as features, where that is as long."""
    if not labels.sequences or net is None:
        return labels
    output = next(o for o in _seen(net, features).outputs if _numbered("labels", o.index) == labels.tensor.name)
    length = output.place_shape[0]
    like = [f.columns[0] for f in features if f.sequences and f.tensor.sequence and f.tensor.sequence.length == length]
    return replace(_of_length(labels, length), like=tuple(like))


def _mask(selection: Selection) -> Selection:
    """Of sequences, which time steps count: those that are there, and that no column masks; of other labels, which rows do."""
    tensor = selection.tensor
    what, _, number = tensor.name.partition("_")
    name = f"{what}_mask_{number}" if number else f"{what}_mask"
    if selection.sequences and tensor.sequence is not None:
        mask = Tensor(name, (tensor.sequence.length,), tensor.dtype, tensor.of, sequence=tensor.sequence)
        return replace(selection, tensor=mask, normalizer=None)
    return Selection(Tensor(name, (1,), tensor.dtype, tensor.of), (str(selection.kept),), kept=selection.kept)


def normalized(selections: Sequence[Selection], normalizer: Normalizer | None) -> list[Selection]:
    """Selections whose features are normalized; those stand first.

    Raises:
        ConfigError: sequences of which a normalizer would take time steps for features.
    """
    if normalizer is None:
        return list(selections)
    first, *others = selections
    check_normalizable(first)
    return [replace(first, normalizer=normalizer), *others]


def check_normalizable(features: Selection) -> None:
    """Refuse sequences of which a normalizer would take time steps for features.

    Raises:
        ConfigError: they are such.
    """
    shape = features.tensor.sequence
    if features.sequences and shape is not None and not shape.time_last:
        raise ConfigError(
            "a normalizer takes sequences only where features come before time (ncw). Normalize them before fit",
            path="normalizer",
        )


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
    elif len(tensor.shape) > 2:
        raise ConfigError("labels for each pixel cannot come from a DataFrame; hand over arrays instead", path="labels")
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
