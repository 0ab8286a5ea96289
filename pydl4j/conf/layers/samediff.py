"""Layers that DL4J defines as SameDiff graphs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pydl4j.conf._kernel import guard
from pydl4j.conf.initializers import IWeightInit, WeightInitName
from pydl4j.conf.layers.base import Coefficient, GradientNormalization, Layer, MaybeDouble
from pydl4j.conf.regularization import Regularization, own_or_inherited_penalties
from pydl4j.conf.updaters import IUpdater, UpdaterName

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["SameDiffLayer"]


class SameDiffLayer(
    Layer,
    keys={
        "l1": None,
        "l2": None,
        "weight_decay": None,
        "l1_bias": None,
        "l2_bias": None,
        "weight_decay_bias": None,
    },
    absent={"weight_init": None},
):
    """A layer that DL4J defines as a SameDiff graph. What is ``None`` is inherited from the network.

    A layer with penalties of its own does not inherit those of the network, as in DL4J. Initialization is not inherited:
    it is ``weight_init``, and ``param_weight_init`` for some parameters; ``None`` is refused, at which DL4J fails.
    (DL4J's builders ignore constraints of such a layer, and may fix its parameters' shapes too early where the network has
    constraints; here they work.)
    """

    inherited: ClassVar[Sequence[str]] = (
        *Layer.inherited,
        "updater",
        "bias_updater",
        "gradient_normalization",
        "gradient_normalization_threshold",
    )

    updater: IUpdater | UpdaterName | None = None
    bias_updater: IUpdater | UpdaterName | None = None
    """Updater of biases, if it is not ``updater``."""
    l1: Coefficient | None = None
    l2: Coefficient | None = None
    weight_decay: Coefficient | None = None
    l1_bias: Coefficient | None = None
    l2_bias: Coefficient | None = None
    weight_decay_bias: Coefficient | None = None
    regularization: Sequence[Regularization] | None = None
    """Penalties on weights, beside ``l1``, ``l2`` and ``weight_decay``."""
    regularization_bias: Sequence[Regularization] | None = None
    """Penalties on biases."""
    gradient_normalization: GradientNormalization | None = None
    gradient_normalization_threshold: MaybeDouble = None
    weight_init: WeightInitName | None = "xavier"
    param_weight_init: Mapping[str, IWeightInit] | None = None
    """Initialization of single parameters, by their keys."""

    def _inherit_more(self, network: "NetworkOptions") -> dict[str, Any]:
        return own_or_inherited_penalties(self, network)

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        if self.weight_init is None and self.param_shapes():
            raise guard(f"{path}.weight_init", "must be given, as it is not inherited", self.weight_init)

    def updater_of(self, key: str) -> IUpdater | None:
        own = self.bias_updater if key in self.bias_params else None
        return IUpdater.checked(own or self.updater, f"{type(self).__name__}.updater")

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
