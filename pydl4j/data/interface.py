"""What a network takes and gives, read from its configuration."""

import json
import math
from dataclasses import dataclass
from typing import Any

from pydl4j.conf.inputs import InputType
from pydl4j.conf.network import MultiLayerConfiguration

_SOFTMAX_LOSSES = frozenset({"LossMCXENT", "LossNegativeLogLikelihood", "LossSparseMCXENT", "LossKLD"})
_CLASS_LOSSES = _SOFTMAX_LOSSES | {"LossBinaryXENT"}
_POSITIVE = (0.0, math.inf)
_LABELS = {"LossBinaryXENT": (0.0, 1.0)} | dict.fromkeys(_SOFTMAX_LOSSES - {"LossSparseMCXENT"}, _POSITIVE)
_DTYPES = {"FLOAT": "f4", "DOUBLE": "f8", "HALF": "f2"}


@dataclass(frozen=True)
class Interface:
    """The borders of a network, as far as data has to fit them."""

    dtype: str
    """numpy dtype of parameters and activations."""
    input_type: InputType | None
    """What the network was told of its input; None where only ``n_in`` is known."""
    n_in: int | None
    """Width of the input, for a first layer that has one."""
    n_out: int | None
    """Width of the output; None where the last layer takes any."""
    recurrent_output: bool
    """Whether there is an output for each time step: labels are [examples, n_out, time]."""
    time_first: bool
    """Whether that output is [examples, time, n_out] (NWC) instead."""
    classifier: bool
    """Whether labels are classes."""
    softmax: bool
    """Whether each row of labels is a distribution over exclusive classes."""
    sparse_labels: bool
    """Whether the loss takes class indices themselves (LossSparseMCXENT)."""
    label_range: tuple[float, float] | None
    """Least and greatest number that the loss has a meaning for in labels; None where that is any."""

    @property
    def classes(self) -> int | None:
        """How many classes there are; one sigmoid unit tells two apart. None for no classifier."""
        if not self.classifier or self.n_out is None:
            return None
        return 2 if self.n_out == 1 else self.n_out


def interface(conf: MultiLayerConfiguration) -> Interface:
    """Read the borders of a network from its configuration."""
    document = json.loads(conf.to_json())
    first = _unwrapped(document["confs"][0]["layer"])
    last = document["confs"][-1]["layer"]
    resolution = conf.resolve()
    loss = _name(last.get("lossFn"))
    activation = _name(last.get("activationFn"))
    n_out = last.get("nout") or _width(resolution.output_type)
    return Interface(
        dtype=_DTYPES[document["dataType"]],
        input_type=resolution.input_type,
        n_in=first.get("nin") or None,
        n_out=n_out,
        recurrent_output=_name(last).startswith("Rnn"),
        time_first=last.get("rnndataFormat") == "NWC" or last.get("rnnDataFormat") == "NWC",
        classifier=_is_classifier(loss, activation, n_out),
        softmax=loss in _SOFTMAX_LOSSES and activation == "ActivationSoftmax",
        sparse_labels=loss == "LossSparseMCXENT",
        label_range=_LABELS.get(loss),
    )


def _is_classifier(loss: str, activation: str, n_out: int | None) -> bool:
    if loss in _SOFTMAX_LOSSES:
        return True
    # several sigmoid units are several yes-no answers, not one class
    return loss in _CLASS_LOSSES and (n_out == 1 or activation == "ActivationSoftmax")


def _name(value: dict[str, Any] | None) -> str:
    return value["@class"].rpartition(".")[2] if value else ""


def _unwrapped(layer: dict[str, Any]) -> dict[str, Any]:
    """The layer that a frozen one holds."""
    inside = layer.get("layer") or layer.get("underlying")
    return _unwrapped(inside) if inside else layer


def _width(output: InputType | None) -> int | None:
    return getattr(output, "size", None)
