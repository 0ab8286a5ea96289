"""DataVec reads what Python writes, keeps it, and comes to the same schemas."""

import json
import re
import sys
from pathlib import Path

import jpype
import pytest
from datavec_random import process_document

from pydl4j import datavec
from pydl4j.errors import ConfigError

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


STRICTER = re.compile(
    "must not give a second column the name"  # DataVec loses one of the two
    "|works on sequences only"  # DataVec fails when it runs
    r"|op_map.*(must not be a key column|must be one of the columns)"
    r"|key_columns.*must be one of the columns"
    r"|(first|second)_col must be a column of type NDArray"  # DataVec fails when it runs
    "|must leave a column"
)
"""What Python refuses and DataVec reads."""


def in_java(java, text):
    """What DataVec makes of a document: its own document and the final schema's, or what it says."""
    try:
        process = java.TransformProcess.fromJson(text)
    except jpype.JException as error:
        return None, str(error)
    return str(process.toJson()), str(process.getFinalSchema().toJson())


def in_python(text):
    try:
        process = datavec.TransformProcess.from_json(text)
    except ConfigError as error:
        return None, str(error)
    return process.to_json(), process.final_schema.to_json()


def test_both_read_or_refuse_random_processes(java):
    refused = 0
    for seed in range(300):
        text = json.dumps(process_document(seed))
        theirs, ours = in_java(java, text), in_python(text)
        if ours[0] is None:
            refused += 1
            assert theirs[0] is None or STRICTER.search(ours[1]), (seed, ours, text)
        else:
            assert ours == theirs, (seed, text)
    assert 30 < refused < 270
