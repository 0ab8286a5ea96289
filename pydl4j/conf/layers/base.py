"""What layers share: the options that they inherit from the network, and how shapes pass through them."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, Self

from pydl4j.conf._codecs import AtLeast, Bits, JavaNames, Unset
from pydl4j.conf._hash_order import hash_set_order
from pydl4j.conf._kernel import Conf, guard
from pydl4j.conf._reading import At
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.constraints import LayerConstraint
from pydl4j.conf.dropout import IDropout
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.inputs import CNN2DFormat, CNN3DFormat, InputType, InputTypeFeedForward, RNNFormat
from pydl4j.conf.layers.kinds import ANYTHING, VECTORS, Kind, vectors
from pydl4j.conf.nodes import Node
from pydl4j.conf.noise import IWeightNoise
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.regularization import SHORT_FORMS, Regularization, merged_penalties
from pydl4j.conf.updaters import IUpdater, UpdaterName

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["Layer"]

JAVA = "org.deeplearning4j.nn.conf.layers."

Positive = Annotated[int, AtLeast(1)]
Size = Annotated[int, AtLeast(1), Bits(64)]
"""A Java ``long``, as numbers of features and channels are."""
MaybeSize = Annotated[Size, Unset(0)] | None
"""A size that is inferred where it is ``None``."""
MaybeCount = Annotated[int, AtLeast(1), Unset(0)] | None
"""The same, where DL4J has an ``int``."""
Coefficient = Annotated[float, AtLeast(0)]
MaybeDouble = Annotated[float, Unset(float("nan"))] | None
MaybeThreshold = Annotated[float, AtLeast(0), Unset(float("nan"))] | None

GradientNormalization = Annotated[
    Literal[
        "none",
        "renormalize_l2_per_layer",
        "renormalize_l2_per_param_type",
        "clip_element_wise_absolute_value",
        "clip_l2_per_layer",
        "clip_l2_per_param_type",
    ],
    JavaNames(
        "None",
        "RenormalizeL2PerLayer",
        "RenormalizeL2PerParamType",
        "ClipElementWiseAbsoluteValue",
        "ClipL2PerLayer",
        "ClipL2PerParamType",
    ),
]
ConvolutionMode = Annotated[
    Literal["strict", "truncate", "same", "causal"], JavaNames("Strict", "Truncate", "Same", "Causal")
]
AlgoMode = Literal["no_workspace", "prefer_fastest", "user_specified"]

ParamShapes = dict[str, tuple[int, ...]]


class Layer(
    Conf,
    keys={
        "name": "layerName",
        "dropout": "idropout",
        "constrain_weights": None,
        "constrain_bias": None,
        "constrain_all": None,
    },
):
    """A layer of a network. Called with nodes of a graph, it makes the node that applies it to them.

    What a class may add to its options, in the order of its calls: `validate` when it is made; then, in a new network, `check`,
    `inherit`, `preprocessor_for`, `with_input`, `output_type`, `check_complete`, `check_new`, `constrained`, `check_output`.
    Of a document only `output_type`, `check_complete` and `param_shapes` are asked. Every check refuses, or does nothing.
    """

    inherited: ClassVar[Sequence[str]] = ("dropout",)
    """Options that take the network's value where they are ``None``."""
    takes: ClassVar[Kind] = ANYTHING
    """What the layer takes as input; decides its preprocessor, and what it learns from its input."""
    needs_whole_sequences: ClassVar[bool] = False
    """The layer cannot work on segments of sequences, and so not with truncated backpropagation through time."""
    must_be_last: ClassVar[bool] = False
    """DL4J would not know the size of what comes out."""
    computes_loss: ClassVar[bool] = False
    """An output layer: a network that ends with it can be trained on labels."""
    wraps: ClassVar[Sequence[str]] = ()
    """Options that hold layers inside this one."""
    frozen: ClassVar[bool] = False
    """Training leaves the parameters as they are."""
    bias_params: ClassVar[Collection[str]] = ("b",)
    """Keys of parameters that are biases, for constraints."""
    weight_params: ClassVar[Collection[str] | None] = None
    """Keys of parameters that are weights, for constraints; ``None`` for all that are no biases."""
    untrained_params: ClassVar[Collection[str]] = ()
    """Keys of parameters that no updater changes, such as running means."""
    unconstrained: ClassVar[Collection[str]] = ()
    """Keys of parameters that no constraint applies to."""

    name: str | None = None
    """Name in messages and in the training UI (DL4J: ``layer0``, ``layer1``, ..., or the vertex)."""
    dropout: IDropout | float | None = None
    """Dropout of this layer's input; a number is the probability to *retain* an activation, 0 means none."""
    constraints: Sequence[LayerConstraint] | None = None
    """Constraints that name their parameters themselves."""
    constrain_weights: Sequence[LayerConstraint] | None = None
    """Constraints on the weights, in place of the network's constraints."""
    constrain_bias: Sequence[LayerConstraint] | None = None
    """Constraints on the biases."""
    constrain_all: Sequence[LayerConstraint] | None = None
    """Constraints on all parameters."""

    @classmethod
    def _custom_class(cls, java_name: str, at: At) -> "type[Self] | None":
        from pydl4j.conf.layers.custom import CustomLayer

        custom = CustomLayer.allowed(java_name, at)
        return custom if custom is not None and issubclass(custom, cls) else None

    def __call__(self, *inputs: Node, name: str | None = None) -> Node:
        """The node of a graph that applies this layer to others; several are merged first, as DL4J does it.

        Each call makes a vertex with weights of its own. To share weights, stack what the layer is applied to:
        `StackVertex` before it, an `UnstackVertex` for each part behind it.

        Raises:
            ConfigError: No inputs, or something else than nodes.

        """
        return Node.of(self, inputs, name or self.name)

    def preprocessor_for(self, input_type: InputType, path: str = "") -> InputPreProcessor | None:
        """The preprocessor that DL4J puts before this layer for such an input; ``None`` if none is needed.

        Raises:
            ConfigError: No preprocessor makes this input fit. ``path`` is this layer's place.

        """
        return self.takes.preprocessor(self, input_type, path)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        """This layer with sizes and formats taken from its input (after the preprocessor).

        Raises:
            ConfigError: The input is of another kind, or contradicts an option. ``path`` is this layer's place.

        """
        return self._learn(self.takes.learned(self, input_type, path), path)

    def _learn(self, learned: Mapping[str, Any], path: str) -> Self:
        """This layer with what it learned, as far as it has these options."""
        changes = {name: value for name, value in learned.items() if name in type(self).options()}
        given = getattr(self, "n_in", None)
        if given is not None and changes.get("n_in", given) != given:
            must = f"must be {changes['n_in']}, the size of the layer's input (or left out)"
            raise guard(f"{path}.n_in", must, given)
        return self._with(**changes)

    def output_type(self, input_type: InputType, path: str = "") -> InputType | None:
        """The type of the activations for an input of ``input_type`` (after the preprocessor); ``None`` if it is unknown.

        Raises:
            ConfigError: The input does not fit this layer. ``path`` is this layer's place, for errors.

        """
        return input_type

    def index_shapes(self) -> Sequence[tuple[int | None, ...]]:
        """Shapes of one example of whole numbers from 0 to ``n_in - 1``, for a first layer that looks them up; else nothing."""
        return getattr(self, self.wraps[0]).index_shapes() if self.wraps else ()

    def labels_for(self, output_type: InputType) -> InputType:
        """The type of the labels of an output layer whose activations are of ``output_type``."""
        return output_type

    def param_shapes(self) -> ParamShapes:
        """Shapes of the parameters by DL4J's keys, in the order of the flat vector; sizes must be known."""
        return {}

    def updater_of(self, key: str) -> IUpdater | None:
        """The updater that DL4J makes for a parameter, by its key in `param_shapes`; ``None`` where it makes none."""
        return getattr(self, self.wraps[0]).updater_of(key) if self.wraps else None

    def _repr_html_(self) -> str:
        from pydl4j.conf._summary import layer_html

        return layer_html(self)

    def check_complete(self, path: str) -> None:
        """Raise a `ConfigError` where something is missing that only the network's input could have told."""

    def check(self, path: str) -> None:
        """Refuse options of a new layer that contradict each other, before it inherits any. Raises `ConfigError`."""

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        """Refuse what DL4J takes from its builders and then fails with, or trains as something else.

        Called for layers that have inherited and learned from their input, but not for documents.

        Raises:
            ConfigError: As said. ``path`` is this layer's place.

        """

    def check_output(self, path: str) -> None:
        """Refuse a loss that the activation does not suit, as DL4J's builders do. Raises `ConfigError`."""

    def inherit(self, network: "NetworkOptions", name: str) -> Self:
        """This layer with the network's options where it has none of its own, and a name."""
        changes = self._inherit_options(network, self.inherited) | {"name": name}
        for option in self.wraps:
            changes[option] = getattr(self, option).inherit(network, name)
        return self._with(**changes, **self._inherit_more(network))

    def _inherit_options(self, network: "NetworkOptions", options: Sequence[str]) -> dict[str, Any]:
        """The network's values of those ``options`` that are ``None`` here."""
        missing = {option: getattr(network, option) for option in options if getattr(self, option) is None}
        changes = {option: value for option, value in missing.items() if value is not None}
        if (changes.get("dropout") or self.dropout) == 0.0:
            changes["dropout"] = None
        return changes

    def _inherit_more(self, network: "NetworkOptions") -> dict[str, Any]:
        """What a kind of layer inherits beside `inherited`."""
        return {}

    def constrained(self, network: "NetworkOptions") -> Self:
        """This layer with `constraints` that name their parameters: its own, else the network's."""
        changes: dict[str, Any] = {option: getattr(self, option).constrained(network) for option in self.wraps}
        own = _constraints(self, self)
        if own:  # constraints on biases of a layer without biases are none
            changes["constraints"] = own
        elif not self.constraints:
            changes["constraints"] = _constraints(network, self) or None
        return self._with(**changes, **dict.fromkeys(CONSTRAIN))

    def param_groups(self) -> "ParamGroups":
        """Keys of the parameters that constraints apply to."""
        keys = [key for key in self.param_shapes() if key not in self.unconstrained]
        biases = [key for key in keys if key in self.bias_params]
        allowed = self.weight_params
        weights = [key for key in keys if key not in biases and (allowed is None or key in allowed)]
        return ParamGroups(keys, weights, biases)


class ParamGroups(NamedTuple):
    """Keys of parameters, as the short forms of constraints name them."""

    all: Sequence[str]
    weights: Sequence[str]
    biases: Sequence[str]


CONSTRAIN = ("constrain_all", "constrain_weights", "constrain_bias")
"""The short forms of constraints, in the order of DL4J."""


def _constraints(owner: "Layer | NetworkOptions", layer: Layer) -> tuple[LayerConstraint, ...]:
    """The constraints that ``owner`` states, with the parameters of ``layer`` that they apply to."""
    targets = dict(zip(CONSTRAIN, layer.param_groups(), strict=True))
    return tuple(
        constraint._with(params=tuple(hash_set_order(params)))
        for option, params in targets.items()
        if params
        for constraint in getattr(owner, option) or ()
    )


class NoParamLayer(Layer):
    """A layer without parameters."""

    def derived(self) -> dict[str, Any]:
        return {"gradientNormalization": "None", "gradientNormalizationThreshold": 0.0}


class TrainedLayer(Layer, keys=dict.fromkeys(SHORT_FORMS)):
    """A layer whose parameters an updater changes. What is ``None`` is inherited from the network."""

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
    gradient_normalization_threshold: MaybeThreshold = None

    def updater_of(self, key: str) -> IUpdater | None:
        if key in self.untrained_params:
            return None
        own = self.bias_updater if self._is_bias(key) else None
        return IUpdater.checked(own or self.updater, f"{type(self).__name__}.updater")

    def _is_bias(self, key: str) -> bool:
        """Whether DL4J takes a parameter for one that `bias_updater` is for."""
        return key in self.bias_params


class BaseLayer(
    TrainedLayer,
    keys={"activation": "activationFn", "weight_init": "weightInitFn", "updater": "iupdater"},
    absent={
        "bias_init": 0.0,
        "gain_init": 0.0,
        "gradient_normalization": "none",
        "gradient_normalization_threshold": 1.0,
    },
):
    """A layer with parameters. What is ``None`` is inherited from the network.

    Regularization: ``l1``, ``l2`` and ``weight_decay`` are added to ``regularization``. What the network has and the
    layer does not is inherited kind by kind, as in DL4J: a layer's ``l2`` and a network's ``l1`` are both applied.
    (DL4J applies a network's weight decay twice; here it is applied once.)
    """

    inherited: ClassVar[Sequence[str]] = (
        "activation",
        "weight_init",
        "bias_init",
        "gain_init",
        "weight_noise",
        *TrainedLayer.inherited,
    )

    activation: IActivation | ActivationName | None = None
    weight_init: IWeightInit | Distribution | WeightInitName | None = None
    bias_init: MaybeDouble = None
    """Initial value of biases."""
    gain_init: MaybeDouble = None
    """Initial value of the gains of layer normalization."""
    weight_noise: IWeightNoise | None = None

    def _inherit_more(self, network: "NetworkOptions") -> dict[str, Any]:
        return merged_penalties(self, network)


def check_inferred(layer: Layer, path: str, *options: str) -> None:
    """Refuse a layer without these options, which it takes from its input. Raises `ConfigError`."""
    for option in options:
        if getattr(layer, option) is None:
            must = "must be given, or the network's input_type, from which it is inferred"
            raise guard(f"{path}.{option}", must, None)


class SizedLayer(BaseLayer, keys={"n_in": "nin", "n_out": "nout"}):
    """A layer with a number of inputs, inferred from the network's input type where it is not given."""

    n_in: MaybeSize = None
    """Number of inputs: features, or channels of a convolution. Inferred if ``None``."""
    time_distributed_format: RNNFormat | CNN2DFormat | CNN3DFormat | None = None
    """Format of the sequences whose time steps this layer takes one by one; set by inference."""

    def check_complete(self, path: str) -> None:
        check_inferred(self, path, "n_in")


class FeedForwardLayer(SizedLayer):
    """A layer from vectors of ``n_in`` to vectors of ``n_out``."""

    takes: ClassVar[Kind] = VECTORS

    n_out: Size
    """Number of outputs: units, or channels of a convolution."""

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        vectors(self, input_type, path)
        return InputTypeFeedForward(size=self.n_out, time_distributed_format=self.time_distributed_format)

    def fan(self) -> tuple[int, int]:
        """``(n_in, n_out)`` of a layer whose sizes are known."""
        self.check_complete(type(self).__name__)
        assert self.n_in is not None
        return self.n_in, self.n_out
