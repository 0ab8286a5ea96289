"""What layers share: the options that they inherit from the network, and how shapes pass through them."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydl4j.conf._codecs import AtLeast, JavaNames, Unset
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.constraints import LayerConstraint
from pydl4j.conf.dropout import IDropout
from pydl4j.conf.initializers import Distribution, IWeightInit, WeightInitName
from pydl4j.conf.inputs import (
    CNN2DFormat,
    InputType,
    InputTypeConvolutional,
    InputTypeConvolutionalFlat,
    InputTypeFeedForward,
    InputTypeRecurrent,
    RNNFormat,
)
from pydl4j.conf.noise import IWeightNoise
from pydl4j.conf.preprocessors import InputPreProcessor, for_vectors
from pydl4j.conf.regularization import Regularization
from pydl4j.conf.updaters import IUpdater, UpdaterName

JAVA = "org.deeplearning4j.nn.conf.layers."

Positive = Annotated[int, AtLeast(1)]
MaybeSize = Annotated[int, AtLeast(1), Unset(0)] | None
"""A size that is inferred where it is ``None``."""
Coefficient = Annotated[float, AtLeast(0)]
MaybeDouble = Annotated[float, Unset(float("nan"))] | None

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


class Layer(Conf, keys={"name": "layerName", "dropout": "idropout"}):
    """A layer of a network."""

    inherited: ClassVar[Sequence[str]] = ("dropout",)
    """Options that take the network's value where they are ``None``."""

    name: str | None = None
    """Name in messages and in the training UI (DL4J: ``layer0``, ``layer1``, ...)."""
    dropout: IDropout | float | None = None
    """Dropout of this layer's input; a number is the probability to *retain* an activation, 0 means none."""
    constraints: Sequence[LayerConstraint] | None = None

    def preprocessor_for(self, input_type: InputType) -> InputPreProcessor | None:
        """The preprocessor that DL4J puts before this layer for such an input; ``None`` if none is needed."""
        return None

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        """This layer with sizes and formats taken from its input (after the preprocessor).

        Raises:
            ConfigError: The input is of another kind, or contradicts an option. ``path`` is this layer's place.

        """
        return self

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        """The type of the activations for an input of ``input_type`` (after the preprocessor).

        Raises:
            ConfigError: The input does not fit this layer. ``path`` is this layer's place, for errors.

        """
        return input_type

    def param_shapes(self) -> ParamShapes:
        """Shapes of the parameters by DL4J's keys, in the order of the flat vector; sizes must be known."""
        return {}

    def check_complete(self, path: str) -> None:
        """Raise a `ConfigError` where something is missing that only the network's input could have told."""


class NoParamLayer(Layer):
    """A layer without parameters."""

    def derived(self) -> dict[str, Any]:
        return {"gradientNormalization": "None", "gradientNormalizationThreshold": 0.0}


class BaseLayer(
    Layer,
    keys={
        "activation": "activationFn",
        "weight_init": "weightInitFn",
        "updater": "iupdater",
        "l1": None,
        "l2": None,
        "weight_decay": None,
        "l1_bias": None,
        "l2_bias": None,
        "weight_decay_bias": None,
    },
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
        *Layer.inherited,
        "activation",
        "weight_init",
        "bias_init",
        "gain_init",
        "updater",
        "bias_updater",
        "weight_noise",
        "gradient_normalization",
        "gradient_normalization_threshold",
    )

    activation: IActivation | ActivationName | None = None
    weight_init: IWeightInit | Distribution | WeightInitName | None = None
    bias_init: MaybeDouble = None
    """Initial value of biases."""
    gain_init: MaybeDouble = None
    """Initial value of the gains of layer normalization."""
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
    weight_noise: IWeightNoise | None = None
    gradient_normalization: GradientNormalization | None = None
    gradient_normalization_threshold: MaybeDouble = None


class SizedLayer(BaseLayer, keys={"n_in": "nin", "n_out": "nout"}):
    """A layer with a number of inputs, inferred from the network's input type where it is not given."""

    n_in: MaybeSize = None
    """Number of inputs: features, or channels of a convolution. Inferred if ``None``."""
    time_distributed_format: RNNFormat | CNN2DFormat | None = None
    """Format of the sequences whose time steps this layer takes one by one; set by inference."""

    def _with_size(self, size: int, path: str) -> Self:
        """This layer with ``n_in`` set to the size of its input."""
        if self.n_in is not None and self.n_in != size:
            raise refuse(f"{path}.n_in", f"must be {size}, the size of the layer's input (or left out)", self.n_in)
        return self if self.n_in == size else self.replace(n_in=size)

    def _with_vectors(self, input_type: InputType, path: str) -> Self:
        """This layer with what it takes from an input of vectors."""
        given = vectors(self, input_type, path)
        return self._with_size(given.size, path).replace(time_distributed_format=given.time_distributed_format)


class FeedForwardLayer(SizedLayer):
    """A layer from vectors of ``n_in`` to vectors of ``n_out``."""

    n_out: Positive
    """Number of outputs: units, or channels of a convolution."""

    def preprocessor_for(self, input_type: InputType) -> InputPreProcessor | None:
        return for_vectors(input_type)

    def with_input(self, input_type: InputType, path: str = "") -> Self:
        return self._with_vectors(input_type, path)

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        vectors(self, input_type, path)
        return InputTypeFeedForward(size=self.n_out, time_distributed_format=self.time_distributed_format)

    def check_complete(self, path: str) -> None:
        if self.n_in is None:
            raise refuse(
                f"{path}.n_in", "must be given, or the network's input_type, from which it is inferred", self.n_in
            )

    def fan(self) -> tuple[int, int]:
        """``(n_in, n_out)`` of a layer whose sizes are known."""
        self.check_complete(type(self).__name__)
        assert self.n_in is not None
        return self.n_in, self.n_out


def vectors(layer: Layer, input_type: InputType, path: str) -> InputTypeFeedForward:
    """``input_type``, which must be vectors."""
    if isinstance(input_type, InputTypeFeedForward):
        return input_type
    if isinstance(input_type, InputTypeConvolutionalFlat):
        return InputType.feed_forward(input_type.flattened_size)
    raise refuse(path, f"({type(layer).__name__}) needs vectors as input", input_type)


def images(layer: Layer, input_type: InputType, path: str) -> InputTypeConvolutional:
    """``input_type``, which must be images."""
    if isinstance(input_type, InputTypeConvolutional):
        return input_type
    must = f"({type(layer).__name__}) needs images as input (InputType.convolutional, or a preprocessor)"
    raise refuse(path, must, input_type)


def sequences(layer: Layer, input_type: InputType, path: str) -> InputTypeRecurrent:
    """``input_type``, which must be sequences."""
    if isinstance(input_type, InputTypeRecurrent):
        return input_type
    must = f"({type(layer).__name__}) needs sequences as input (InputType.recurrent, or a preprocessor)"
    raise refuse(path, must, input_type)
