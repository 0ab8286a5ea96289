"""Attention as a vertex."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.initializers import WeightInitName
from pydl4j.conf.inputs import InputType, InputTypeRecurrent
from pydl4j.conf.layers.base import GradientNormalization, MaybeSize, MaybeThreshold, ParamShapes, Positive, Size
from pydl4j.conf.options import DataType, NetworkOptions
from pydl4j.conf.regularization import Regularization, own_or_inherited_penalties
from pydl4j.conf.updaters import IUpdater, UpdaterName
from pydl4j.conf.vertices.base import JAVA, GraphVertex

__all__ = ["AttentionVertex"]

_INHERITED = ("updater", "bias_updater", "gradient_normalization", "gradient_normalization_threshold")


class AttentionVertex(
    GraphVertex,
    java=JAVA + "AttentionVertex",
    keys={
        "n_in_keys": "ninKeys",
        "n_in_queries": "ninQueries",
        "n_in_values": "ninValues",
        "n_out": "nout",
        "n_heads": "nheads",
    },
    absent={"project_input": False, "n_heads": 1, "weight_init": None},
):
    """Dot product attention of queries over keys and values (Vaswani et al. 2017): the inputs in this order.

    ``[m, n_in_queries, t]``, ``[m, n_in_keys, s]`` and ``[m, n_in_values, s]`` to ``[m, n_out, t]``; sizes that are left out
    are taken from the input types (DL4J wants them given).
    """

    min_inputs: ClassVar[int] = 3
    max_inputs: ClassVar[int | None] = 3

    n_out: Size
    n_heads: Positive = 1
    head_size: MaybeSize = None
    """Size of a head; ``n_out / n_heads`` if ``None``."""
    n_in_keys: MaybeSize = None
    n_in_queries: MaybeSize = None
    n_in_values: MaybeSize = None
    project_input: bool = False
    """Multiply queries, keys, values and the result by weights; must be, but for one head and equal sizes."""
    weight_init: WeightInitName | None = "xavier"
    updater: IUpdater | UpdaterName | None = None
    bias_updater: IUpdater | UpdaterName | None = None
    regularization: Sequence[Regularization] | None = None
    regularization_bias: Sequence[Regularization] | None = None
    gradient_normalization: GradientNormalization | None = None
    gradient_normalization_threshold: MaybeThreshold = None
    name: str | None = None
    """Set by DL4J when the network is made."""
    data_type: DataType | None = None
    """Set by DL4J when the network is made."""

    def validate(self, path: str) -> None:
        if self.head_size is None and self.n_out % self.n_heads:
            must = f"must be given where n_out = {self.n_out} is not a multiple of n_heads = {self.n_heads}"
            raise refuse(f"{path}.head_size", must, self.head_size)

    def with_inputs(self, inputs: Sequence[InputType], path: str) -> Self:
        sizes = {}
        for name, given in zip(("n_in_queries", "n_in_keys", "n_in_values"), inputs, strict=True):
            if not isinstance(given, InputTypeRecurrent):
                raise guard(path, "(AttentionVertex) needs sequences as inputs", given)
            known = getattr(self, name)
            if known not in {None, given.size}:
                raise guard(f"{path}.{name}", f"must be {given.size}, the size of the input (or left out)", known)
            sizes[name] = given.size
        return self._with(**sizes)

    def inherit(self, network: NetworkOptions, name: str) -> Self:
        changes = {option: getattr(network, option) for option in _INHERITED if getattr(self, option) is None}
        return self._with(
            head_size=self.head_size or self.n_out // self.n_heads,
            **changes,
            **own_or_inherited_penalties(self, network),
        )

    def output_type(self, inputs: Sequence[InputType], path: str) -> InputType:
        queries = inputs[0]
        length = queries.time_series_length if isinstance(queries, InputTypeRecurrent) else None
        return InputType.recurrent(self.n_out, time_series_length=length)

    def check_complete(self, path: str) -> None:
        sizes = {name: getattr(self, name) for name in ("n_in_queries", "n_in_keys", "n_in_values")}
        for name, size in sizes.items():
            if size is None:
                raise refuse(f"{path}.{name}", "must be given, or the network's input types", size)
        if not self.project_input and (self.n_heads > 1 or set(sizes.values()) != {self.n_out}):
            must = f"must be True, but for one head and inputs of size n_out = {self.n_out}"
            raise refuse(f"{path}.project_input", must, self.project_input)

    def updater_of(self, key: str) -> IUpdater | None:
        return IUpdater.checked(self.updater, f"{type(self).__name__}.updater")

    def param_shapes(self) -> ParamShapes:
        if not self.project_input:
            return {}
        head, heads = self.head_size or self.n_out // self.n_heads, self.n_heads
        sizes = {"Wq": self.n_in_queries, "Wk": self.n_in_keys, "Wv": self.n_in_values}
        shapes: ParamShapes = {key: (heads, head, size or 0) for key, size in sizes.items()}
        return shapes | {"Wo": (heads * head, self.n_out)}

    def derived(self) -> dict[str, Any]:
        weights = {key: list(shape) for key, shape in self.param_shapes().items()}
        inputs = ["queries", "keys", "values"]
        return {
            "layerName": self.name,
            "vertexParams": {"biasParams": {}, "inputs": inputs, "weightParams": weights},
        }
