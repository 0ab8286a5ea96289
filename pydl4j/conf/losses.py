"""Loss functions: DL4J's ``ILossFunction``."""

from typing import Annotated, ClassVar, Literal

from pydl4j.conf._codecs import AtLeast, MoreThan
from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf.arrays import NDArray

__all__ = [
    "ILossFunction",
    "LossBinaryXENT",
    "LossCosineProximity",
    "LossFMeasure",
    "LossHinge",
    "LossKLD",
    "LossL1",
    "LossL2",
    "LossMAE",
    "LossMAPE",
    "LossMCXENT",
    "LossMSE",
    "LossMSLE",
    "LossMixtureDensity",
    "LossMultiLabel",
    "LossName",
    "LossNegativeLogLikelihood",
    "LossPoisson",
    "LossSparseMCXENT",
    "LossSquaredHinge",
    "LossWasserstein",
]

_JAVA = "org.nd4j.linalg.lossfunctions.impl."

LossName = Literal[
    "cosine_proximity",
    "hinge",
    "kl_divergence",
    "l1",
    "l2",
    "mcxent",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_logarithmic_error",
    "mse",
    "negativeloglikelihood",
    "poisson",
    "reconstruction_crossentropy",
    "sparse_mcxent",
    "squared_hinge",
    "squared_loss",
    "wasserstein",
    "xent",
]
"""DL4J's ``LossFunction`` enum: ``squared_loss`` is `LossMSE`, ``reconstruction_crossentropy`` is `LossKLD`."""


class ILossFunction(Conf):
    """A loss function."""

    _omit_null: ClassVar[bool] = True


class WeightedLoss(ILossFunction):
    """A loss whose outputs may count differently."""

    weights: NDArray | None = None
    """One number per output, by which its loss is multiplied."""

    def validate(self, path: str) -> None:
        if self.weights is not None and len(self.weights.data) != self.weights.shape[-1]:
            raise refuse(f"{path}.weights", "must be one row of numbers", self.weights)


class LossBinaryXENT(WeightedLoss, java=_JAVA + "LossBinaryXENT", alias="xent", absent={"clip_eps": 0.0}):
    """Binary cross entropy: independent probabilities, with a sigmoid."""

    clip_eps: Annotated[float, AtLeast(0)] = 1e-5
    """Probabilities are kept this far from 0 and 1."""

    def validate(self, path: str) -> None:
        super().validate(path)
        _check_clipping(f"{path}.clip_eps", self.clip_eps)


class LossMCXENT(WeightedLoss, java=_JAVA + "LossMCXENT", alias="mcxent", absent={"softmax_clip_eps": 0.0}):
    """Cross entropy over classes, with a softmax."""

    softmax_clip_eps: Annotated[float, AtLeast(0)] = 1e-10
    """Probabilities are kept this far from 0 and 1."""

    def validate(self, path: str) -> None:
        super().validate(path)
        _check_clipping(f"{path}.softmax_clip_eps", self.softmax_clip_eps)


def _check_clipping(path: str, distance: float) -> None:
    if distance > 0.5:
        raise refuse(path, "must be at most 0.5", distance)


class LossNegativeLogLikelihood(
    LossMCXENT,
    java=_JAVA + "LossNegativeLogLikelihood",
    alias="negativeloglikelihood",
    absent={"softmax_clip_eps": 1e-10},
):
    """The same as `LossMCXENT`."""


class LossSparseMCXENT(LossMCXENT, java=_JAVA + "LossSparseMCXENT", alias="sparse_mcxent"):
    """`LossMCXENT` for labels that are class indices."""


class LossMSE(WeightedLoss, java=_JAVA + "LossMSE", alias="mse"):
    """Mean squared error over the outputs."""


class LossL2(WeightedLoss, java=_JAVA + "LossL2", alias="l2"):
    """Sum of squared errors."""


class LossMAE(WeightedLoss, java=_JAVA + "LossMAE", alias="mean_absolute_error"):
    """Mean absolute error over the outputs."""


class LossL1(WeightedLoss, java=_JAVA + "LossL1", alias="l1"):
    """Sum of absolute errors."""


class LossMAPE(WeightedLoss, java=_JAVA + "LossMAPE", alias="mean_absolute_percentage_error"):
    """Mean absolute percentage error."""


class LossMSLE(WeightedLoss, java=_JAVA + "LossMSLE", alias="mean_squared_logarithmic_error"):
    """Mean squared logarithmic error."""


class LossKLD(ILossFunction, java=_JAVA + "LossKLD", alias="kl_divergence"):
    """Kullback-Leibler divergence."""


class LossPoisson(ILossFunction, java=_JAVA + "LossPoisson", alias="poisson"):
    """Poisson loss: ``output - label log(output)``."""


class LossHinge(ILossFunction, java=_JAVA + "LossHinge", alias="hinge"):
    """``max(0, 1 - label output)`` for labels of -1 and 1."""


class LossSquaredHinge(ILossFunction, java=_JAVA + "LossSquaredHinge", alias="squared_hinge"):
    """The square of the hinge loss."""


class LossCosineProximity(ILossFunction, java=_JAVA + "LossCosineProximity", alias="cosine_proximity"):
    """Minus the cosine of the angle between label and output."""


class LossWasserstein(ILossFunction, java=_JAVA + "LossWasserstein", alias="wasserstein"):
    """``mean(label * output)``, for a critic."""


class LossMultiLabel(ILossFunction, java=_JAVA + "LossMultiLabel"):
    """Ranking loss of multi-label classification (Zhang and Zhou 2006)."""


class LossFMeasure(ILossFunction, java=_JAVA + "LossFMeasure", absent={"beta": 0.0}):
    """A differentiable F-measure for binary classification."""

    beta: Annotated[float, MoreThan(0)] = 1.0


class LossMixtureDensity(ILossFunction, java=_JAVA + "LossMixtureDensity"):
    """Negative log likelihood of a mixture of Gaussians; ``n_out`` is ``mixtures * (label_width + 2)``."""

    mixtures: Annotated[int, AtLeast(1)]
    label_width: Annotated[int, AtLeast(1)]


ILossFunction._named |= {"squaredloss": LossMSE, "reconstructioncrossentropy": LossKLD}  # noqa: SLF001 - DL4J's aliases
