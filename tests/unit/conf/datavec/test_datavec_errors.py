"""Steps that do not fit are refused with their place, what was expected and what there is."""

import json
import re

import pytest
from datavec_vectors import PROCESSES, sections

from pydl4j import datavec
from pydl4j.conf._kernel import Conf
from pydl4j.conf.datavec.unreadable import Unreadable
from pydl4j.datavec import (
    AddConstantColumnTransform,
    BooleanCondition,
    CalculateSortedRank,
    CategoricalMetaData,
    CategoricalToOneHotTransform,
    ConditionalReplaceValueTransform,
    ConditionFilter,
    ConvertFromSequence,
    ConvertToSequence,
    ConvertToString,
    DerivedColumn,
    DoubleColumnCondition,
    DoubleColumnsMathOpTransform,
    DoubleMathOpTransform,
    DoubleMetaData,
    DuplicateColumnsTransform,
    FilterInvalidValues,
    FloatMetaData,
    IntegerColumnCondition,
    IntegerMathOpTransform,
    IntegerMetaData,
    IntegerToCategoricalTransform,
    IntegerToOneHotTransform,
    IntWritable,
    Log2Normalizer,
    NaNColumnCondition,
    NDArrayColumnsMathOpTransform,
    NDArrayMetaData,
    NumericalColumnComparator,
    OverlappingTimeWindowFunction,
    PivotTransform,
    Reducer,
    ReduceSequenceByWindowTransform,
    RemoveColumnsTransform,
    RenameColumnsTransform,
    ReorderColumnsTransform,
    Schema,
    SequenceLengthCondition,
    SequenceMovingWindowReduceTransform,
    SequenceOffsetTransform,
    SequenceSchema,
    SequenceTrimToLengthTransform,
    SequenceTrimTransform,
    StringColumnCondition,
    StringListToCategoricalSetTransform,
    StringMetaData,
    StringRegexColumnCondition,
    StringToCategoricalTransform,
    Text,
    TextToCharacterIndexTransform,
    TimeMathOpTransform,
    TimeMetaData,
    TransformProcess,
)
from pydl4j.errors import ConfigError, ConfigWarning, GuardError

SCHEMA = Schema(
    columns=[
        StringMetaData(name="id"),
        TimeMetaData(name="t"),
        CategoricalMetaData(name="c", state_names=["x", "y"]),
        DoubleMetaData(name="v"),
        IntegerMetaData(name="n", min_allowed_value=0),
        FloatMetaData(name="f"),
        NDArrayMetaData(name="a", shape=[3]),
        NDArrayMetaData(name="b", shape=[4]),
    ]
)
SEQUENCE = SequenceSchema(columns=SCHEMA.columns)
HERE = "must be one of the columns here, 'id', 't', 'c', 'v', 'n', 'f', 'a', 'b'"
TWICE = "must not give a second column the name of another"
LOW = IntegerColumnCondition(column_name="n", op="less_than", value=0)
NEW = AddConstantColumnTransform(new_column_name="v", new_column_type="double", fixed_value=1.0)
MEAN = Reducer(default_op="mean", key_columns=["id"])
HOURS = {"window_size_unit": "hours", "window_separation": 1, "window_separation_unit": "hours"}
WINDOW = OverlappingTimeWindowFunction(time_column="t", window_size=1, **HOURS)

IN_A_PROCESS = {
    "unknown column": (
        [ConvertToString(column_name="n"), RemoveColumnsTransform(columns_to_remove=["id", "vv"])],
        f"steps[1].columns_to_remove[1] {HERE} (did you mean 'v'?). Received: 'vv'",
    ),
    "no column left": (
        [RemoveColumnsTransform(columns_to_remove=SCHEMA.column_names)],
        "steps[0] (RemoveColumnsTransform) must leave a column. Received: ('id', 't', 'c', 'v', 'n', 'f', 'a', 'b')",
    ),
    "wrong type": (
        [ConvertToString(column_name="n"), IntegerMathOpTransform(column_name="n", math_op="add", scalar=1)],
        (
            "steps[1].column_name must be a column of type Integer, of which there are here: none. "
            "'n' is of type String. Received: 'n'"
        ),
    ),
    "wrong type, others fit": (
        [DoubleMathOpTransform(column_name="n", math_op="add", scalar=1)],
        (
            "steps[0].column_name must be a column of type Double, of which there are here: 'v'. "
            "'n' is of type Integer. Received: 'n'"
        ),
    ),
    "name of another column": ([NEW], f"steps[0].new_column_name {TWICE}. Received: 'v'"),
    "renamed to another": (
        [RenameColumnsTransform(old_names=["v"], new_names=["n"])],
        f"steps[0].new_names {TWICE}. Received: 'n'",
    ),
    "name that a step makes": (
        [NEW.replace(new_column_name="c[x]"), CategoricalToOneHotTransform(column_name="c")],
        f"steps[1] {TWICE}. Received: 'c[x]'",
    ),
    "inside of a condition": (
        [ConditionFilter(condition=LOW & StringRegexColumnCondition(column_name="idd", regex="a"))],
        f"steps[0].condition.conditions[1].column_name {HERE} (did you mean 'id'?). Received: 'idd'",
    ),
    "condition of a transform": (
        [ConditionalReplaceValueTransform(column_to_replace="n", new_value=0, condition=LOW.replace(column_name="m"))],
        f"steps[0].condition.column_name {HERE}. Received: 'm'",
    ),
    "key": ([MEAN.replace(key_columns=["key"])], f"steps[0].key_columns[0] {HERE}. Received: 'key'"),
    "reduced column": ([MEAN.replace(op_map={"w": "max"})], f"steps[0].op_map[\"w\"] {HERE}. Received: 'w'"),
    "reduced key": (
        [MEAN.replace(op_map={"id": "max"})],
        "steps[0].op_map[\"id\"] must not be a key column. Received: ('max',)",
    ),
    "reduced by nothing": ([MEAN.replace(op_map={"v": []})], 'steps[0].op_map["v"] must have an op. Received: ()'),
    "column without invalid values": (
        [MEAN.replace(ignore_invalid_in_columns=["w"])],
        f"steps[0].ignore_invalid_in_columns[0] {HERE}. Received: 'w'",
    ),
    "sequences needed": (
        [SequenceTrimTransform(num_steps_to_trim=1, trim_from_start=True)],
        (
            "steps[0] (SequenceTrimTransform) works on sequences only: put a ConvertToSequence before it. "
            "Received: 'single records'"
        ),
    ),
    "condition on sequences": (
        [ConditionFilter(condition=SequenceLengthCondition(op="less_than", length=2))],
        (
            "steps[0].condition (SequenceLengthCondition) works on sequences only: put a ConvertToSequence before it. "
            "Received: 'single records'"
        ),
    ),
    "no sequences to end": (
        [ConvertFromSequence()],
        (
            "steps[0] (ConvertFromSequence) works on sequences only: put a ConvertToSequence before it. "
            "Received: 'single records'"
        ),
    ),
    "order by floats": (
        [ConvertToSequence(key_columns=["id"], comparator=NumericalColumnComparator(column_name="f"))],
        (
            "steps[0].comparator.column_name must be a column of type Integer or Long or Double or Time, of which there are "
            "here: 't', 'v', 'n'. 'f' is of type Float. Received: 'f'"
        ),
    ),
    "shapes": (
        [NDArrayColumnsMathOpTransform(new_column_name="s", math_op="add", columns=["a", "b"])],
        "steps[0].columns[1] must have the shape of 'a', (3,); 'b' has. Received: (4,)",
    ),
    "bound of zero": (
        [IntegerMathOpTransform(column_name="n", math_op="reverse_divide", scalar=1)],
        "steps[0].math_op must not divide by a bound of the column, which is 0. Received: 'reverse_divide'",
    ),
}
ON_SEQUENCES = {
    "sequences twice": (
        [ConvertToSequence(single_step_sequences_mode=True)],
        "steps[0] (ConvertToSequence) must come after single records. Received: 'sequences'",
    ),
    "rank": (
        [CalculateSortedRank(new_column_name="r", sort_on_column="v", comparator="double")],
        "steps[0] (CalculateSortedRank) must come after single records. Received: 'sequences'",
    ),
    "window": (
        [ReduceSequenceByWindowTransform(reducer=MEAN, window_function=WINDOW.replace(time_column="n"))],
        (
            "steps[0].window_function.time_column must be a column of type Time, of which there are here: 't'. "
            "'n' is of type Integer. Received: 'n'"
        ),
    ),
    "reducer of a window": (
        [ReduceSequenceByWindowTransform(reducer=MEAN.replace(key_columns=["key"]), window_function=WINDOW)],
        f"steps[0].reducer.key_columns[0] {HERE}. Received: 'key'",
    ),
}


@pytest.mark.parametrize(
    ("schema", "steps", "message"),
    [
        *((SCHEMA, *case) for case in IN_A_PROCESS.values()),
        *((SEQUENCE, *case) for case in ON_SEQUENCES.values()),
    ],
    ids=[*IN_A_PROCESS, *ON_SEQUENCES],
)
def test_a_step_that_does_not_fit_is_refused(schema, steps, message):
    with pytest.raises(ConfigError) as caught:
        TransformProcess(initial_schema=schema, steps=steps)
    assert str(caught.value) == message
    assert caught.value.path == message.split(" ")[0]


def test_many_columns_are_not_all_listed():
    schema = Schema(columns=[DoubleMetaData(name=f"v{i}") for i in range(100)])
    with pytest.raises(ConfigError, match=r"'v68', 'v69' and 30 more\. Received: 'x'"):
        TransformProcess(initial_schema=schema, steps=[ConvertToString(column_name="x")])


AT_CONSTRUCTION = {
    "no column": (lambda: Schema(columns=[]), "Schema.columns must have a column. Received: ()"),
    "two of one name": (
        lambda: Schema(columns=[StringMetaData(name="a"), StringMetaData(name="b"), DoubleMetaData(name="a")]),
        "Schema.columns[2].name must be the name of no other column. Received: 'a'",
    ),
    "column that is not there": (lambda: SCHEMA["vv"], f"Schema['vv'] {HERE} (did you mean 'v'?). Received: 'vv'"),
    "no schema": (
        lambda: TransformProcess(initial_schema=[1]),
        "TransformProcess.initial_schema must be a Schema. Received: [1]",
    ),
    "a condition is no step": (
        lambda: TransformProcess(initial_schema=SCHEMA, steps=[LOW]),
        (
            "TransformProcess.steps must have steps only, and has a IntegerColumnCondition at index 0: put it in a "
            f"ConditionFilter. Received: [{LOW!r}]"
        ),
    ),
    "a step is no list": (
        lambda: TransformProcess(initial_schema=SCHEMA, steps=NEW),
        f"TransformProcess.steps must be a sequence of steps. Received: {NEW!r}",
    ),
    "bounds": (
        lambda: IntegerMetaData(name="n", min_allowed_value=2, max_allowed_value=1),
        "IntegerMetaData.max_allowed_value must be >= min_allowed_value, which is 2. Received: 1",
    ),
    "bits": (
        lambda: IntegerMetaData(name="n", min_allowed_value=1 << 31),
        "IntegerMetaData.min_allowed_value must be an int of 32 bits. Received: 2147483648",
    ),
    "bits of a constant": (
        lambda: IntWritable(value=1 << 40),
        "IntWritable.value must be an int of 32 bits. Received: 1099511627776",
    ),
    "division": (
        lambda: IntegerMathOpTransform(column_name="n", math_op="divide", scalar=0),
        "IntegerMathOpTransform.scalar must not be 0 with math_op='divide'. Received: 0",
    ),
    "no value": (
        lambda: DoubleColumnCondition(column_name="v", op="less_than"),
        "DoubleColumnCondition.value must be given with op='less_than'. Received: None",
    ),
    "no set": (
        lambda: DoubleColumnCondition(column_name="v", op="in_set", value=1),
        "DoubleColumnCondition.set must be given with op='in_set'. Received: None",
    ),
    "value and set": (
        lambda: DoubleColumnCondition(column_name="v", op="less_than", value=1, set=[1]),
        "DoubleColumnCondition.set must not be given with op='less_than'. Received: (1.0,)",
    ),
    "order of texts": (
        lambda: StringColumnCondition(column_name="s", op="less_than", value="1"),
        (
            "StringColumnCondition.op must be 'equal', 'not_equal', 'in_set' or 'not_in_set' for texts. "
            "Received: 'less_than'"
        ),
    ),
    "member of a set": (
        lambda: IntegerColumnCondition(column_name="n", op="in_set", set=[1, "a"]),
        "IntegerColumnCondition.set must be an int at index 1. Received: [1, 'a']",
    ),
    "text as a set": (
        lambda: StringColumnCondition(column_name="n", op="in_set", set="ab"),
        "StringColumnCondition.set must be a set or a sequence. Received: 'ab'",
    ),
    "negations of two": (
        lambda: BooleanCondition(type="not", conditions=[LOW, LOW]),
        f"BooleanCondition.conditions must have 1 condition with type='not'. Received: ({LOW!r}, {LOW!r})",
    ),
    "either of one": (
        lambda: BooleanCondition(type="xor", conditions=[LOW]),
        f"BooleanCondition.conditions must have 2 conditions with type='xor'. Received: ({LOW!r},)",
    ),
    "no conditions": (
        lambda: BooleanCondition(type="or", conditions=[]),
        "BooleanCondition.conditions must have a condition. Received: ()",
    ),
    "new names": (
        lambda: RenameColumnsTransform(old_names=["a"], new_names=[]),
        "RenameColumnsTransform.new_names must have a name for each of old_names. Received: ()",
    ),
    "order": (
        lambda: ReorderColumnsTransform(new_order=["a", "a"]),
        "ReorderColumnsTransform.new_order must have each column once. Received: ('a', 'a')",
    ),
    "constant bytes": (
        lambda: NEW.replace(new_column_type="bytes"),
        (
            "AddConstantColumnTransform.new_column_type must be one of 'string', 'integer', 'long', 'double', 'float', "
            "'time', 'boolean' for a constant. Received: 'bytes'"
        ),
    ),
    "no constant": (
        lambda: NEW.replace(fixed_value=None),
        (
            "AddConstantColumnTransform.fixed_value must be a Writable, or a bool, int, float, string or bytes. "
            "Received: None"
        ),
    ),
    "op between columns": (
        lambda: DoubleColumnsMathOpTransform(new_column_name="a", math_op="scalar_min", columns=["a", "b"]),
        (
            "DoubleColumnsMathOpTransform.math_op must be 'add', 'subtract', 'multiply', 'divide' or 'modulus' between "
            "columns. Received: 'scalar_min'"
        ),
    ),
    "too many columns": (
        lambda: DoubleColumnsMathOpTransform(new_column_name="a", math_op="divide", columns=["a", "b", "c"]),
        "DoubleColumnsMathOpTransform.columns must be 2 with math_op='divide'. Received: ('a', 'b', 'c')",
    ),
    "too few columns": (
        lambda: DoubleColumnsMathOpTransform(new_column_name="a", math_op="add", columns=["a"]),
        "DoubleColumnsMathOpTransform.columns must be 2 or more with math_op='add'. Received: ('a',)",
    ),
    "one-hot range": (
        lambda: IntegerToOneHotTransform(column_name="n", min_value=3, max_value=1),
        "IntegerToOneHotTransform.max_value must be >= min_value, which is 3. Received: 1",
    ),
    "mean": (
        lambda: Log2Normalizer(column_name="n", column_mean=float("inf"), column_min=0, scaling_factor=1),
        "Log2Normalizer.column_mean must be finite. Received: inf",
    ),
    "no states": (
        lambda: StringToCategoricalTransform(column_name="s", state_names=[]),
        "StringToCategoricalTransform.state_names must have a name. Received: ()",
    ),
    "categories by text": (
        lambda: IntegerToCategoricalTransform(column_name="n", map={"a": "b"}),
        "IntegerToCategoricalTransform.map must have keys of which each must be an int: not 'a'. Received: {'a': 'b'}",
    ),
    "tokens": (
        lambda: StringListToCategoricalSetTransform(
            column_name="s", new_column_names=["a"], category_tokens=[], delimiter=","
        ),
        (
            "StringListToCategoricalSetTransform.new_column_names must have a name for each of category_tokens. "
            "Received: ('a',)"
        ),
    ),
    "op on times": (
        lambda: TimeMathOpTransform(column_name="t", math_op="multiply", time_quantity=1, time_unit="hours"),
        (
            "TimeMathOpTransform.math_op must be 'add', 'subtract', 'scalar_min' or 'scalar_max' for times. "
            "Received: 'multiply'"
        ),
    ),
    "unit of times": (
        lambda: TimeMathOpTransform(column_name="t", math_op="scalar_max", time_quantity=1, time_unit="hours"),
        "TimeMathOpTransform.time_unit must be 'milliseconds' with math_op='scalar_max'. Received: 'hours'",
    ),
    "no format": (
        lambda: DerivedColumn(column_name="d", column_type="string", field_type="era"),
        "DerivedColumn.format must be given with column_type='string'. Received: None",
    ),
    "format of a field": (
        lambda: DerivedColumn(column_name="d", column_type="integer", field_type="era", format="G"),
        "DerivedColumn.format must not be given with column_type='integer'. Received: 'G'",
    ),
    "characters": (
        lambda: TextToCharacterIndexTransform(
            column_name="s", new_column_name="i", character_index_map={"ab": 0}, exception_on_unknown=True
        ),
        "TextToCharacterIndexTransform.character_index_map must have keys of one character. Received: 'ab'",
    ),
    "edge value": (
        lambda: SequenceOffsetTransform(columns_to_offset=["v"], offset_amount=1, edge_case_value=1),
        "SequenceOffsetTransform.edge_case_value is used only with 'specified_value'. Received: IntWritable(value=1)",
    ),
    "no edge value": (
        lambda: SequenceMovingWindowReduceTransform(
            column_name="v", lookback=3, op="max", edge_case_handling="specified_value"
        ),
        "SequenceMovingWindowReduceTransform.edge_case_value must be given with 'specified_value'. Received: None",
    ),
    "op on a window": (
        lambda: SequenceMovingWindowReduceTransform(column_name="v", lookback=3, op="append"),
        (
            "SequenceMovingWindowReduceTransform.op must be one of 'min', 'max', 'range', 'take_first', 'take_last', 'prod', "
            "'sum', 'mean', 'stdev', 'count', 'count_unique' for windows. Received: 'append'"
        ),
    ),
    "no padding": (
        lambda: SequenceTrimToLengthTransform(max_length=1, mode="trim_or_pad"),
        "SequenceTrimToLengthTransform.pad must be given with mode='trim_or_pad'. Received: None",
    ),
    "no comparator": (
        lambda: ConvertToSequence(key_columns=["id"]),
        "ConvertToSequence.comparator must be given, unless single_step_sequences_mode=True. Received: None",
    ),
    "keys of single steps": (
        lambda: ConvertToSequence(key_columns=["id"], single_step_sequences_mode=True),
        "ConvertToSequence.key_columns must not be given with single_step_sequences_mode=True. Received: ('id',)",
    ),
    "window size": (
        lambda: WINDOW.replace(window_size=0),
        "OverlappingTimeWindowFunction.window_size must be >= 1. Received: 0",
    ),
    "no columns to check": (
        lambda: FilterInvalidValues(columns_to_filter_if_invalid=[]),
        "FilterInvalidValues.columns_to_filter_if_invalid must have a column, or be None for all. Received: ()",
    ),
    "ops": (
        lambda: MEAN.replace(op_map={"v": 1}),
        "Reducer.op_map must be a sequence at key 'v'. Received: {'v': 1}",
    ),
    "buffer": (
        lambda: Text(value="a", buffer_size=0),
        "Text.buffer_size must be >= 1, the bytes of the text. Received: 0",
    ),
}


@pytest.mark.parametrize(("make", "message"), AT_CONSTRUCTION.values(), ids=AT_CONSTRUCTION)
def test_a_wrong_option_is_refused(make, message):
    with pytest.raises(ConfigError) as caught:
        make()
    assert str(caught.value) == message
    assert caught.value.path == message.split(" ")[0]


GUARDED = {
    "InvalidNumColumns": "steps[0]: InvalidNumColumns cannot be used",
    "PivotTransform": "steps[0]: PivotTransform cannot be used",
    "SequenceDifferenceTransform": "steps[0]: SequenceDifferenceTransform cannot be used",
    "NaNColumnCondition": "steps[0].condition: NaNColumnCondition cannot be used",
    "InfiniteColumnCondition": "steps[0].condition: InfiniteColumnCondition cannot be used",
    "InvalidValueColumnCondition": "steps[0].condition: InvalidValueColumnCondition cannot be used",
    "TimeWindowFunction": "steps[0].window_function: TimeWindowFunction cannot be used",
    "customReduction": "steps[0].customReductions cannot be read back by DataVec: reduce with op_map",
    "conditionalReduction": "steps[0].conditionalReductions cannot be read back by DataVec: copy the column",
    "windowOffset": "steps[0].window_function.offset_amount must be 0, as DataVec forgets it",
    "monthOfYear": "steps[0].derived_columns[0].field_type must be another field, as DataVec forgets this one",
    "inPlaceOffset": "steps[0].operation_type must be 'new_column'",
    "duplicateOrder": "steps[0].columns_to_duplicate must be in the order of the schema: ('v', 'n')",
}


def test_what_datavec_loses_is_known():
    assert set(sections("refused.txt")) == set(GUARDED)


@pytest.mark.parametrize("name", GUARDED)
def test_what_datavec_loses_is_refused(name):
    with pytest.raises(GuardError, match=f"^{re.escape(GUARDED[name])}"):
        TransformProcess.from_json(sections("refused.txt")[name])


def test_what_datavec_loses_is_refused_in_python():
    with pytest.raises(GuardError, match=r"^steps\[0\]\.columns_to_duplicate must be in the order of the schema"):
        TransformProcess(
            initial_schema=SCHEMA,
            steps=[DuplicateColumnsTransform(columns_to_duplicate=["n", "v"], new_column_names=["n2", "v2"])],
        )
    with pytest.raises(GuardError, match="use format='MM'"):
        DerivedColumn(column_name="m", column_type="integer", field_type="month_of_year")
    with pytest.raises(GuardError, match="offset_amount must be 0"):
        WINDOW.replace(offset_amount=5, offset_unit="minutes")
    with pytest.raises(GuardError, match="RemoveColumnsTransform removes the old"):
        SequenceOffsetTransform(columns_to_offset=["v"], offset_amount=1, operation_type="in_place")
    with pytest.raises(GuardError, match=r"^PivotTransform cannot be used: DataVec cannot read its JSON\. Use Cat"):
        PivotTransform(key_column="c", value_column="v")
    with pytest.raises(GuardError, match=r"^NaNColumnCondition cannot be used.*regex='NaN'"):
        NaNColumnCondition("v")


@pytest.mark.parametrize(
    "cls", [cls for cls in vars(datavec).values() if isinstance(cls, type) and issubclass(cls, Unreadable)]
)
def test_what_cannot_be_read_says_what_to_use(cls):
    assert cls.__doc__.startswith("Refused: ")
    with pytest.raises(GuardError, match=f"^{cls.__name__} cannot be used: DataVec cannot read its JSON. [A-Z]"):
        cls()


def document(**changes):
    return json.loads(PROCESSES["golden"].to_json()) | changes


DOCUMENTS = {
    "not a process": (
        {"layers": []},
        'expected DataVec\'s document of a TransformProcess, with an "actionList" and an "initialSchema"',
    ),
    "unknown key": (document(actions=[]), "TransformProcess: TransformProcess has no JSON key 'actions'"),
    "no list": (document(actionList={}), "steps must be a JSON array. Received: {}"),
    "unknown step": (document(actionList=[{"shuffle": {}}]), "steps[0] must be a JSON object with one of the keys"),
    "two steps in one": (
        document(actionList=[{"filter": {}, "transform": {}}]),
        "steps[0] must be a JSON object with one of the keys transform, filter, convertToSequence",
    ),
    "a step of another kind": (
        document(actionList=[{"filter": {"@class": "org.datavec.api.transform.rank.CalculateSortedRank"}}]),
        "steps[0] must be a Filter. Received: org.datavec.api.transform.rank.CalculateSortedRank",
    ),
    "reducer without a wrapper": (
        document(actionList=[{"reducer": {"defaultOp": "Mean"}}]),
        'steps[0] must be a reducer, under the JSON key "Reducer". Received: ',
    ),
    "unknown class": (
        document(actionList=[{"transform": {"@class": "java.lang.Runtime"}}]),
        "steps[0]: pydl4j does not support the Java class 'java.lang.Runtime'",
    ),
    "column that is not there": (
        document(actionList=[{"calculateSortedRank": {"newColumnName": "r", "sortOnColumn": "x", "comparator": {}}}]),
        "steps[0].comparator: expected a",
    ),
    "text that is none": (
        document(initialSchema={"@class": "org.datavec.api.transform.schema.Schema", "columns": [{"name": "x"}]}),
        "initial_schema.columns[0]: expected a",
    ),
}


@pytest.mark.parametrize(("tree", "message"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_a_document_that_is_none_of_datavecs_is_refused(tree, message):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}"):
        TransformProcess.from_json(json.dumps(tree))


def test_unknown_keys_are_left_out_where_the_reader_is_lenient():
    tree = document()
    tree["actionList"][0]["transform"]["comment"] = "x"
    with pytest.raises(ConfigError, match="has no JSON key 'comment'"):
        TransformProcess.from_json(json.dumps(tree))
    with pytest.warns(ConfigWarning, match="has no JSON key 'comment'"):
        read = TransformProcess.from_json(json.dumps(tree), lenient=True)
    assert read == PROCESSES["golden"]


def negated(times):
    """A process with a condition that is negated so many times."""
    condition = (
        '{"@class": "org.datavec.api.transform.condition.column.NullWritableColumnCondition", "columnName": "id"}'
    )
    head = f'{{"@class": "{BooleanCondition.java_name}", "type": "NOT", "conditions": ['
    condition = head * times + condition + "]}" * times
    text = json.dumps(document(actionList=[{"filter": {"@class": ConditionFilter.java_name, "condition": 0}}]))
    return text.replace('"condition": 0', f'"condition": {condition}')


def test_conditions_in_conditions_are_read_to_a_depth():
    assert TransformProcess.from_json(negated(40)).to_json().count("NOT") == 40
    with pytest.raises(ConfigError, match="at most 100 objects and arrays inside one another"):
        TransformProcess.from_json(negated(5000))


def test_every_class_has_a_docstring():
    classes = [value for value in vars(datavec).values() if isinstance(value, type) and issubclass(value, Conf)]
    assert [cls.__name__ for cls in classes if not (cls.__dict__.get("__doc__") or "").strip()] == []
