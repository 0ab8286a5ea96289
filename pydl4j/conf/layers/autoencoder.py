"""Layers that can be trained without labels first, by `pretrain`."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydl4j.conf._codecs import AtLeast, Between
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.layers.base import JAVA, FeedForwardLayer, ParamGroups, ParamShapes, Positive
from pydl4j.conf.layers.variational import GaussianReconstructionDistribution, ReconstructionDistribution
from pydl4j.conf.losses import LossName

if TYPE_CHECKING:
    from pydl4j.conf.options import NetworkOptions

__all__ = ["AutoEncoder", "VariationalAutoencoder"]


class BasePretrainNetwork(FeedForwardLayer, keys={"loss": "lossFunction"}, absent={"loss": None}):
    """A layer that can be trained without labels."""

    loss: LossName | None = "reconstruction_crossentropy"
    """Loss of the reconstruction; a name, not an object."""
    visible_bias_init: float = 0.0
    """Initial bias of the reconstruction."""


class AutoEncoder(BasePretrainNetwork, java=JAVA + "AutoEncoder", absent={"corruption_level": 0.0}):
    """Denoising autoencoder: ``activation(x @ W + b)``, ``[minibatch, n_in]`` to ``[minibatch, n_out]``; reconstructs with ``W`` transposed.

    Pretraining this layer alone goes uphill: DL4J's gradient has the wrong sign there, so train it with the layers that
    follow. After Vincent et al. 2010.

    >>> AutoEncoder(n_out=32, corruption_level=0.2)
    AutoEncoder(n_out=32, corruption_level=0.2)
    """

    weight_params: ClassVar[Sequence[str]] = ("W",)
    unconstrained: ClassVar[Sequence[str]] = ("vb",)

    corruption_level: Annotated[float, Between(0, 1, closed=True)] = 0.30000001192092896
    """Probability to set an input to 0 in pretraining."""
    sparsity: float = 0.0
    """Not used by DL4J 1.0."""

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        return {"W": (n_in, n_out), "b": (n_out,), "vb": (n_in,)}


class VariationalAutoencoder(
    BasePretrainNetwork,
    java=JAVA + "variational.VariationalAutoencoder",
    keys={"pzx_activation": "pzxActivationFn"},
    absent={"num_samples": 0},
):
    """Variational autoencoder: ``[minibatch, n_in]`` to the means ``[minibatch, n_out]`` of the latent distribution.

    Trained without labels by pretraining, or as a part of a network, where only the encoder learns. ``loss`` and
    ``visible_bias_init`` are not used. (DL4J's builder drops constraints that are given to this layer; here they are
    applied.) After Kingma and Welling 2013.

    >>> VariationalAutoencoder(n_out=2, encoder_layer_sizes=(256,), decoder_layer_sizes=(256,), activation="relu")
    VariationalAutoencoder(activation='relu', n_out=2, encoder_layer_sizes=(256,), decoder_layer_sizes=(256,))
    """

    encoder_layer_sizes: Sequence[Positive] = (100,)
    """Units of the hidden layers of the encoder."""
    decoder_layer_sizes: Sequence[Positive] = (100,)
    """Units of the hidden layers of the decoder."""
    output_distribution: ReconstructionDistribution = GaussianReconstructionDistribution(activation="tanh")
    """Distribution of the data, given the latent variables."""
    pzx_activation: IActivation | ActivationName = "identity"
    """Activation of the latent means."""
    num_samples: Annotated[int, AtLeast(0)] = 1
    """Samples per example in training."""

    def validate(self, path: str) -> None:
        for option in ("encoder_layer_sizes", "decoder_layer_sizes"):
            if not getattr(self, option):
                raise refuse(f"{path}.{option}", "must have a layer", ())

    def param_groups(self) -> ParamGroups:
        keys = list(self.param_shapes())
        return ParamGroups(keys, *([key for key in keys if key.endswith(kind)] for kind in "Wb"))

    def param_shapes(self) -> ParamShapes:
        n_in, n_out = self.fan()
        encoder = (n_in, *self.encoder_layer_sizes)
        decoder = (n_out, *self.decoder_layer_sizes)
        blocks = {f"e{i}": sizes for i, sizes in enumerate(pairwise(encoder))}
        blocks |= dict.fromkeys(("pZXMean", "pZXLogStd2"), (encoder[-1], n_out))
        blocks |= {f"d{i}": sizes for i, sizes in enumerate(pairwise(decoder))}
        blocks["pXZ"] = (decoder[-1], self.output_distribution.params_for(n_in))
        return {block + key: shape for block, sizes in blocks.items() for key, shape in _dense(*sizes).items()}

    def _is_bias(self, key: str) -> bool:
        return key.endswith("b")

    def check_new(self, network: "NetworkOptions", path: str) -> None:
        size = self.output_distribution.data_size
        if size not in {None, self.n_in}:
            must = f"must be for as many features as n_in, which is {self.n_in}; its sizes add up to {size}"
            raise guard(f"{path}.output_distribution", must, self.output_distribution)


def _dense(n_in: int, n_out: int) -> ParamShapes:
    return {"W": (n_in, n_out), "b": (n_out,)}
