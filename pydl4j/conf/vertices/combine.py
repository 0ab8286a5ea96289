"""Vertices that make one of several inputs, or several of one."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydl4j.conf._codecs import AtLeast, JavaNames
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf._reading import At
from pydl4j.conf.inputs import (
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutional3D,
    InputTypeConvolutionalFlat,
    InputTypeFeedForward,
    InputTypeRecurrent,
)
from pydl4j.conf.vertices.base import JAVA, GraphVertex

__all__ = ["ElementWiseVertex", "L2Vertex", "MergeVertex", "StackVertex", "SubsetVertex", "UnstackVertex"]

FromZero = Annotated[int, AtLeast(0)]

_AXES = {"ncw": 1, "nwc": 2, "nchw": 1, "nhwc": 3, "ncdhw": 1, "ndhwc": 4}
"""The axis of features or channels."""


class MergeVertex(GraphVertex, java=JAVA + "MergeVertex"):
    """Concatenates features or channels: ``[m, a, ...]`` and ``[m, b, ...]`` to ``[m, a + b, ...]``.

    Images and volumes must agree in all other dimensions, and inputs in kind and format: DL4J lets differing ones pass and
    fails in training. Volumes keep their format (DL4J takes the result for NDHWC, and merges NDHWC along the depth).
    """

    min_inputs: ClassVar[int] = 2
    max_inputs: ClassVar[int | None] = None

    merge_axis: FromZero = 1
    """Axis of the arrays; taken from the input types where they are known."""
    modified: bool = False
    """The axis was given, and is not taken from sequences."""

    @classmethod
    def _prepare(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"modified": "merge_axis" in given, **given}  # as setting the axis does in DL4J

    @classmethod
    def read_options(cls, members: Mapping[str, Any], at: At) -> dict[str, Any]:
        given = {"modified": "mergeAxis" in members}  # reading the axis sets it, in DL4J
        return given | super().read_options(members, at)

    def with_inputs(self, inputs: Sequence[InputType], path: str) -> Self:
        first = inputs[0]
        images = isinstance(first, InputTypeConvolutional | InputTypeConvolutional3D)
        taken = self.merge_axis == 1 if images else not self.modified  # DL4J looks at one or the other
        known = getattr(first, "format", None)
        if isinstance(first, InputTypeRecurrent):
            known = _format(inputs) or "nwc"  # as DL4J has it
        return self._with(merge_axis=_AXES[known]) if known and taken else self

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        first = _same_kind(self, inputs, path)
        if isinstance(first, InputTypeFeedForward):
            return InputType.feed_forward(sum(item.size for item in inputs if isinstance(item, InputTypeFeedForward)))
        if isinstance(first, InputTypeRecurrent):
            size = sum(item.size for item in inputs if isinstance(item, InputTypeRecurrent))
            return first._with(size=size, format=_format(inputs))
        if isinstance(first, InputTypeConvolutional | InputTypeConvolutional3D):
            _same_except("channels", self, inputs, path)
            return first._with(channels=sum(getattr(item, "channels", 0) for item in inputs))
        raise refuse(path, "(MergeVertex) cannot merge images that come as rows", first)


class ElementWiseVertex(GraphVertex, java=JAVA + "ElementWiseVertex"):
    """Combines activations of equal shape number by number; vectors of size 1 count for all numbers of longer ones.

    DL4J lets vectors, sequences and volumes of other sizes pass and fails in training; here they are refused.
    """

    max_inputs: ClassVar[int | None] = None
    min_inputs: ClassVar[int] = 2

    op: Annotated[
        Literal["add", "subtract", "product", "average", "max"],
        JavaNames("Add", "Subtract", "Product", "Average", "Max"),
    ]
    """``subtract`` takes two inputs, the others any number."""

    def check_count(self, count: int, path: str) -> None:
        super().check_count(count, path)
        if self.op == "subtract" and count != 2:
            raise guard(path, '(ElementWiseVertex) must have 2 inputs with op="subtract"', count)

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        first = _same_kind(self, inputs, path)
        if isinstance(first, InputTypeFeedForward):
            return self._longest(inputs, path)
        if isinstance(first, InputTypeRecurrent):
            _same_except("time_series_length", self, inputs, path)
            return max(inputs, key=lambda item: getattr(item, "time_series_length", None) or -1)
        _same_except("", self, inputs, path)
        return first

    def _longest(self, inputs: Sequence[InputType], path: str) -> InputType:
        vectors = [item for item in inputs if isinstance(item, InputTypeFeedForward)]
        longest = max(vectors, key=lambda item: item.size)
        wrong = next((item for item in vectors if item.size not in {1, longest.size}), None)
        if wrong is not None:
            raise guard(path, f"(ElementWiseVertex) must have vectors of one size, {longest.size}, or of size 1", wrong)
        return longest


class L2Vertex(GraphVertex, java=JAVA + "L2Vertex"):
    """Euclidean distance of two inputs, example by example: ``[m, n]`` and ``[m, n]`` to ``[m, 1]``.

    (DL4J's ``eps``, added so that the gradient exists at 0, is always 1e-8: its documents do not hold another.)
    """

    min_inputs: ClassVar[int] = 2
    max_inputs: ClassVar[int | None] = 2

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        return InputType.feed_forward(1)


class StackVertex(GraphVertex, java=JAVA + "StackVertex"):
    """Puts minibatches of equal shape after each other: ``[m, ...]`` twice to ``[2 m, ...]``; `UnstackVertex` takes them apart."""

    max_inputs: ClassVar[int | None] = None

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        other = next((item for item in inputs if item != inputs[0]), None)
        if other is not None:
            raise refuse(path, f"(StackVertex) must have inputs of equal types, {inputs[0]!r}", other)
        return inputs[0]


class UnstackVertex(GraphVertex, java=JAVA + "UnstackVertex", keys={"from_": "from"}):
    """Part ``from_`` of ``stack_size`` equal parts of a minibatch that `StackVertex` made."""

    from_: FromZero
    """Which part, from 0."""
    stack_size: Annotated[int, AtLeast(1)]
    """How many parts there are."""

    def validate(self, path: str) -> None:
        if self.from_ >= self.stack_size:
            raise guard(f"{path}.from_", f"must be below stack_size = {self.stack_size}", self.from_)


class SubsetVertex(GraphVertex, java=JAVA + "SubsetVertex", keys={"from_": "from"}):
    """Features or channels ``from_`` to ``to``, both included: ``[m, n, ...]`` to ``[m, to - from_ + 1, ...]``.

    DL4J computes a negative number of channels for images (here it is right), lets a range beyond vectors and sequences
    pass, and takes its range along the wrong axis where channels or features come last: both are refused here.
    """

    from_: FromZero
    to: FromZero

    def validate(self, path: str) -> None:
        if self.to < self.from_:
            raise guard(f"{path}.to", f"must not be below from_ = {self.from_}", self.to)

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        (given,) = inputs
        available = int(getattr(given, "size", 0) or getattr(given, "channels", 0))
        if isinstance(given, InputTypeConvolutionalFlat | InputTypeConvolutional3D):
            raise refuse(path, "(SubsetVertex) needs vectors, sequences or images as input", given)
        if self.to >= available:
            raise guard(f"{path}.to", f"must be below {available}, the size of the input", self.to)
        if getattr(given, "format", None) in {"nwc", "nhwc"}:
            raise guard(path, "(SubsetVertex) needs features or channels first (ncw, nchw)", given)
        size = self.to - self.from_ + 1
        if isinstance(given, InputTypeFeedForward):
            return InputType.feed_forward(size)
        if isinstance(given, InputTypeRecurrent):
            return InputType.recurrent(size)
        return given.replace(channels=size)


def _format(inputs: Sequence[InputType]) -> str | None:
    """The format of the first input that has one; that of sequences may be unknown."""
    return next((known for item in inputs if (known := getattr(item, "format", None))), None)


def _same_kind(vertex: GraphVertex, inputs: Sequence[InputType], path: str) -> InputType:
    """The first input, of whose kind and format all must be."""
    first = inputs[0]
    for item in inputs:
        if type(item) is not type(first):
            # DL4J tells vectors from sequences by the order of a hash table
            mixed = isinstance(item, InputTypeRecurrent | InputTypeFeedForward)
            make = guard if mixed else refuse
            raise make(path, f"({type(vertex).__name__}) must have inputs of one kind, as the first: {first!r}", item)
        if _format([item]) not in {None, _format(inputs)}:
            raise guard(
                path, f"({type(vertex).__name__}) must have inputs of one format, as the first: {first!r}", item
            )
    return first


def _same_except(option: str, vertex: GraphVertex, inputs: Sequence[InputType], path: str) -> None:
    """Refuse inputs that differ from the first in more than one option."""
    first = inputs[0]
    names = [name for name in type(first).options() if name != option]
    for item in inputs:
        differing = [name for name in names if getattr(item, name) != getattr(first, name)]
        if differing:
            must = f"({type(vertex).__name__}) must have inputs of equal {differing[0]}, as the first: {first!r}"
            raise guard(path, must, item)
