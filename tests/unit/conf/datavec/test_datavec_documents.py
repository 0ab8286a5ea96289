"""What Python writes is byte for byte what DataVec's builders wrote for the same process (see DataVecVectors.java)."""

import pickle
import re

import pytest
from datavec_vectors import PROCESSES, SCHEMAS, sections

from pydl4j import datavec
from pydl4j.conf._kernel import Conf
from pydl4j.datavec import Schema, TransformProcess

SCHEMA_DOCUMENTS = sections("schemas.txt")
DOCUMENTS = sections("processes.txt")
NAMES = vars(datavec)


def test_every_document_is_built():
    assert {title.rpartition(" ")[0] for title in DOCUMENTS} == set(PROCESSES)
    assert {title.rpartition(" ")[0] for title in SCHEMA_DOCUMENTS} == set(SCHEMAS)


def test_every_class_is_in_a_document():
    """Of what DataVec has, and of what Python has."""
    written = set(re.findall(r'"@class" : "([^"]+)"', "".join(DOCUMENTS.values())))
    classes = {value for value in NAMES.values() if isinstance(value, type) and issubclass(value, Conf)}
    named = {cls.java_name for cls in classes if cls.java_name}
    refused = {cls.java_name for cls in classes if issubclass(cls, datavec_unreadable())}
    untyped = {"Reducer", "ConvertToSequence", "ConvertFromSequence", "DeriveColumnsFromTimeTransform$DerivedColumn"}
    assert written == {name for name in named - refused if name.rpartition(".")[2] not in untyped}


def datavec_unreadable():
    from pydl4j.conf.datavec.unreadable import Unreadable

    return Unreadable


@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_process_is_datavecs(name):
    process = PROCESSES[name]
    assert process.to_json() == DOCUMENTS[f"{name} process"]
    assert process.to_yaml() == process.to_json()
    assert process.final_schema.to_json() == DOCUMENTS[f"{name} final"]


@pytest.mark.parametrize("name", sorted(PROCESSES))
def test_process_is_read_back(name):
    text = DOCUMENTS[f"{name} process"]
    read = TransformProcess.from_json(text)
    assert read.to_json() == text
    assert repr(read) == repr(PROCESSES[name])
    assert TransformProcess.from_yaml(text).to_json() == text
    assert pickle.loads(pickle.dumps(read)).to_json() == text


@pytest.mark.parametrize("name", sorted(set(PROCESSES) - {"writables"}))  # nan is not equal to itself
def test_process_is_equal_to_what_is_read_and_to_its_repr(name):
    process = PROCESSES[name]
    assert process == TransformProcess.from_json(DOCUMENTS[f"{name} process"])
    assert hash(process) == hash(TransformProcess.from_json(process.to_json()))
    assert eval(repr(process), dict(NAMES), {"nan": float("nan"), "inf": float("inf")}) == process


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_schema_is_datavecs(name):
    schema, text = SCHEMAS[name], SCHEMA_DOCUMENTS[f"{name} json"]
    assert schema.to_json() == text
    assert Schema.from_json(text) == schema
    assert Schema.from_json(text).to_json() == text


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_yaml_of_a_schema_is_datavecs(name):
    schema, text = SCHEMAS[name], SCHEMA_DOCUMENTS[f"{name} yaml"]
    assert schema.to_yaml() == text
    assert Schema.from_yaml(text) == schema
