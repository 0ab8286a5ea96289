"""Schemas and processes as objects: names, columns, combined conditions, tables, hash order, floats."""

import json
import re

import pytest

import pydl4j
from pydl4j.datavec import (
    CategoricalMetaData,
    CategoricalToOneHotTransform,
    ConvertToSequence,
    DoubleMetaData,
    FloatMathOpTransform,
    FloatMetaData,
    IntegerColumnCondition,
    IntegerMetaData,
    LongWritable,
    MinMaxNormalizer,
    NullWritableColumnCondition,
    NumericalColumnComparator,
    RemoveColumnsTransform,
    Schema,
    SequenceMovingWindowReduceTransform,
    SequenceSchema,
    StringColumnCondition,
    StringMetaData,
    Text,
    TimeMetaData,
    TransformProcess,
)
from pydl4j.datavec import Writable as AnyWritable

SCHEMA = Schema(
    columns=[
        StringMetaData(name="id", max_length=9),
        TimeMetaData(name="t"),
        CategoricalMetaData(name="c", state_names=["x", "y"]),
        DoubleMetaData(name="v", min_allowed_value=0.0, allow_nan=True),
    ]
)
PROCESS = TransformProcess(
    initial_schema=SCHEMA,
    steps=[
        CategoricalToOneHotTransform(column_name="c"),
        ConvertToSequence(key_columns=["id"], comparator=NumericalColumnComparator(column_name="t")),
        RemoveColumnsTransform(columns_to_remove=["t"]),
    ],
)


def test_module_is_public():
    assert pydl4j.datavec.Schema is Schema


def test_columns_are_found_by_name():
    assert SCHEMA.column_names == ("id", "t", "c", "v")
    assert "v" in SCHEMA
    assert "w" not in SCHEMA
    assert SCHEMA["v"] is SCHEMA.columns[3]


def test_a_schema_is_a_container_of_columns():
    assert len(SCHEMA) == 4
    assert tuple(SCHEMA) == SCHEMA.columns
    assert SCHEMA.columns[3] in SCHEMA
    assert DoubleMetaData(name="v") not in SCHEMA


def test_a_notebook_shows_a_schema_as_a_table():
    html = SCHEMA._repr_html_()
    assert re.findall(r">([^<>\n]+)</(?:caption|th|td)", html)[:9] == [
        *("Schema", "idx", "name", "type", "valid values"),
        *("0", "id", "String", "max_length=9"),
    ]
    assert "<b>" not in Schema(columns=[StringMetaData(name="<b>")])._repr_html_()


def test_there_is_a_schema_before_each_step():
    assert [type(schema) for schema in PROCESS.schemas] == [Schema, Schema, SequenceSchema, SequenceSchema]
    assert PROCESS.schemas[0] == SCHEMA
    assert PROCESS.final_schema == PROCESS.schemas[-1]
    assert PROCESS.final_schema.column_names == ("id", "c[x]", "c[y]", "v")


def test_summary_of_a_schema():
    assert SCHEMA.summary() == (
        "idx  name  type         valid values\n"
        "---  ----  -----------  -------------------------------------\n"
        "0    id    String       max_length=9\n"
        "1    t     Time         time_zone='UTC'\n"
        "2    c     Categorical  state_names=('x', 'y')\n"
        "3    v     Double       min_allowed_value=0.0, allow_nan=True"
    )


def test_summary_of_a_process():
    shown = [re.split(r"  +", line.strip(), maxsplit=2) for line in PROCESS.summary().splitlines()[2:]]
    assert shown == [
        ["initial", "id: String, t: Time, c: Categorical, v: Double"],
        ["0", "CategoricalToOneHotTransform(column_name='c')", "+ c[x]: Integer, c[y]: Integer  - c"],
        ["1", f"{PROCESS.steps[1]!r:.77}...", "sequences"],
        ["2", "RemoveColumnsTransform(columns_to_remove=('t',))", "- t"],
        ["final", "sequences of id: String, c[x]: Integer, c[y]: Integer, v: Double"],
    ]


def test_conditions_combine():
    low = IntegerColumnCondition(column_name="n", op="less_than", value=0)
    none = NullWritableColumnCondition(column_name="n")
    combined = ~(low & none) | (low ^ none)
    assert combined.type == "or"
    assert [condition.type for condition in combined.conditions] == ["not", "xor"]
    assert combined.conditions[0].conditions[0].conditions == (low, none)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, {"value": True}),
        (1, {"value": 1}),
        (1 << 31, {"value": 1 << 31}),
        (1.0, {"value": 1.0}),
        ("a", {"bytes": "YQ==", "length": 1}),
        (b"a", {"content": "YQ=="}),
    ],
)
def test_values_of_python_stand_for_writables(value, written):
    tree = AnyWritable.convert(value).to_tree()
    kind = tree.pop("@class").rpartition(".")[2]
    assert tree == written
    assert (
        kind
        == {
            bool: "BooleanWritable",
            int: "IntWritable" if value == 1 else "LongWritable",
            float: "DoubleWritable",
            str: "Text",
            bytes: "BytesWritable",
        }[type(value)]
    )


def test_a_writable_stays_what_it_is():
    assert LongWritable(value=1).to_tree()["@class"] == "org.datavec.api.writable.LongWritable"
    assert Text(value="a", buffer_size=1) == Text(value="a")
    assert Text(value="a", buffer_size=2) != Text(value="a")


def test_sets_are_written_in_javas_order_and_sequences_in_theirs():
    def written(members):
        return StringColumnCondition(column_name="s", op="in_set", set=members).to_tree()["set"]

    assert written(["pear", "apple", "fig", "pear"]) == ["pear", "apple", "fig"]
    assert written({"pear", "apple", "fig"}) == ["apple", "pear", "fig"]


def test_floats_are_rounded_to_single_precision():
    step = FloatMathOpTransform(column_name="f", math_op="multiply", scalar=0.1)
    schema = Schema(columns=[FloatMetaData(name="f", min_allowed_value=0.1, max_allowed_value=3.4e38)])
    made = TransformProcess(initial_schema=schema, steps=[step.replace(scalar=10)]).final_schema["f"]
    assert repr(step) == "FloatMathOpTransform(column_name='f', math_op='multiply', scalar=0.1)"
    assert made == FloatMetaData(name="f", min_allowed_value=1, max_allowed_value=float("inf"))


def test_names_that_are_left_out_follow_the_options():
    mean = SequenceMovingWindowReduceTransform(column_name="v", lookback=3, op="count_unique")
    assert mean.to_tree()["newColumnName"] == "countunique(3,v)"
    assert mean == mean.replace(new_column_name="countunique(3,v)")
    assert mean.replace(op="mean").to_tree()["newColumnName"] == "mean(3,v)"


def test_values_that_are_absent_are_those_that_datavec_takes():
    text = '{"@class": "org.datavec.api.transform.sequence.comparator.NumericalColumnComparator", "columnName": "t"}'
    tree = {"actionList": [], "initialSchema": SCHEMA.to_tree()}
    tree["actionList"].append({"convertToSequence": {"comparator": json.loads(text), "keyColumns": ["id"]}})
    tree["actionList"].append(
        {"transform": {"@class": MinMaxNormalizer.java_name, "columnName": "v", "min": 0.0, "max": 1.0}}
    )
    read = TransformProcess.from_json(json.dumps(tree))
    assert read.steps[0].comparator.ascending is False
    assert read.steps[1].new_max == 0.0
    assert read.final_schema["v"] == DoubleMetaData(name="v", min_allowed_value=0.0, max_allowed_value=0.0)


def test_a_process_is_data():
    again = PROCESS.replace(steps=PROCESS.steps[:1])
    assert again.final_schema.column_names == ("id", "t", "c[x]", "c[y]", "v")
    assert again.final_schema["c[x]"] == IntegerMetaData(name="c[x]", min_allowed_value=0, max_allowed_value=1)
    assert hash(again) == hash(PROCESS.replace(steps=PROCESS.steps[:1]))
    with pytest.raises(AttributeError, match="frozen"):
        again.steps = ()
