"""Layers that DL4J defines as SameDiff graphs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydl4j.conf._kernel import guard
from pydl4j.conf.initializers import IWeightInit, WeightInitName
from pydl4j.conf.layers.base import Layer, TrainedLayer
from pydl4j.conf.regularization import own_or_inherited_penalties

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["SameDiffLayer"]


class SameDiffLayer(TrainedLayer, absent={"weight_init": None}):
    """A layer that DL4J defines as a SameDiff graph. What is ``None`` is inherited from the network.

    A layer with penalties of its own does not inherit those of the network, as in DL4J. Initialization is not inherited:
    it is ``weight_init``, and ``param_weight_init`` for some parameters; ``None`` is refused, at which DL4J fails.
    (DL4J's builders ignore constraints of such a layer, and may fix its parameters' shapes too early where the network has
    constraints; here they work.)
    """

    weight_init: WeightInitName | None = "xavier"
    param_weight_init: Mapping[str, IWeightInit] | None = None
    """Initialization of single parameters, by their keys."""

    def _inherit_more(self, network: "NetworkOptions") -> dict[str, Any]:
        return own_or_inherited_penalties(self, network)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        if self.weight_init is None and self.param_shapes():
            raise guard(f"{path}.weight_init", "must be given, as it is not inherited", self.weight_init)

    def derived(self) -> dict[str, Any]:
        shapes = {key: list(shape) for key, shape in self.param_shapes().items()}
        biases = {key: shapes.pop(key) for key in self.bias_params if key in shapes}
        return {"layerParams": {"biasParams": biases, "weightParams": shapes}}


def inherited_activation(layer: Layer, network: "NetworkOptions") -> str:
    """The name of the network's activation function: all that SameDiff layers keep of it.

    Raises:
        GuardError: It has options, which DL4J would drop.

    """
    activation = network.activation
    if isinstance(activation, str):
        return activation
    if activation._given():  # noqa: SLF001 - a value of the same package
        must = "must be given, as this layer would inherit the network's without its options"
        raise guard(f"{type(layer).__name__}.activation", must, activation)
    return activation._alias  # noqa: SLF001
