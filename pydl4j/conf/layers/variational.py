"""Reconstruction distributions of variational autoencoders: how data is distributed, given the latent variables."""

from collections.abc import Sequence
from typing import Any

from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.layers.base import JAVA, Positive
from pydl4j.conf.losses import ILossFunction, LossName

__all__ = [
    "BernoulliReconstructionDistribution",
    "CompositeReconstructionDistribution",
    "ExponentialReconstructionDistribution",
    "GaussianReconstructionDistribution",
    "LossFunctionWrapper",
    "ReconstructionDistribution",
]

_VARIATIONAL = JAVA + "variational."


class ReconstructionDistribution(Conf, keys={"activation": "activationFn"}):
    """How data is distributed, given the latent variables."""

    def params_for(self, n_features: int) -> int:
        """Outputs of the decoder for ``n_features`` of data."""
        return n_features

    @property
    def data_size(self) -> int | None:
        """Features that this distribution is for; ``None`` for any number."""
        return None


class GaussianReconstructionDistribution(
    ReconstructionDistribution, java=_VARIATIONAL + "GaussianReconstructionDistribution"
):
    """Normal, for real numbers: the decoder gives a mean and a log variance per feature, after ``activation``."""

    activation: IActivation | ActivationName = "identity"

    def params_for(self, n_features: int) -> int:
        return 2 * n_features


class BernoulliReconstructionDistribution(
    ReconstructionDistribution, java=_VARIATIONAL + "BernoulliReconstructionDistribution"
):
    """Bernoulli, for features of 0 and 1: the decoder gives their probabilities, so ``activation`` should be a sigmoid."""

    activation: IActivation | ActivationName = "sigmoid"


class ExponentialReconstructionDistribution(
    ReconstructionDistribution, java=_VARIATIONAL + "ExponentialReconstructionDistribution"
):
    """Exponential, for features >= 0: the decoder gives the logarithm of the rate, after ``activation``."""

    activation: IActivation | ActivationName = "identity"


class LossFunctionWrapper(
    ReconstructionDistribution, java=_VARIATIONAL + "LossFunctionWrapper", keys={"loss": "lossFunction"}
):
    """A loss function in place of a distribution, which makes the layer an ordinary autoencoder (DL4J: ``lossFunction(...)``)."""

    activation: IActivation | ActivationName
    loss: ILossFunction | LossName


class CompositeReconstructionDistribution(
    ReconstructionDistribution, java=_VARIATIONAL + "CompositeReconstructionDistribution"
):
    """Different distributions for the features in turn: the first ``distribution_sizes[0]`` have the first, and so on."""

    distribution_sizes: Sequence[Positive]
    reconstruction_distributions: Sequence[ReconstructionDistribution]

    def validate(self, path: str) -> None:
        if len(self.distribution_sizes) != len(self.reconstruction_distributions):
            must = f"must have {len(self.reconstruction_distributions)} items, one per distribution"
            raise refuse(f"{path}.distribution_sizes", must, tuple(self.distribution_sizes))

    def params_for(self, n_features: int) -> int:
        both = zip(self.distribution_sizes, self.reconstruction_distributions, strict=True)
        return sum(distribution.params_for(size) for size, distribution in both)

    @property
    def data_size(self) -> int | None:
        return sum(self.distribution_sizes)

    def derived(self) -> dict[str, Any]:
        return {"totalSize": sum(self.distribution_sizes)}
