"""Regularization of weights or biases; each coefficient is a number or a schedule."""

from collections.abc import Sequence
from typing import Any

from pydl4j.conf._kernel import Conf, refuse
from pydl4j.conf.schedules import ISchedule

__all__ = [
    "L1Regularization",
    "L2Regularization",
    "Regularization",
    "WeightDecay",
]

_JAVA = "org.nd4j.linalg.learning.regularization."


class Regularization(Conf):
    """A penalty on parameters."""


class L1Regularization(Regularization, java=_JAVA + "L1Regularization"):
    """Adds ``l1 sign(w)`` to the gradient, before the updater."""

    l1: float | ISchedule


class L2Regularization(Regularization, java=_JAVA + "L2Regularization"):
    """Adds ``l2 w`` to the gradient, before the updater."""

    l2: float | ISchedule


class WeightDecay(Regularization, java=_JAVA + "WeightDecay", keys={"apply_lr": "applyLR"}, absent={"apply_lr": False}):
    """Subtracts ``coeff w`` from the weights, after the updater."""

    coeff: float | ISchedule
    apply_lr: bool = True
    """Multiply by the learning rate, too."""


SHORT_FORMS = ("l1", "l2", "weight_decay", "l1_bias", "l2_bias", "weight_decay_bias")
"""Options of layers and networks that stand for regularizations."""


def merged_penalties(layer: Any, network: Any) -> dict[str, Any]:
    """A layer's ``regularization`` and ``regularization_bias`` with the network's added, and nothing in short form.

    What the network has and the layer does not is added kind by kind, as in DL4J, which however adds a weight decay twice.
    """
    both = {
        "regularization": _merge(penalties(layer, ""), penalties(network, "")),
        "regularization_bias": _merge(penalties(layer, "_bias"), penalties(network, "_bias")),
    }
    return both | {name: None for name in SHORT_FORMS if hasattr(layer, name)}


def own_or_inherited_penalties(layer: Any, network: Any) -> dict[str, Any]:
    """A layer's ``regularization`` and ``regularization_bias``, the network's where it has none, and nothing in short form."""
    return {
        "regularization": tuple(penalties(layer, "") or penalties(network, "")),
        "regularization_bias": tuple(penalties(layer, "_bias") or penalties(network, "_bias")),
        **{name: None for name in SHORT_FORMS if hasattr(layer, name)},
    }


def check_short_forms(owner: Any, path: str) -> None:
    """Refuse an L2 penalty beside a weight decay, both in short form: DL4J's builders keep the one that is set last.

    Raises:
        ConfigError: As said. ``path`` is the owner's place.

    """
    for suffix in ("", "_bias"):
        decay = getattr(owner, f"weight_decay{suffix}", None)
        if decay and getattr(owner, f"l2{suffix}", None):
            must = f"cannot be given beside l2{suffix}, of which DL4J keeps the last: for both, list them in regularization{suffix}"
            raise refuse(f"{path}.weight_decay{suffix}", must, decay)


def penalties(owner: Any, suffix: str) -> list[Regularization]:
    """What ``owner`` itself says about regularization."""
    l1, l2, decay = (getattr(owner, f"{name}{suffix}", None) for name in ("l1", "l2", "weight_decay"))
    own: list[Regularization] = []
    own += [L1Regularization(l1=l1)] if l1 else []
    own += [L2Regularization(l2=l2)] if l2 else []
    own += [WeightDecay(coeff=decay)] if decay else []
    return own + list(getattr(owner, f"regularization{suffix}", None) or ())


def _merge(own: Sequence[Regularization], inherited: Sequence[Regularization]) -> tuple[Regularization, ...]:
    """A layer's penalties, and those of the network of which it has no kind."""
    kinds = {type(penalty) for penalty in own}
    return (*own, *(penalty for penalty in inherited if type(penalty) not in kinds))
