"""Attention over the time steps of sequences. Sequences are NCW; others are refused, which DL4J confuses."""

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.activations import ActivationName
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import JAVA, MaybeSize, ParamShapes, check_inferred
from pydl4j.conf.layers.kinds import TIME_LAST, Kind, time_last
from pydl4j.conf.layers.samediff import SameDiffLayer, inherited_activation

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["LearnedSelfAttentionLayer", "RecurrentAttentionLayer", "SelfAttentionLayer"]


class _Attention(
    SameDiffLayer,
    keys={"n_in": "nin", "n_out": "nout", "n_heads": "nheads"},
    absent={"n_heads": 0, "project_input": False},
):
    """Scaled dot product attention (Vaswani et al. 2017)."""

    takes: ClassVar[Kind] = TIME_LAST

    n_in: MaybeSize = None
    """Features of a time step; inferred if ``None``."""
    n_out: MaybeSize = None
    """Features of a time step of the output; needed to project the input, else it is ``n_in``."""
    n_heads: Annotated[int, AtLeast(0)]
    """Heads that attend side by side; more than one project the input."""
    head_size: MaybeSize = None
    """Features of a head; ``n_out / n_heads`` if ``None``."""
    project_input: bool = False
    """Multiply queries, keys, values and the output by learned weights."""

    def check(self, path: str) -> None:
        if not self.n_heads:
            raise refuse(f"{path}.n_heads", "must be >= 1", self.n_heads)
        if not self.project_input and self.n_heads > 1:
            raise refuse(f"{path}.project_input", f"must be True with n_heads={self.n_heads}", self.project_input)
        if not self.project_input and self.n_in != self.n_out:
            raise refuse(f"{path}.n_out", f"must be {self.n_in}, as n_in, without project_input", self.n_out)
        if self.project_input and self.n_out is None:
            raise refuse(f"{path}.n_out", "must be given with project_input", self.n_out)
        if self.head_size is None and (self.n_out or 0) % self.n_heads:
            must = f"must be given, as n_out={self.n_out} cannot be divided by n_heads={self.n_heads}"
            raise refuse(f"{path}.head_size", must, self.head_size)

    def _inherit_more(self, network: "NetworkOptions") -> dict[str, Any]:
        size = self.head_size or (self.n_out or 0) // (self.n_heads or 1)
        return super()._inherit_more(network) | {"head_size": size or None}

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        series = time_last(self, input_type, path)
        size = self.n_out if self.project_input else series.size
        return InputType.recurrent(size or series.size, time_series_length=series.time_series_length)

    def check_complete(self, path: str) -> None:
        check_inferred(self, path, "n_in")

    def _projections(self, n_queries_in: int) -> ParamShapes:
        """Weights of the projections; queries have ``n_queries_in`` features."""
        if not self.project_input:
            return {}
        n_in, n_out, heads, size = self.n_in or 0, self.n_out or 0, self.n_heads, self.head_size or 0
        keys = {"Wq": (heads, size, n_queries_in), "Wk": (heads, size, n_in), "Wv": (heads, size, n_in)}
        return {**keys, "Wo": (heads * size, n_out)}


class SelfAttentionLayer(_Attention, java=JAVA + "SelfAttentionLayer"):
    """Each time step attends to all: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]``.

    >>> SelfAttentionLayer(n_out=8, n_heads=2, project_input=True)
    SelfAttentionLayer(n_out=8, n_heads=2, project_input=True)
    """

    def param_shapes(self) -> ParamShapes:
        return self._projections(self.n_in or 0)


class LearnedSelfAttentionLayer(
    _Attention, java=JAVA + "LearnedSelfAttentionLayer", keys={"n_queries": "nqueries"}, absent={"n_queries": 0}
):
    """Learned queries attend to all time steps: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, n_queries]``, whatever the length.

    DL4J 1.0.0-M2.1 can make and save such a network, but fails in its ``scatter_update`` when the network is given data.
    """

    n_queries: Annotated[int, AtLeast(0)]
    """Number of queries, which is the length of the output."""

    def check(self, path: str) -> None:
        super().check(path)
        if not self.n_queries:
            raise refuse(f"{path}.n_queries", "must be >= 1", self.n_queries)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        size = self.n_out if self.project_input else None
        return InputType.recurrent(size or time_last(self, input_type, path).size, time_series_length=self.n_queries)

    def param_shapes(self) -> ParamShapes:
        n_in = self.n_in or 0
        return {"Q": (1, n_in, self.n_queries), **self._projections(n_in)}


class RecurrentAttentionLayer(
    _Attention, java=JAVA + "RecurrentAttentionLayer", absent={"activation": None, "has_bias": False}
):
    """A recurrent layer whose state attends to all time steps: ``[minibatch, n_in, time]`` to ``[minibatch, n_out, time]``.

    All sequences must have the same length. ``n_out`` must always be given; without ``project_input``, DL4J takes a layer
    that lacks it, and fails.
    """

    project_input: bool = True
    activation: ActivationName | None = "tanh"
    has_bias: bool = True
    time_steps: Annotated[int, AtLeast(0)] = 0
    """Written by DL4J when it has seen data."""

    def inherit(self, network: "NetworkOptions", name: str) -> Self:
        inherited = super().inherit(network, name)
        return inherited if self.activation else inherited.replace(activation=inherited_activation(self, network))

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        super().check_new(network, path)
        if self.n_out is None:
            raise guard(f"{path}.n_out", "must be given", self.n_out)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        series = time_last(self, input_type, path)
        return InputType.recurrent(self.n_out or series.size, time_series_length=series.time_series_length)

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.n_in or 0, self.n_out or 0
        weights = {"W": (n_in, n_out), "RW": (n_out, n_out), **self._projections(n_out)}
        return {**weights, "b": (n_out,)} if self.has_bias else weights
