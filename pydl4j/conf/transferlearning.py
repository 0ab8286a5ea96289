"""Transfer learning: what is changed in a trained network before it learns something else."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

from pydl4j.conf._codecs import CodecBase, FrozenMap, Mismatch
from pydl4j.conf._documents import DocumentMethods
from pydl4j.conf._kernel import Conf, guard, refuse
from pydl4j.conf._reading import At
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.constraints import LayerConstraint
from pydl4j.conf.dropout import IDropout
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import AlgoMode, Coefficient, ConvolutionMode, GradientNormalization, Layer, Positive
from pydl4j.conf.noise import IWeightNoise
from pydl4j.conf.options import BackpropType, Count, OptimizationAlgorithm, Seed, StepFunction, WorkspaceMode
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.regularization import Regularization, check_short_forms, penalties
from pydl4j.conf.updaters import IUpdater, UpdaterName

__all__ = ["FineTuneConfiguration", "NInReplace", "NOutReplace", "TransferLearning"]

_FLAGS = {
    "l1": "removeL1",
    "l1_bias": "removeL1Bias",
    "l2": "removeL2",
    "l2_bias": "removeL2Bias",
    "weight_decay": "removeWD",
    "weight_decay_bias": "removeWDBias",
}
_OPTIONALS = {
    "constraints": "constraints",
    "dropout": "dropout",
    "gradient_normalization": "gradientNormalization",
    "weight_noise": "weightNoise",
}
"""Options of which DL4J's JSON says only whether they are there."""
_NOTHING = (None, "None")
"""Their values in JSON that mean the same as none."""


class FineTuneConfiguration(
    Conf,
    DocumentMethods,
    java="org.deeplearning4j.nn.transferlearning.FineTuneConfiguration",
    keys={
        "activation": "activationFn",
        "weight_init": "weightInitFn",
        **dict.fromkeys((*_FLAGS, *_OPTIONALS, "remove_weight_noise")),
    },
):
    """Options that all layers of a trained network get, in place of their own; what is ``None`` they keep.

    A penalty of 0 takes it away, as ``l2=0`` does. (DL4J ignores ``l1(0)``, applies a weight decay twice, and fails on one of
    biases; here they do what they say.) DL4J's JSON of ``dropout``, ``weight_noise``, ``gradient_normalization`` and
    ``constraints`` says only that they are there: ``to_json`` and ``from_json`` refuse such a document.

    >>> from pydl4j.conf.updaters import Adam
    >>> tune = FineTuneConfiguration(updater=Adam(learning_rate=1e-4), seed=1)
    >>> FineTuneConfiguration.from_json(tune.to_json()) == tune
    True
    """

    _type_key: ClassVar[str] = "type"
    _omit_null: ClassVar[bool] = True

    activation: IActivation | ActivationName | None = None
    weight_init: IWeightInit | Distribution | WeightInitName | None = None
    """Used for layers that are added or get another size."""
    bias_init: float | None = None
    updater: IUpdater | UpdaterName | None = None
    bias_updater: IUpdater | UpdaterName | None = None
    """Updater of biases, if it is not ``updater``."""
    l1: Coefficient | None = None
    l2: Coefficient | None = None
    weight_decay: Coefficient | None = None
    l1_bias: Coefficient | None = None
    l2_bias: Coefficient | None = None
    weight_decay_bias: Coefficient | None = None
    regularization: Sequence[Regularization] = ()
    """Penalties on weights, beside ``l1``, ``l2`` and ``weight_decay``. Where there is any, it replaces all that a layer has."""
    regularization_bias: Sequence[Regularization] = ()
    """Penalties on biases."""
    dropout: IDropout | float | None = None
    """Dropout of every layer's input; a number is the probability to *retain* an activation, 0 takes dropout away."""
    weight_noise: IWeightNoise | None = None
    remove_weight_noise: bool = False
    """Take the layers' weight noise away. (DL4J: ``weightNoise(null)``.)"""
    gradient_normalization: GradientNormalization | None = None
    gradient_normalization_threshold: Coefficient | None = None
    constraints: Sequence[LayerConstraint] | None = None
    """Constraints that name their parameters; none, ``()``, takes the layers' away."""
    convolution_mode: ConvolutionMode | None = None
    cudnn_algo_mode: AlgoMode | None = None

    seed: Seed | None = None
    mini_batch: bool | None = None
    minimize: bool | None = None
    optimization_algo: OptimizationAlgorithm | None = None
    max_num_line_search_iterations: Count | None = None
    step_function: StepFunction | None = None
    pretrain: bool | None = None
    """Kept in documents; DL4J does nothing with it."""
    backprop: bool | None = None
    """Kept in documents; DL4J does nothing with it."""
    backprop_type: BackpropType | None = None
    tbptt_fwd_length: Positive | None = None
    """Time steps of a segment in truncated backpropagation through time."""
    tbptt_back_length: Positive | None = None
    """Time steps that gradients go back."""
    training_workspace_mode: WorkspaceMode | None = None
    inference_workspace_mode: WorkspaceMode | None = None

    def validate(self, path: str) -> None:
        check_short_forms(self, path)
        if self.weight_noise is not None and self.remove_weight_noise:
            raise refuse(f"{path}.remove_weight_noise", "must be False where weight_noise is given", True)

    def derived(self) -> dict[str, Any]:
        tree: dict[str, Any] = {key: getattr(self, name) == 0 for name, key in _FLAGS.items()}
        tree["regularization"] = [penalty.to_tree() for penalty in penalties(self, "")]
        tree["regularizationBias"] = [penalty.to_tree() for penalty in penalties(self, "_bias")]
        tree |= dict.fromkeys(_OPTIONALS.values())
        return tree | {_OPTIONALS[name]: {"present": value not in _NOTHING} for name, value in self.optionals().items()}

    def optionals(self) -> dict[str, Any]:
        """The options that DL4J's JSON loses: their JSON by name, ``None`` for what layers lose."""
        found: dict[str, Any] = {}
        for name in _OPTIONALS:
            value = getattr(self, name)
            if value in (0, ()) or (name == "weight_noise" and self.remove_weight_noise):
                found[name] = None
            elif value is not None:
                found[name] = type(self).options()[name].codec.write(value)
        return found

    def to_tree(self) -> dict[str, Any]:
        lost = [name for name, value in self.optionals().items() if value not in _NOTHING]
        if lost:
            must = "cannot be written: DL4J's JSON says that there is one, but not which, and is read as none"
            raise guard(f"{type(self).__name__}.{lost[0]}", must, getattr(self, lost[0]))
        return self.described()

    def described(self) -> dict[str, Any]:
        """DL4J's document, without a word on what it loses."""
        return super().to_tree()

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        if isinstance(tree, Mapping) and "@class" in tree:  # a tag of YAML
            tree = {**tree, cls._type_key: tree["@class"]}
            del tree["@class"]
        return super().read(tree, at)

    @classmethod
    def read_options(cls, members: Mapping[str, Any], at: At) -> dict[str, Any]:
        values = super().read_options(members, at)
        values |= {name: 0.0 for name, key in _FLAGS.items() if members.get(key)}
        for name, key in _OPTIONALS.items():
            if members.get(key) is not None:
                values |= _nothing(name, members[key], at.member(name).path)
        return values


def _nothing(name: str, tree: Any, path: str) -> dict[str, Any]:
    """The option that says that layers lose something. Raises `ConfigError` where the document lost it itself."""
    if tree != {"present": False}:
        raise guard(path, "is lost: DL4J's JSON says that there was one, but not which. Give it anew", tree)
    nothing = {"dropout": 0.0, "gradient_normalization": "none", "constraints": ()}
    return {"remove_weight_noise": True} if name == "weight_noise" else {name: nothing[name]}


class _LayerCodec(CodecBase):
    """A layer by its index or name."""

    def coerce(self, value: Any) -> int | str:
        if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            return value
        raise Mismatch("must be the index of a layer, from 0, or its name")


LayerRef = Annotated[int | str, _LayerCodec()]


class NOutReplace(Conf):
    """Another number of outputs for a layer, whose parameters start anew, as do those of the layer after it."""

    layer: LayerRef
    """Index or name."""
    n_out: Positive
    weight_init: IWeightInit | Distribution | WeightInitName
    weight_init_next: IWeightInit | Distribution | WeightInitName | None = None
    """For the layer after it; ``None`` for the same."""


class NInReplace(Conf):
    """Another number of inputs for a layer, whose parameters start anew."""

    layer: LayerRef
    """Index or name."""
    n_in: Positive
    weight_init: IWeightInit | Distribution | WeightInitName


class TransferLearning(Conf):
    """What is changed in a trained network (DL4J's ``TransferLearning.Builder``); ``network.transfer_learning`` does it.

    Indices are those of the trained network for sizes and for what is removed, and those of the new one for
    ``set_feature_extractor`` and ``input_preprocessors``. Layers that are added get what they leave ``None`` from
    ``fine_tune_configuration`` and from DL4J's defaults, not from the trained network; their ``n_in`` and preprocessors are
    inferred where the trained network's input is known. (DL4J wants every ``n_in``, and checks no sizes.)

    >>> from pydl4j.conf.layers import OutputLayer
    >>> new_task = TransferLearning(
    ...     fine_tune_configuration=FineTuneConfiguration(updater="adam"),
    ...     set_feature_extractor=2,
    ...     remove_output_layer=True,
    ...     add_layers=[OutputLayer(n_out=5, activation="softmax")],
    ... )
    """

    fine_tune_configuration: FineTuneConfiguration = FineTuneConfiguration()
    set_feature_extractor: LayerRef | None = None
    """Index or name of a layer: it and all before it are frozen, that is, their parameters stay as they are."""
    n_out_replace: Sequence[NOutReplace] = ()
    n_in_replace: Sequence[NInReplace] = ()
    remove_output_layer: bool = False
    remove_layers_from_output: Count = 0
    """Number of layers to remove from the end, the output layer among them."""
    add_layers: Sequence[Layer] = ()
    """Layers to put at the end."""
    input_preprocessors: Mapping[int, InputPreProcessor] = FrozenMap()
    """Preprocessors by layer index, in place of the present and the automatic ones."""
    input_type: InputType | None = None
    """Shape of the input, for a network that does not tell it, as one that was read from a file."""
    validate_output_layer_config: bool = True

    def validate(self, path: str) -> None:
        if self.remove_output_layer and self.remove_layers_from_output:
            must = "counts the output layer, too: give either this or remove_output_layer"
            raise refuse(f"{path}.remove_layers_from_output", must, self.remove_layers_from_output)
