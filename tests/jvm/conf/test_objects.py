"""Everything that a network is made of beside layers: each class in a network, with each value of each option."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, get_args, get_origin

import pytest
from reference import assert_agreement, draft, made_by_python
from values import INPUTS, LAYERS, classes, full, hints, minimal, variants

from pydl4j import MultiLayerConfiguration
from pydl4j.conf._kernel import Conf
from pydl4j.errors import ConfigError
from pydl4j.layers import DenseLayer, Layer, OutputLayer
from pydl4j.updaters import AdaBelief

OWNERS = (MultiLayerConfiguration, DenseLayer, OutputLayer, *LAYERS.values())


def families(hint: Any) -> set[type[Conf]]:
    """The configuration classes that an annotation mentions."""
    if isinstance(hint, type) and issubclass(hint, Conf):
        return {hint}
    return {family for part in get_args(hint) for family in families(part)}


def homes() -> dict[type[Conf], tuple[type[Conf], str]]:
    """Where an instance of each class can be in a network: in an option of that class."""
    found: dict[type[Conf], tuple[type[Conf], str]] = {}
    owners = list(dict.fromkeys(OWNERS))
    for owner in owners:
        for name, hint in hints(owner).items():
            for family in families(hint) - {Layer}:
                for cls in classes(family):
                    if cls not in found:
                        found[cls] = (owner, name)
                        owners.append(cls)
    return found


HOMES = homes()


def network(value: Conf) -> MultiLayerConfiguration:
    """A network with ``value`` in it; its weights are square, as an identity must be."""
    owner, name = HOMES[type(value)]
    held = in_container(hints(owner)[name], value)
    if owner is MultiLayerConfiguration:
        layer = OutputLayer(n_in=4, n_out=4) if name != "input_type" else OutputLayer(n_out=4)
        return draft(layers=[layer], **{name: held})
    holder = owner(**{**minimal(owner)._given(), name: held})
    if not isinstance(holder, Layer):
        return network(holder)
    holders = [holder, holder.replace(activation="sigmoid")] if "loss" in owner.options() else [holder]
    drafts = [draft(layers=[holder], input_type=input_type) for input_type in INPUTS.values() for holder in holders]
    return next(conf for conf in drafts if made_by_python(conf).json)


def in_container(hint: Any, value: Conf) -> Any:
    """``value`` as the option takes it."""
    parts = [part for part in (hint, *get_args(hint)) if families(part) and isinstance(value, tuple(families(part)))]
    origins = {get_origin(part) for part in parts} | {get_origin(each) for part in parts for each in get_args(part)}
    if Mapping in origins:
        return {0: value}
    return [value] if Sequence in origins else value


def instances(cls: type[Conf]) -> list[Conf]:
    made = [minimal(cls), full(cls)]
    for options in variants(cls):
        with suppress(ConfigError):
            made.append(cls(**options))
    return made


@pytest.mark.parametrize("cls", [cls for cls in HOMES if cls.java_name], ids=lambda cls: cls.__name__)
def test_object_is_written_as_dl4j_writes_it(cls):
    confs = [network(value) for value in instances(cls)]
    assert_agreement(confs)
    texts = [made.json for made in map(made_by_python, confs)]
    assert any(texts) == (cls is not AdaBelief)  # which is refused in every new network
    assert [MultiLayerConfiguration.from_json(text).to_json() for text in texts if text] == [t for t in texts if t]
