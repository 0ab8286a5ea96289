"""What every network has, whatever its shape: the options of DL4J's ``NeuralNetConfiguration.Builder``."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydl4j.conf._codecs import AtLeast, Bits, CodecBase, JavaNames, Mismatch
from pydl4j.conf._kernel import Conf, guard
from pydl4j.conf._numbers import TypeNamed
from pydl4j.conf._reading import At
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.constraints import LayerConstraint
from pydl4j.conf.dropout import IDropout
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.layers.base import AlgoMode, Coefficient, ConvolutionMode, GradientNormalization, Layer, Positive
from pydl4j.conf.noise import IWeightNoise
from pydl4j.conf.regularization import Regularization, check_short_forms
from pydl4j.conf.updaters import IUpdater, Sgd, UpdaterName, check_updaters
from pydl4j.errors import ConfigError

OptimizationAlgorithm = Literal["stochastic_gradient_descent", "line_gradient_descent", "conjugate_gradient", "lbfgs"]
DataType = Literal["float", "double", "half"]
CacheMode = Literal["none", "host", "device"]
WorkspaceMode = Annotated[
    Literal["enabled", "none", "single", "separate"], JavaNames("ENABLED", "NONE", "SINGLE", "SEPARATE")
]
"""``single`` and ``separate`` are old names of ``enabled``, found in documents."""
BackpropType = Annotated[Literal["standard", "truncated_bptt"], JavaNames("Standard", "TruncatedBPTT")]
StepFunctionName = Literal["default", "gradient", "negative_default", "negative_gradient"]
Count = Annotated[int, AtLeast(0)]
Seed = Annotated[int, Bits(64)]

DEFAULT_TBPTT_LENGTH = 20


class _StepFunctions(CodecBase):
    """Step functions, in JSON an object around an empty one: ``{"negativeGradient": {}}``."""

    to_java: Mapping[str, str] = {
        "default": "default",
        "gradient": "gradient",
        "negative_default": "negativeDefault",
        "negative_gradient": "negativeGradient",
    }

    def coerce(self, value: Any) -> str:
        if isinstance(value, str) and value in self.to_java:
            return value
        raise Mismatch(f"must be one of {', '.join(map(repr, self.to_java))}")

    def write(self, value: Any) -> Any:
        return TypeNamed({self.to_java[value]: {}})

    def read(self, tree: Any, at: At) -> Any:
        if isinstance(tree, Mapping) and len(tree) == 1:
            key, value = next(iter(tree.items()))
            java = value if key == "@class" else key  # a tag of YAML
            return next((name for name, known in self.to_java.items() if known == java), java)
        return tree


StepFunction = Annotated[StepFunctionName, _StepFunctions()]
"""What a step does with the parameters; DL4J subtracts the update if there is none."""


class NetworkOptions(Conf):
    """Options of a network that its layers inherit, and how it is trained."""

    seed: Seed = 0
    """Seed of the random numbers of initialization and dropout (DL4J: the clock)."""
    activation: IActivation | ActivationName = "sigmoid"
    weight_init: IWeightInit | Distribution | WeightInitName = "xavier"
    bias_init: float = 0.0
    gain_init: float = 1.0
    updater: IUpdater | UpdaterName = Sgd()
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
    constrain_weights: Sequence[LayerConstraint] | None = None
    """Constraints on the weights of layers that have none of their own."""
    constrain_bias: Sequence[LayerConstraint] | None = None
    """Constraints on biases."""
    constrain_all: Sequence[LayerConstraint] | None = None
    """Constraints on all parameters. (DL4J's ``constrainAllParameters`` of a network does nothing; here it works.)"""
    dropout: IDropout | float | None = None
    """Dropout of every layer's input; a number is the probability to *retain* an activation, 0 means none."""
    weight_noise: IWeightNoise | None = None
    gradient_normalization: GradientNormalization = "none"
    gradient_normalization_threshold: Coefficient = 1.0
    convolution_mode: ConvolutionMode = "truncate"
    cudnn_algo_mode: AlgoMode = "prefer_fastest"

    mini_batch: bool = True
    """Divide gradients by the size of the minibatch."""
    minimize: bool = True
    """Minimize the loss, do not maximize it."""
    optimization_algo: OptimizationAlgorithm | None = "stochastic_gradient_descent"
    max_num_line_search_iterations: Count = 5
    step_function: StepFunction | None = None
    data_type: DataType = "float"
    """Type of the parameters."""
    cache_mode: CacheMode | None = "none"
    training_workspace_mode: WorkspaceMode | None = "enabled"
    inference_workspace_mode: WorkspaceMode | None = "enabled"

    backprop_type: BackpropType = "standard"
    tbptt_fwd_length: Positive | None = None
    """Time steps of a segment in truncated backpropagation through time (DL4J: 20)."""
    tbptt_back_length: Positive | None = None
    """Time steps that gradients go back (DL4J: 20)."""
    tbptt_length: Positive | None = None
    """Both of these."""

    validate_output_layer_config: bool = True
    """Refuse combinations of loss and activation that cannot train well; here, and in DL4J's evaluation."""
    iteration_count: Count = 0
    """Minibatches trained; schedules go on from here."""
    epoch_count: Count = 0
    """Epochs trained."""

    as_written: bool = False
    """Take every layer as it is: inherit, infer and check nothing. `from_json` sets it, as DL4J does none of it there."""

    def replace(self, parts: Mapping[str, Any] | None = None, /, **changes: Any) -> Self:
        """A copy with some options changed, or ``parts`` at any depth by path: ``{"layers[2].n_out": 50}``.

        Sizes that were inferred are inferred again. A network that was read from a document lists them all: there, a change
        that makes layers contradict each other is refused.

        Raises:
            ConfigError: Wrong values, paths that lead nowhere, layers that no longer fit together.

        """
        changed = super().replace(parts, **changes)
        if self.as_written and changed.as_written:
            before = _found(self)
            error = next((error for path, error in _found(changed).items() if path not in before), None)
            if error is not None:
                raise error
        return changed

    __replace__ = replace

    def contradictions(self) -> Mapping[str, ConfigError]:
        """Sizes and kinds of layers in a document that do not fit together, by path; DL4J takes such a document."""
        raise NotImplementedError

    def check_options(self, path: str) -> None:
        """Refuse options that contradict each other, or that would not be used. Raises `ConfigError`."""
        check_short_forms(self, path)
        check_updaters(self, path)
        self._check_tbptt(path)

    def _check_tbptt(self, path: str) -> None:
        lengths = (self.tbptt_fwd_length, self.tbptt_back_length)
        if self.tbptt_length is not None and any(lengths):
            raise guard(
                f"{path}.tbptt_length", "sets tbptt_fwd_length and tbptt_back_length: give either", self.tbptt_length
            )
        if self.backprop_type == "standard" and (any(lengths) or self.tbptt_length):
            raise guard(
                f"{path}.backprop_type", 'must be "truncated_bptt" where tbptt lengths are given', self.backprop_type
            )

    def tbptt_lengths(self) -> tuple[int, int]:
        """Forward and backward length."""
        both = self.tbptt_length or DEFAULT_TBPTT_LENGTH
        return self.tbptt_fwd_length or both, self.tbptt_back_length or both


def _found(network: NetworkOptions) -> Mapping[str, ConfigError]:
    """The contradictions in a document; the first, if it keeps the others from being found."""
    try:
        return network.contradictions()
    except ConfigError as error:
        return {error.path or "": error}


class NeuralNetConfiguration(Conf):
    """What DL4J keeps beside each layer: the network's options once more, and what training writes there.

    In documents of networks that were put together from others, these differ from layer to layer.
    """

    seed: Seed = 0
    optimization_algo: OptimizationAlgorithm | None = None
    mini_batch: bool = True
    minimize: bool = True
    max_num_line_search_iterations: Count = 0
    step_function: StepFunction | None = None
    cache_mode: CacheMode | None = None
    data_type: DataType = "float"
    variables: Sequence[str] | None = ()
    """Keys of the layer's parameters, once it is initialized."""
    iteration_count: Count = 0
    epoch_count: Count = 0
    layer: Layer | None = None

    @classmethod
    def of(cls, network: NetworkOptions, layer: Layer | None = None) -> "NeuralNetConfiguration":
        """What DL4J's builder makes for a layer of a network."""
        return cls(layer=layer, **{name: getattr(network, name) for name in _SHARED})


_SHARED = (
    "seed",
    "optimization_algo",
    "mini_batch",
    "minimize",
    "max_num_line_search_iterations",
    "step_function",
    "cache_mode",
    "data_type",
)


def shared_options(conf: NeuralNetConfiguration) -> dict[str, Any]:
    """The options of a network that a document keeps beside each layer only."""
    return {name: getattr(conf, name) for name in _SHARED if name not in {"cache_mode", "data_type"}}
