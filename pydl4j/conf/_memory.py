"""How much memory a network needs: exact for its parameters and updater, estimated for what passes through it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from pydl4j.conf.inputs import InputType
from pydl4j.conf.rows import Row

__all__ = ["Memory", "estimate", "human"]

_BYTES = {"float": 4, "double": 8, "half": 2}


@dataclass(frozen=True)
class Memory:
    """Numbers of elements; times `element_size` they are bytes."""

    batch_size: int
    element_size: int
    parameters: int
    updater_state: int
    """What the updaters keep, such as the moments of Adam."""
    activations: int | None
    """The input and the output of every layer, which training keeps until it has gone back; ``None`` if unknown."""
    largest: int | None
    """The most that one layer has as input and output together."""
    unknown_time: bool
    """There are time series of unknown length; they were counted as one step."""

    @property
    def training(self) -> int | None:
        """Parameters, their gradients, updater state, activations, and gradients of the activations of one layer."""
        if self.activations is None or self.largest is None:
            return None
        return 2 * self.parameters + self.updater_state + self.activations + self.largest

    @property
    def inference(self) -> int | None:
        """Parameters, and the activations of one layer."""
        return None if self.largest is None else self.parameters + self.largest

    def __str__(self) -> str:
        """A line for each part."""
        parts = [
            ("parameters", self.parameters, ""),
            ("gradients", self.parameters, ""),
            ("updater state", self.updater_state, ""),
            ("activations", self.activations, "outputs of all layers, kept until training has gone back"),
            ("their gradients", self.largest, "of one layer at a time"),
            ("training", self.training, "all of these"),
            ("inference", self.inference, "parameters, and the activations of one layer at a time"),
        ]
        lines = [f"  {name:<16}{self._bytes(n):>11}  {note}".rstrip() for name, n, note in parts]
        each = f"a batch of {self.batch_size:,}, {self.element_size} bytes per number"
        steps = "; time series of unknown length count as 1 step" if self.unknown_time else ""
        tail = "Working memory of the native engine and of the JVM comes on top."
        return "\n".join([f"Memory, estimated for {each}{steps}:", *lines, tail])

    def _bytes(self, count: int | None) -> str:
        return "?" if count is None else human(count * self.element_size)


def human(count: int) -> str:
    """A number of bytes for people: ``1.5 MiB``."""
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:,.0f} B" if unit == "B" else f"{size:,.1f} {unit}"
        size /= 1024
    return f"{size:,.1f} TiB"


def estimate(found: Sequence[Row], data_type: str, batch_size: int) -> Memory:
    """The memory of a network at a batch size."""
    by_label = {row.label: row for row in found}
    outputs = {row.label: _elements(row.output_type) for row in found}
    known = None not in outputs.values()
    inputs = {label: [outputs[source] or 0 for source in row.inputs] for label, row in by_label.items()}
    return Memory(
        batch_size=batch_size,
        element_size=_BYTES[data_type],
        parameters=sum(row.n_params for row in found),
        updater_state=sum(row.updater_state for row in found),
        activations=batch_size * sum(n or 0 for n in outputs.values()) if known else None,
        largest=batch_size * max((outputs[label] or 0) + sum(inputs[label]) for label in by_label) if known else None,
        unknown_time=any(None in row.output_type.shape for row in found if row.output_type),
    )


def _elements(input_type: InputType | None) -> int | None:
    return None if input_type is None else prod(n or 1 for n in input_type.shape)
