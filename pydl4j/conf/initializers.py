"""Weight initialization: DL4J's ``IWeightInit``, and the distributions it can draw from."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

from pydl4j.conf._codecs import AtLeast, MoreThan
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf._reading import At

__all__ = [
    "BinomialDistribution",
    "ConstantDistribution",
    "Distribution",
    "EmbeddingInitializer",
    "GaussianDistribution",
    "IWeightInit",
    "LogNormalDistribution",
    "NormalDistribution",
    "OrthogonalDistribution",
    "TruncatedNormalDistribution",
    "UniformDistribution",
    "WeightInitConstant",
    "WeightInitDistribution",
    "WeightInitEmbedding",
    "WeightInitIdentity",
    "WeightInitLecunUniform",
    "WeightInitName",
    "WeightInitNormal",
    "WeightInitRelu",
    "WeightInitReluUniform",
    "WeightInitSigmoidUniform",
    "WeightInitUniform",
    "WeightInitVarScalingNormalFanAvg",
    "WeightInitVarScalingNormalFanIn",
    "WeightInitVarScalingNormalFanOut",
    "WeightInitVarScalingUniformFanAvg",
    "WeightInitVarScalingUniformFanIn",
    "WeightInitVarScalingUniformFanOut",
    "WeightInitXavier",
    "WeightInitXavierLegacy",
    "WeightInitXavierUniform",
]

_JAVA = "org.deeplearning4j.nn.weights."
_DISTRIBUTION = "org.deeplearning4j.nn.conf.distribution."

WeightInitName = Literal[
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "normal",
    "ones",
    "relu",
    "relu_uniform",
    "sigmoid_uniform",
    "uniform",
    "var_scaling_normal_fan_avg",
    "var_scaling_normal_fan_in",
    "var_scaling_normal_fan_out",
    "var_scaling_uniform_fan_avg",
    "var_scaling_uniform_fan_in",
    "var_scaling_uniform_fan_out",
    "xavier",
    "xavier_fan_in",
    "xavier_legacy",
    "xavier_uniform",
    "zero",
]
"""DL4J's ``WeightInit`` enum, without ``DISTRIBUTION``: give the distribution itself."""

Spread = Annotated[float, MoreThan(0)]


_OLD_NAMES = {
    "binomial": _DISTRIBUTION + "BinomialDistribution",
    "gaussian": _DISTRIBUTION + "GaussianDistribution",
    "normal": _DISTRIBUTION + "NormalDistribution",
    "uniform": _DISTRIBUTION + "UniformDistribution",
}


class Distribution(Conf):
    """A probability distribution."""

    _type_key: ClassVar[str] = "type"

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        # before 1.0.0-beta, DL4J wrapped it in its short name: {"normal": {"mean": 0, "std": 1}}
        name = next((name for name in _OLD_NAMES if isinstance(tree, Mapping) and name in tree), None)
        if name is None:
            return super().read(tree, at)
        return super().read({"type": _OLD_NAMES[name], **tree[name]}, at)


class BinomialDistribution(Distribution, java=_DISTRIBUTION + "BinomialDistribution"):
    """Numbers of successes in ``number_of_trials``: 0 to that number."""

    number_of_trials: Annotated[int, AtLeast(0)]
    probability_of_success: Annotated[float, AtLeast(0)]

    def validate(self, path: str) -> None:
        if self.probability_of_success > 1:
            raise refuse(f"{path}.probability_of_success", "must be <= 1", self.probability_of_success)


class ConstantDistribution(Distribution, java=_DISTRIBUTION + "ConstantDistribution"):
    """Always ``value``, for what must be a distribution."""

    value: float


class GaussianDistribution(Distribution, java=_DISTRIBUTION + "GaussianDistribution"):
    """The same as `NormalDistribution`; DL4J has both."""

    mean: float
    std: Spread


class LogNormalDistribution(Distribution, java=_DISTRIBUTION + "LogNormalDistribution"):
    """The exponential of a normal distribution."""

    mean: float
    std: Spread


class NormalDistribution(Distribution, java=_DISTRIBUTION + "NormalDistribution"):
    """Normal with ``mean`` and standard deviation ``std``."""

    mean: float
    std: Spread


class OrthogonalDistribution(Distribution, java=_DISTRIBUTION + "OrthogonalDistribution", absent={"gain": 0.0}):
    """An orthogonal matrix, scaled by ``gain`` (Saxe et al. 2013)."""

    gain: float = 1.0


class TruncatedNormalDistribution(Distribution, java=_DISTRIBUTION + "TruncatedNormalDistribution"):
    """Normal, drawn again beyond two standard deviations."""

    mean: float
    std: Spread


class UniformDistribution(Distribution, java=_DISTRIBUTION + "UniformDistribution"):
    """Uniform between ``lower`` and ``upper``."""

    lower: float
    upper: float

    def validate(self, path: str) -> None:
        if self.lower >= self.upper:
            raise refuse(f"{path}.lower", f"must be below upper = {self.upper}", self.lower)


class IWeightInit(Conf):
    """How weights are initialized."""

    @classmethod
    def convert(cls, value: Any) -> Any:
        """A distribution stands for drawing from it."""
        return WeightInitDistribution(distribution=value) if isinstance(value, Distribution) else super().convert(value)


class WeightInitConstant(IWeightInit, java=_JAVA + "WeightInitConstant"):
    """Every weight is ``value``: 0 for ``"zero"``, 1 for ``"ones"``."""

    value: float


class WeightInitDistribution(IWeightInit, java=_JAVA + "WeightInitDistribution"):
    """Weights drawn from ``distribution``; a distribution given as ``weight_init`` becomes this."""

    distribution: Distribution


class EmbeddingInitializer(Conf):
    """Where the vectors of an embedding come from. DL4J has none that its JSON can hold."""


class WeightInitEmbedding(IWeightInit, java=_JAVA + "embeddings.WeightInitEmbedding"):
    """The weights of an embedding that was made from vectors in Java, as documents have it: without the vectors.

    A trained network has them among its parameters. In Python, make the layer with any other initialization and set
    ``W`` afterwards.
    """

    serializable_init: EmbeddingInitializer | None = None


class WeightInitIdentity(IWeightInit, java=_JAVA + "WeightInitIdentity", alias="identity"):
    """The identity matrix, for square weights; a Dirac kernel for convolutions from as many channels to as many, of odd size."""

    scale: float | None = None


class WeightInitLecunUniform(IWeightInit, java=_JAVA + "WeightInitLecunUniform", alias="lecun_uniform"):
    """Uniform in ``+-sqrt(3 / n_in)`` (LeCun et al. 1998, "Efficient BackProp")."""


class WeightInitNormal(IWeightInit, java=_JAVA + "WeightInitNormal", alias="normal"):
    """Normal with variance ``1 / n_in``; ``"lecun_normal"`` and ``"xavier_fan_in"`` are other names of it."""


class WeightInitRelu(IWeightInit, java=_JAVA + "WeightInitRelu", alias="relu"):
    """Normal with variance ``2 / n_in`` (He et al. 2015)."""


class WeightInitReluUniform(IWeightInit, java=_JAVA + "WeightInitReluUniform", alias="relu_uniform"):
    """Uniform in ``+-sqrt(6 / n_in)`` (He et al., arXiv:1502.01852)."""


class WeightInitSigmoidUniform(IWeightInit, java=_JAVA + "WeightInitSigmoidUniform", alias="sigmoid_uniform"):
    """Uniform in ``+-4 sqrt(6 / (n_in + n_out))``."""


class WeightInitUniform(IWeightInit, java=_JAVA + "WeightInitUniform", alias="uniform"):
    """Uniform in ``+-1 / sqrt(n_in)``, the common heuristic before Glorot and Bengio's."""


class WeightInitXavier(IWeightInit, java=_JAVA + "WeightInitXavier", alias="xavier"):
    """Normal with variance ``2 / (n_in + n_out)`` (Glorot and Bengio 2010)."""


class WeightInitXavierLegacy(IWeightInit, java=_JAVA + "WeightInitXavierLegacy", alias="xavier_legacy"):
    """Xavier as DL4J 0.6 and older had it: normal with a variance that depends on the shape of the weights."""


class WeightInitXavierUniform(IWeightInit, java=_JAVA + "WeightInitXavierUniform", alias="xavier_uniform"):
    """Uniform in ``+-sqrt(6 / (n_in + n_out))``."""


class _VarScaling(IWeightInit):
    """Variance scaled by a number of inputs or outputs."""

    scale: float | None = None
    """Factor of the variance (DL4J: 1)."""


class WeightInitVarScalingNormalFanAvg(
    _VarScaling, java=_JAVA + "WeightInitVarScalingNormalFanAvg", alias="var_scaling_normal_fan_avg"
):
    """Truncated normal with variance ``2 scale / (n_in + n_out)``."""


class WeightInitVarScalingNormalFanIn(
    _VarScaling, java=_JAVA + "WeightInitVarScalingNormalFanIn", alias="var_scaling_normal_fan_in"
):
    """Truncated normal with variance ``scale / n_in``."""


class WeightInitVarScalingNormalFanOut(
    _VarScaling, java=_JAVA + "WeightInitVarScalingNormalFanOut", alias="var_scaling_normal_fan_out"
):
    """Truncated normal with variance ``scale / n_out``."""


class WeightInitVarScalingUniformFanAvg(
    _VarScaling, java=_JAVA + "WeightInitVarScalingUniformFanAvg", alias="var_scaling_uniform_fan_avg"
):
    """Uniform with variance ``2 scale / (n_in + n_out)``."""


class WeightInitVarScalingUniformFanIn(
    _VarScaling, java=_JAVA + "WeightInitVarScalingUniformFanIn", alias="var_scaling_uniform_fan_in"
):
    """Uniform with variance ``scale / n_in``, as variance scaling in Keras."""


class WeightInitVarScalingUniformFanOut(
    _VarScaling, java=_JAVA + "WeightInitVarScalingUniformFanOut", alias="var_scaling_uniform_fan_out"
):
    """Uniform with variance ``scale / n_out``."""


IWeightInit._named |= {  # noqa: SLF001 - names that stand for the same class
    "zero": partial(WeightInitConstant, value=0.0),
    "ones": partial(WeightInitConstant, value=1.0),
    "lecunnormal": WeightInitNormal,
    "xavierfanin": WeightInitNormal,
}
