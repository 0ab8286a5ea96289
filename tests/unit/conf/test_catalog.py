"""Python has every configuration class of DL4J, with the same keys, types, defaults and choices (see CatalogDump.java)."""

from collections.abc import Sequence
from typing import Annotated, Literal

import pytest
from catalog import CLASSES, CONCRETE, DOCUMENTS, PYTHON, names, problems, simple
from catalog_exceptions import REASONS

from pydl4j.conf._codecs import JavaNames
from pydl4j.conf._kernel import Conf

BOTH = PYTHON | DOCUMENTS


def excused(java_name, problem):
    key, what = problem.split(" ")[0].strip(":").split(":")[:2]
    candidates = [f"*:{what}"]
    for owner in names(java_name):
        candidates += [f"{owner}.{key}", f"{owner}.{key}:{what}", f"{owner}.*:{what}"]
    return [name for name in candidates if name in REASONS]


def unexcused(java_name):
    return [line for line in problems(java_name, BOTH[java_name]) if not excused(java_name, line)]


@pytest.mark.parametrize("java_name", sorted(set(BOTH) & set(CLASSES)))
def test_class_is_dl4js(java_name):
    assert unexcused(java_name) == [], "make the class as DL4J's, or say why not in catalog_exceptions.py"


def test_every_class_is_dl4js():
    assert sorted(set(PYTHON) - set(CLASSES)) == []


def missing():
    return sorted(name for name in set(CONCRETE) - set(BOTH) if simple(name) not in REASONS)


def test_no_class_is_missing():
    assert missing() == []


def test_exceptions_are_needed():
    used = {simple(name) for name in set(CONCRETE) - set(BOTH)}
    owners = set()
    for java_name in set(BOTH) & set(CLASSES):
        owners.update(names(java_name))
        used.update(*(excused(java_name, line) for line in problems(java_name, BOTH[java_name])), [])
    unused = set(REASONS) - used
    stale = {name for name in unused if name in map(simple, CLASSES) or name.split(".")[0] in owners}
    assert sorted(stale) == []


class Wrong(Conf, keys={"mode": "convolutionMode", "blocks": "blockSize"}):
    """What `SubsamplingLayer` is not."""

    blocks: int = 1
    eps: float = 1e-7
    kernel_size: Sequence[float] = (1.0,)
    mode: Literal["strict", "loose"] | None = None
    pooling_type: Annotated[Literal["max", "avg", "sum", "pnorm"], JavaNames("MAX", "AVG", "SUM", "PNORM")]

    def derived(self):
        return {"pnorm": 0, "gradientNormalization": "None"}


def test_what_is_wrong_is_found():
    found = {line.split(" ")[0] for line in problems("org.deeplearning4j.nn.conf.layers.SubsamplingLayer", Wrong)}
    assert found >= {
        "@class:type",
        "blockSize:extra", "convolutionMode:choices:", "convolutionMode:absent", "eps:default", "eps:absent",
        "gradientNormalizationThreshold:missing", "kernelSize:type:", "kernelSize:default", "kernelSize:null",
        "pnorm:derived", "poolingType:default", "stride:missing",
    }  # fmt: skip
    assert not found & {"poolingType:type:", "gradientNormalization:derived", "gradientNormalization:missing"}
