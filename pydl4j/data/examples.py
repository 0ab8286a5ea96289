"""What users hand over to be trained on or looked at, input by input and output by output."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from pydl4j.data import arrays, masks
from pydl4j.data.arrays import Array
from pydl4j.data.borders import InputInterface, Interface, OutputInterface
from pydl4j.data.interface import seen
from pydl4j.data.normalizer import Normalizer, fitting
from pydl4j.errors import ConfigError, DataError, ShapeError, suggestion

Data: TypeAlias = ArrayLike | Sequence[ArrayLike] | Mapping[str, ArrayLike]
"""An array; for several inputs or outputs a list in the order of the configuration, or a dict by name."""
Masks: TypeAlias = ArrayLike | Sequence[ArrayLike | None] | Mapping[str, ArrayLike]
"""As :data:`Data`; inputs and outputs without a mask are left out of a dict, or None in a list."""


class Names(NamedTuple):
    """What messages call the arrays."""

    x: str = "x"
    y: str = "y"
    features_mask: str = "features_mask"
    labels_mask: str = "labels_mask"


PLAIN = Names()
OF_VALIDATION = Names(*(f"validation[{i}]" for i in range(4)))


class Given(NamedTuple):
    """Data as they were handed over."""

    x: Any
    y: Any = None
    features_mask: Any = None
    labels_mask: Any = None


def validation_data(validation: Any, *, expected: str = "a pair (x, y)") -> Given:
    """Features and labels to validate on, it may be with their masks: ``(x, y)`` or ``(x, y, features_mask, labels_mask)``.

    Raises:
        DataError: no tuple or list of two or four.
    """
    if isinstance(validation, tuple | list) and len(validation) in (2, 4):
        return Given(*validation)
    kind = type(validation).__name__
    many = f" of {len(validation)}" if isinstance(validation, tuple | list) else ""
    raise DataError(
        f"validation must be {expected}, or with masks (x, y, features_mask, labels_mask). Received: a {kind}{many}",
        path="validation",
    )


@dataclass(frozen=True)
class Examples:
    """Arrays as a network takes them, joined along their first axis; masks are None where there are none."""

    features: tuple[Array, ...]
    features_masks: tuple[Array | None, ...]
    labels: tuple[Array | None, ...] = ()
    """None for an output that is not looked at."""
    labels_masks: tuple[Array | None, ...] = ()

    def __len__(self) -> int:
        return len(self.features[0])

    def pieces(self, rows: int) -> Iterator["Examples"]:
        """The examples, at most so many at a time."""
        for start in range(0, len(self), rows):
            yield Examples(*(_rows(of, start, start + rows) for of in self._arrays))

    @property
    def _arrays(self) -> tuple[tuple[Array | None, ...], ...]:
        return self.features, self.features_masks, self.labels, self.labels_masks

    def columns(self) -> dict[str, Array]:
        """The arrays by name, as datasets on storage have them: ``features``, ``features_1``, ..., ``labels_mask_1``."""
        names = ("features", "features_mask", "labels", "labels_mask")
        return {
            f"{name}_{i}" if i else name: array
            for name, of in zip(names, self._arrays, strict=True)
            for i, array in enumerate(of)
            if array is not None
        }


def _rows(of: tuple[Array | None, ...], start: int, end: int) -> tuple[Any, ...]:
    return tuple(None if array is None else array[start:end] for array in of)


@dataclass(frozen=True)
class Border:
    """Checks and converts data for a network; what is random or slow stays with whoever asks."""

    net: Interface
    normalizer: Normalizer | None

    @contextmanager
    def fitted(self, given: Given, names: Names = PLAIN) -> Iterator[None]:
        """Fits a normalizer that is not fitted yet, to what counts; what is raised in the block leaves it as it was."""
        with fitting(self.normalizer, lambda: self._counting(given, names)):
            yield

    def fit(self, normalizer: Normalizer, given: Given, names: Names = PLAIN) -> None:
        """Fits a normalizer to what counts."""
        normalizer.fit(self._counting(given, names))

    def _counting(self, given: Given, names: Names) -> Array:
        (border,), (x,) = self.net.inputs, _split(given.x, self.net.inputs, names.x)
        shaped = arrays.shaped(x, border, name=names.x)
        (mask,) = _split_masks(given.features_mask, self.net.inputs, names.features_mask)
        if mask is None:
            return shaped
        return masks.rows_kept(shaped, masks.features_mask(mask, border, shaped, name=names.features_mask), border)

    def features(self, given: Given, names: Names = PLAIN) -> Examples:
        """The features alone."""
        given_masks = _split_masks(given.features_mask, self.net.inputs, names.features_mask)
        several = len(self.net.inputs) > 1
        found = []
        for x, mask, border in zip(
            _split(given.x, self.net.inputs, names.x), given_masks, self.net.inputs, strict=True
        ):
            x_name = _name(names.x, border, several=several)
            mask_name = _name(names.features_mask, border, several=several)
            found.append(self._input(x, mask, border, x_name, mask_name))
        _check_equally_many([x for x, _ in found], self.net.inputs, names.x)
        return Examples(tuple(x for x, _ in found), tuple(mask for _, mask in found))

    def _input(
        self, x: ArrayLike, mask: ArrayLike | None, border: InputInterface, name: str, mask_name: str
    ) -> tuple[Array, Array | None]:
        if mask is None and self.normalizer is None:
            return arrays.features(x, border, name=name), None
        shaped = arrays.shaped(x, border, name=name)
        kept = None if mask is None else masks.features_mask(mask, border, shaped, name=mask_name)
        if kept is not None:
            shaped = masks.without_padding(shaped, kept, border)
        if self.normalizer is not None:
            shaped = self.normalizer.transform(shaped)
        if kept is None:
            return arrays.features(shaped, border, name=name), None
        features = arrays.features(masks.without_padding(shaped, kept, border), border, name=name)
        return features, masks.features_mask_for_dl4j(kept, border.dtype)

    def examples(self, given: Given, names: Names = PLAIN) -> Examples:
        """Features and labels."""
        found = self.features(given, names)
        outputs = seen_outputs(self.net, found)
        ys = _split(given.y, outputs, names.y)
        given_masks = _split_masks(given.labels_mask, outputs, names.labels_mask)
        several = len(outputs) > 1
        labelled = [
            _output(y, mask, border, found, names, several=several)
            for y, mask, border in zip(ys, given_masks, outputs, strict=True)
        ]
        return _with_labels(found, labelled)

    def examples_of(self, output: OutputInterface, given: Given, names: Names = PLAIN) -> Examples:
        """Features, and the labels of one output: ``given`` has those alone, as an array, or of several outputs, by name or in order."""
        found = self.features(given, names)
        outputs = seen_outputs(self.net, found)
        if len(outputs) == 1:
            return self.examples(given, names)
        y = _of_output(given.y, outputs, output, names.y)
        mask = _of_output(given.labels_mask, outputs, output, names.labels_mask)
        border = outputs[output.index]
        if y is None:
            raise DataError(f"{names.y} has no labels of the output {output.name!r}", path=names.y)
        labelled: list[tuple[Array | None, Array | None]] = [(None, None)] * len(outputs)
        labelled[output.index] = _output(y, mask, border, found, names, several=True)
        return _with_labels(found, labelled)


def seen_outputs(net: Interface, examples: Examples) -> tuple[OutputInterface, ...]:
    """The outputs of a network that is to be compared with labels, as the features have them."""
    arrays.check_trainable(net)
    return seen(net, examples.features).outputs


def _with_labels(examples: Examples, labelled: Sequence[tuple[Array | None, Array | None]]) -> Examples:
    ys, labels_masks = (tuple(column) for column in zip(*labelled, strict=True))
    return Examples(examples.features, examples.features_masks, ys, labels_masks)


def _output(
    y: ArrayLike, mask: ArrayLike | None, border: OutputInterface, found: Examples, names: Names, *, several: bool
) -> tuple[Array, Array | None]:
    name, mask_name = _name(names.y, border, several=several), _name(names.labels_mask, border, several=several)
    kept = None if mask is None else masks.labels_mask(mask, border, len(found), name=mask_name)
    labels = arrays.labels(y, border, features=found.features, counted=kept, name=name)
    return labels, None if kept is None else masks.labels_mask_for_dl4j(kept, border, border.dtype)


def _name(name: str, border: InputInterface | OutputInterface, *, several: bool) -> str:
    return f"{name}[{border.name!r}]" if several else name


_Borders: TypeAlias = Sequence[InputInterface] | Sequence[OutputInterface]


def _split(data: Any, borders: _Borders, name: str) -> list[Any]:
    """An array for each input or output."""
    what = "input" if isinstance(borders[0], InputInterface) else "output"
    if isinstance(data, Mapping) and borders[0].name is not None:
        _check_keys(data, borders, name, what)
        missing = next((border.name for border in borders if border.name not in data), None)
        if missing is not None:
            raise DataError(f"{name} lacks the {what} {missing!r}. It has: {', '.join(map(str, data))}", path=name)
        return [data[border.name] for border in borders]
    if len(borders) == 1:
        return [data]
    if isinstance(data, tuple | list) and len(data) == len(borders):
        return list(data)
    raise DataError(
        f"{name} must be {len(borders)} arrays, one per {what}: a list in the order {', '.join(_known(borders))}, "
        f"or a dict by these names. Received: {_kind(data)}",
        path=name,
    )


def _split_masks(data: Any, borders: _Borders, name: str) -> list[Any]:
    """A mask for each input or output, None where there is none."""
    if data is None:
        return [None] * len(borders)
    if isinstance(data, Mapping) and borders[0].name is not None:
        _check_keys(data, borders, name, "input" if isinstance(borders[0], InputInterface) else "output")
        return [data.get(border.name) for border in borders]
    return _split(data, borders, name)


def _of_output(data: Any, outputs: Sequence[OutputInterface], output: OutputInterface, name: str) -> Any:
    """What belongs to one of several outputs, of all of them or alone; None where nothing does."""
    if isinstance(data, Mapping):
        _check_keys(data, outputs, name, "output")
        return data.get(output.name)
    if isinstance(data, tuple | list):
        return _split(data, outputs, name)[output.index]
    return data


def _check_keys(data: Mapping[Any, Any], borders: _Borders, name: str, what: str) -> None:
    known = _known(borders)
    extra = next((key for key in data if key not in known), None)
    if extra is not None:
        raise DataError(
            f"{name}: the graph has no {what} {extra!r}{suggestion(extra, known)}. It has: {', '.join(known)}",
            path=name,
        )


def _known(borders: _Borders) -> list[str]:
    return [border.name for border in borders if border.name is not None]


def _kind(data: Any) -> str:
    if isinstance(data, np.ndarray):
        return f"one array {list(data.shape)}"
    return f"a {type(data).__name__}" + (f" of {len(data)}" if isinstance(data, tuple | list) else "")


def _check_equally_many(features: Sequence[Array], borders: Sequence[InputInterface], name: str) -> None:
    for array, border in zip(features, borders, strict=True):
        if len(array) != len(features[0]):
            raise ShapeError(
                f"expected as many examples of each input: {len(features[0])} of {borders[0].name!r}. "
                f"Received: {len(array)} in {_name(name, border, several=True)}",
                path=name,
            )


def check_normalizer(normalizer: object, net: Interface) -> None:
    """Refuse what a network cannot normalize its features with.

    Raises:
        ConfigError: no normalizer, one of labels too (``fit_labels``), or a graph with several inputs.
    """
    if normalizer is None:
        return
    if not isinstance(normalizer, Normalizer):
        kind = normalizer.__name__ if isinstance(normalizer, type) else repr(normalizer)
        raise ConfigError(
            f"normalizer must be one of pydl4j.normalizers, as in NormalizerStandardize(). Received: {kind}",
            path="normalizer",
        )
    if getattr(normalizer, "fit_labels", False):
        raise ConfigError(
            "a network's normalizer is applied to features only, but this one has fit_labels=True. Give the network one without, "
            "and normalize the labels yourself: transform_labels before fit, revert_labels after output",
            path="normalizer",
        )
    if len(net.inputs) > 1:
        raise ConfigError(
            f"a graph with several inputs ({', '.join(_known(net.inputs))}) has no normalizer: a model file has room for one. "
            "Normalize each input yourself, before fit and output",
            path="normalizer",
        )
