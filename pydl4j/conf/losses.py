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

    def label_size(self, n_out: int) -> int:
        """Numbers of a label for ``n_out`` outputs."""
        return n_out


class WeightedLoss(ILossFunction):
    """A loss whose outputs may count differently."""

    weights: NDArray | None = None
    """One number per output, by which its loss is multiplied."""

    def validate(self, path: str) -> None:
        if self.weights is not None and len(self.weights.data) != self.weights.shape[-1]:
            raise refuse(f"{path}.weights", "must be one row of numbers", self.weights)


class LossBinaryXENT(WeightedLoss, java=_JAVA + "LossBinaryXENT", alias="xent", absent={"clip_eps": 0.0}):
    """Binary cross entropy, ``-sum(label log(p) + (1 - label) log(1 - p))`` over the outputs of an example.

    For independent probabilities, made by a sigmoid. Labels and outputs are ``[minibatch, n_out]``, labels 0 or 1.
    """

    clip_eps: Annotated[float, AtLeast(0)] = 1e-5
    """Probabilities are kept this far from 0 and 1."""

    def validate(self, path: str) -> None:
        super().validate(path)
        _check_clipping(f"{path}.clip_eps", self.clip_eps)


class LossMCXENT(WeightedLoss, java=_JAVA + "LossMCXENT", alias="mcxent", absent={"softmax_clip_eps": 0.0}):
    """Cross entropy over classes, ``-sum(label log(p))`` over the outputs of an example, made by a softmax.

    Labels (one-hot or probabilities) and outputs are ``[minibatch, n_out]``; in sequences and images, for each step and pixel.
    """

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
    """Negative log likelihood: the same as `LossMCXENT`, under the name it has with a softmax."""


class LossSparseMCXENT(LossMCXENT, java=_JAVA + "LossSparseMCXENT", alias="sparse_mcxent"):
    """`LossMCXENT` for labels that are class indices: labels ``[minibatch, 1]``, outputs ``[minibatch, n_out]``."""

    def label_size(self, n_out: int) -> int:
        return 1


class LossMSE(WeightedLoss, java=_JAVA + "LossMSE", alias="mse"):
    """Mean squared error, ``sum((label - output)^2) / n_out`` of an example."""


class LossL2(WeightedLoss, java=_JAVA + "LossL2", alias="l2"):
    """Squared error, ``sum((label - output)^2)`` of an example: `LossMSE` that is not divided by the number of outputs."""


class LossMAE(WeightedLoss, java=_JAVA + "LossMAE", alias="mean_absolute_error"):
    """Mean absolute error, ``sum(|label - output|) / n_out`` of an example."""


class LossL1(WeightedLoss, java=_JAVA + "LossL1", alias="l1"):
    """Absolute error, ``sum(|label - output|)`` of an example: `LossMAE` that is not divided by the number of outputs."""


class LossMAPE(WeightedLoss, java=_JAVA + "LossMAPE", alias="mean_absolute_percentage_error"):
    """Mean absolute percentage error, ``100 sum(|(label - output) / label|) / n_out`` of an example; labels must not be 0."""


class LossMSLE(WeightedLoss, java=_JAVA + "LossMSLE", alias="mean_squared_logarithmic_error"):
    """Mean squared logarithmic error, ``sum(log((output + 1) / (label + 1))^2) / n_out`` of an example.

    For labels and outputs from 0 on, whose ratio matters.
    """


class LossKLD(ILossFunction, java=_JAVA + "LossKLD", alias="kl_divergence"):
    """Kullback-Leibler divergence of the outputs from the labels, ``sum(label log(label / output))`` of an example; both are probabilities."""


class LossPoisson(ILossFunction, java=_JAVA + "LossPoisson", alias="poisson"):
    """Poisson loss, ``sum(output - label log(output))`` of an example: for counts, with outputs above 0."""


class LossHinge(ILossFunction, java=_JAVA + "LossHinge", alias="hinge"):
    """Hinge loss, ``sum(max(0, 1 - label output))`` of an example, for labels of -1 and 1."""


class LossSquaredHinge(ILossFunction, java=_JAVA + "LossSquaredHinge", alias="squared_hinge"):
    """Squared hinge loss, ``sum(max(0, 1 - label output)^2)`` of an example, for labels of -1 and 1."""


class LossCosineProximity(ILossFunction, java=_JAVA + "LossCosineProximity", alias="cosine_proximity"):
    """Cosine proximity, minus the cosine of the angle between the labels and the outputs of an example: -1 is best."""


class LossWasserstein(ILossFunction, java=_JAVA + "LossWasserstein", alias="wasserstein"):
    """Wasserstein loss of a critic, ``sum(label output) / n_out`` of an example, with labels of -1 and 1 (Arjovsky et al., arXiv:1701.07875)."""


class LossMultiLabel(ILossFunction, java=_JAVA + "LossMultiLabel"):
    """Ranking loss of multi-label classification (Zhang and Zhou 2006)."""


class LossFMeasure(ILossFunction, java=_JAVA + "LossFMeasure", absent={"beta": 0.0}):
    """One minus a differentiable F-measure of the whole minibatch, for binary classification with a sigmoid (one output) or a softmax (two).

    Source: Pastor-Pellicer et al. 2013.
    """

    beta: Annotated[float, MoreThan(0)] = 1.0


class LossMixtureDensity(ILossFunction, java=_JAVA + "LossMixtureDensity"):
    """Negative log likelihood of a mixture of Gaussians; ``n_out`` is ``mixtures * (label_width + 2)``."""

    mixtures: Annotated[int, AtLeast(1)]
    label_width: Annotated[int, AtLeast(1)]

    def label_size(self, n_out: int) -> int:
        return self.label_width


ILossFunction._named |= {"squaredloss": LossMSE, "reconstructioncrossentropy": LossKLD}  # noqa: SLF001 - DL4J's aliases
