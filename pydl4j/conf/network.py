"""`MultiLayerConfiguration`: a stack of layers."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydl4j.conf import _java, document
from pydl4j.conf._codecs import FrozenMap, JavaNames
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.document import Count, LayerState
from pydl4j.conf.dropout import IDropout
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import AlgoMode, Coefficient, ConvolutionMode, GradientNormalization, Layer, Positive
from pydl4j.conf.noise import IWeightNoise
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.regularization import Regularization
from pydl4j.conf.resolve import Resolution, resolve
from pydl4j.conf.updaters import IUpdater, Sgd, UpdaterName

OptimizationAlgorithm = Literal["stochastic_gradient_descent", "line_gradient_descent", "conjugate_gradient", "lbfgs"]
DataType = Literal["float", "double", "half"]
CacheMode = Literal["none", "host", "device"]
WorkspaceMode = Literal["enabled", "none"]
BackpropType = Annotated[Literal["standard", "truncated_bptt"], JavaNames("Standard", "TruncatedBPTT")]


class MultiLayerConfiguration(Conf, keys={"input_preprocessors": "inputPreProcessors"}):
    """A network of layers, each fed by the one before.

    Options that a layer leaves ``None`` are inherited from here. ``to_json()`` is what DL4J's builders would write for the
    same network, byte for byte, except where these have a defect: a weight decay given here is applied once (DL4J lists it
    twice), and ``validate_output_layer_config=False`` and ``use_log_std=False`` are kept (DL4J loses them).

    >>> from pydl4j.conf.layers import DenseLayer, OutputLayer
    >>> MultiLayerConfiguration(seed=1, layers=[DenseLayer(n_in=4, n_out=8), OutputLayer(n_out=3)]).resolve().n_params
    67
    """

    layers: Sequence[Layer]
    input_type: InputType | None = None
    """Shape of the input; sizes and preprocessors of the layers are inferred from it."""
    input_preprocessors: Mapping[int, InputPreProcessor] = FrozenMap()
    """Preprocessors by layer index, in place of the automatic ones."""

    seed: int = 0
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
    dropout: IDropout | float | None = None
    """Dropout of every layer's input; a number is the probability to *retain* an activation, 0 means none."""
    weight_noise: IWeightNoise | None = None
    gradient_normalization: GradientNormalization = "none"
    gradient_normalization_threshold: float = 1.0
    convolution_mode: ConvolutionMode = "truncate"
    cudnn_algo_mode: AlgoMode = "prefer_fastest"

    mini_batch: bool = True
    """Divide gradients by the size of the minibatch."""
    minimize: bool = True
    """Minimize the loss, do not maximize it."""
    optimization_algo: OptimizationAlgorithm = "stochastic_gradient_descent"
    max_num_line_search_iterations: Count = 5
    data_type: DataType = "float"
    """Type of the parameters."""
    cache_mode: CacheMode = "none"
    training_workspace_mode: WorkspaceMode = "enabled"
    inference_workspace_mode: WorkspaceMode = "enabled"

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
    layer_states: Sequence[LayerState] = ()
    """What a network wrote while it was trained, by layer; empty for a new network."""
    as_written: bool = False
    """Take every layer as it is: inherit, infer and check nothing. `from_json` sets it, as DL4J does none of it there."""

    def validate(self, path: str) -> None:
        if not self.layers:
            raise refuse(f"{path}.layers", "must have a layer", self.layers)
        if self.layer_states and len(self.layer_states) != len(self.layers):
            raise refuse(
                f"{path}.layer_states", f"must have {len(self.layers)} items, one per layer", len(self.layer_states)
            )
        lengths = (self.tbptt_fwd_length, self.tbptt_back_length)
        if self.tbptt_length is not None and any(lengths):
            raise refuse(
                f"{path}.tbptt_length", "sets tbptt_fwd_length and tbptt_back_length: give either", self.tbptt_length
            )
        if self.backprop_type == "standard" and not self.as_written and (any(lengths) or self.tbptt_length):
            raise refuse(
                f"{path}.backprop_type", 'must be "truncated_bptt" where tbptt lengths are given', self.backprop_type
            )
        if not self.as_written:
            self.resolve()  # layers that do not fit together are refused here already

    def resolve(self) -> Resolution:
        """Every layer with its inherited options, inferred sizes, preprocessors and parameter shapes.

        Raises:
            ConfigError: Layers that do not fit together, in a document that was read; `path` says where, such as
                ``layers[3].n_in``. Other networks are refused when they are made.
        """
        return self._resolution

    @cached_property
    def _resolution(self) -> Resolution:
        return resolve(self)

    def to_tree(self) -> dict[str, Any]:
        return document.write(self)

    def to_json(self) -> str:
        """DL4J's JSON of this network.

        Raises:
            ConfigError: See `resolve`.

        """
        return _java.dumps(self.to_tree())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The network that DL4J's JSON describes; ``to_json()`` writes it back identically.

        Raises:
            ConfigError: Not JSON, not a network of layers, a class or key that pydl4j does not know, or a wrong value.

        """
        return cls.read(_java.loads(text), cls.__name__)

    @classmethod
    def read(cls, tree: Any, path: str) -> Self:
        return cls(**document.read(cls.options(), tree, path), as_written=True)

    def to_yaml(self) -> str:
        """DL4J's YAML of this network. Raises `ConfigError` as `to_json`."""
        from pydl4j.conf import _yaml

        return _yaml.dumps(self.to_tree())

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """The network that DL4J's YAML describes. Raises `ConfigError` as `from_json`."""
        from pydl4j.conf import _yaml

        return cls.read(_yaml.loads(text), cls.__name__)

    def summary(self) -> str:
        """A table of the layers: types, sizes, parameters, output shapes. Raises `ConfigError` as `resolve`."""
        from pydl4j.conf._summary import summarize

        return summarize(self.resolve())
