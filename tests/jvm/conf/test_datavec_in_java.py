"""DataVec reads what Python writes, keeps it, and comes to the same schemas."""

import sys
from pathlib import Path

import jpype
import pytest

from pydl4j import datavec

sys.path.insert(0, str(Path(__file__).parents[2] / "unit" / "conf" / "datavec"))
from datavec_vectors import PROCESSES, SCHEMAS

CHANGED = {"condition_sets", "logs"}  # sets in an order of their own, which DataVec's hash sets do not keep


@pytest.fixture(scope="module")
def java(jvm):
    return jpype.JPackage("org").datavec.api.transform


@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_datavec_keeps_a_process_and_its_schemas(java, name):
    process = PROCESSES[name]
    read = java.TransformProcess.fromJson(process.to_json())
    again = datavec.TransformProcess.from_json(str(read.toJson()))
    if name not in CHANGED:
        assert str(read.toJson()) == process.to_json()
    assert again.to_json() == str(read.toJson())
    assert str(read.getFinalSchema().toJson()) == process.final_schema.to_json()


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_datavec_keeps_a_schema(java, name):
    schema = SCHEMAS[name]
    assert str(java.schema.Schema.fromJson(schema.to_json()).toJson()) == schema.to_json()
    assert str(java.schema.Schema.fromYaml(schema.to_yaml()).toYaml()) == schema.to_yaml()
