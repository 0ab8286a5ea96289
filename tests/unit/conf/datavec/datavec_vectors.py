"""The schemas and processes of `DataVecVectors.java`, built in Python; each has the document of its name."""

import re
from pathlib import Path
from typing import get_args

from pydl4j.conf._numbers import Float32
from pydl4j.conf.datavec import _values, conditions
from pydl4j.conf.datavec.transforms.times import FieldType
from pydl4j.datavec import (
    AddConstantColumnTransform,
    AppendStringColumnTransform,
    BinaryMetaData,
    BooleanCondition,
    BooleanMetaData,
    ByteWritable,
    CalculateSortedRank,
    CategoricalColumnCondition,
    CategoricalMetaData,
    CategoricalToIntegerTransform,
    CategoricalToOneHotTransform,
    ChangeCaseStringTransform,
    ConcatenateStringColumns,
    ConditionalCopyValueTransform,
    ConditionalReplaceValueTransform,
    ConditionalReplaceValueTransformWithDefault,
    ConditionFilter,
    ConvertFromSequence,
    ConvertToDouble,
    ConvertToFloat,
    ConvertToInteger,
    ConvertToSequence,
    ConvertToString,
    DeriveColumnsFromTimeTransform,
    DerivedColumn,
    DoubleColumnCondition,
    DoubleColumnsMathOpTransform,
    DoubleMathFunctionTransform,
    DoubleMathOpTransform,
    DoubleMetaData,
    DuplicateColumnsTransform,
    FilterInvalidValues,
    FirstDigitTransform,
    FloatColumnCondition,
    FloatColumnsMathOpTransform,
    FloatMathFunctionTransform,
    FloatMathOpTransform,
    FloatMetaData,
    FloatWritable,
    FloatWritableComparator,
    IntegerColumnCondition,
    IntegerColumnsMathOpTransform,
    IntegerMathOpTransform,
    IntegerMetaData,
    IntegerToCategoricalTransform,
    IntegerToOneHotTransform,
    Log2Normalizer,
    LongColumnCondition,
    LongColumnsMathOpTransform,
    LongMathOpTransform,
    LongMetaData,
    LongWritable,
    MapAllStringsExceptListTransform,
    MinMaxNormalizer,
    NDArrayColumnsMathOpTransform,
    NDArrayDistanceTransform,
    NDArrayMathFunctionTransform,
    NDArrayMetaData,
    NDArrayScalarOpTransform,
    NullWritable,
    NullWritableColumnCondition,
    NumericalColumnComparator,
    OverlappingTimeWindowFunction,
    ParseDoubleTransform,
    Reducer,
    ReduceSequenceByWindowTransform,
    ReduceSequenceTransform,
    RemoveAllColumnsExceptForTransform,
    RemoveColumnsTransform,
    RemoveWhiteSpaceTransform,
    RenameColumnsTransform,
    ReorderColumnsTransform,
    ReplaceEmptyIntegerWithValueTransform,
    ReplaceEmptyStringTransform,
    ReplaceInvalidWithIntegerTransform,
    ReplaceStringTransform,
    Schema,
    SequenceLengthCondition,
    SequenceMovingWindowReduceTransform,
    SequenceOffsetTransform,
    SequenceSchema,
    SequenceSplitTimeSeparation,
    SequenceTrimToLengthTransform,
    SequenceTrimTransform,
    SplitMaxLengthSequence,
    StandardizeNormalizer,
    StringColumnCondition,
    StringComparator,
    StringListToCategoricalSetTransform,
    StringListToCountsNDArrayTransform,
    StringListToIndicesNDArrayTransform,
    StringMapTransform,
    StringMetaData,
    StringRegexColumnCondition,
    StringToCategoricalTransform,
    StringToTimeTransform,
    SubtractMeanNormalizer,
    Text,
    TextToCharacterIndexTransform,
    TextToTermIndexSequenceTransform,
    TimeColumnCondition,
    TimeMathOpTransform,
    TimeMetaData,
    TransformProcess,
    TrivialColumnCondition,
)

GOLDEN = Path(__file__).parents[3] / "golden" / "datavec"


def sections(name):
    """The documents of a file, by their titles."""
    text = (GOLDEN / name).read_text()
    return {
        title: body[:-1]
        for title, body in re.findall(r"^=== ([^\n]*)\n(.*?)(?=^=== |\Z)", text, re.MULTILINE | re.DOTALL)
    }


PROCESSES = {}
SCHEMAS = {}

ALL = [
    StringMetaData(name="s"),
    StringMetaData(name='s full "quoted" \u00e9', regex="[a-z]+\\.", min_length=1, max_length=9),
    IntegerMetaData(name="n"),
    IntegerMetaData(name="n full", min_allowed_value=-(2**31), max_allowed_value=2**31 - 1),
    LongMetaData(name="l"),
    LongMetaData(name="l full", min_allowed_value=-(2**63), max_allowed_value=2**63 - 1),
    DoubleMetaData(name="v"),
    DoubleMetaData(name="v full", min_allowed_value=-1e-5, max_allowed_value=1e10, allow_nan=True, allow_infinite=True),
    FloatMetaData(name="f"),
    FloatMetaData(name="f full", min_allowed_value=0.1, max_allowed_value=3e9, allow_nan=True, allow_infinite=True),
    CategoricalMetaData(name="c", state_names=["x", "y"]),
    TimeMetaData(name="t"),
    TimeMetaData(name="t full", time_zone="Europe/Paris", min_valid_time=0, max_valid_time=1500000000000),
    BooleanMetaData(name="b"),
    BinaryMetaData(name="bytes"),
    NDArrayMetaData(name="arr", shape=[1, 3]),
    NDArrayMetaData(name="arr var", shape=[-1, 3]),
]
GOLDEN_SCHEMA = Schema(
    columns=[
        StringMetaData(name="id"),
        TimeMetaData(name="t"),
        CategoricalMetaData(name="c", state_names=["x", "y"]),
        DoubleMetaData(name="v", min_allowed_value=0.0),
        IntegerMetaData(name="n"),
        LongMetaData(name="l"),
        NDArrayMetaData(name="arr", shape=[1, 3]),
    ]
)
NUMBERS = Schema(
    columns=[
        DoubleMetaData(name="v", min_allowed_value=0.0),
        IntegerMetaData(name="n", min_allowed_value=-3, max_allowed_value=7),
        LongMetaData(name="l", min_allowed_value=-3, max_allowed_value=7),
        FloatMetaData(name="f", min_allowed_value=-0.1, max_allowed_value=1.5),
    ]
)
EDGES = Schema(
    columns=[
        IntegerMetaData(name="n", min_allowed_value=-(2**31), max_allowed_value=2**31 - 1),
        LongMetaData(name="l", min_allowed_value=-(2**63), max_allowed_value=2**63 - 1),
        DoubleMetaData(name="v", min_allowed_value=-1e308, max_allowed_value=0.0),
        FloatMetaData(name="f", min_allowed_value=-1e38, max_allowed_value=0.0),
    ]
)
COLUMNS = Schema(
    columns=[
        StringMetaData(name="id"),
        StringMetaData(name="s"),
        TimeMetaData(name="t"),
        CategoricalMetaData(name="c", state_names=["x", "y"]),
        *NUMBERS.columns,
        BooleanMetaData(name="b"),
        NDArrayMetaData(name="arr", shape=[1, 3]),
        NDArrayMetaData(name="arr2", shape=[1, 3]),
    ]
)
SEQUENCE = SequenceSchema(columns=COLUMNS.columns, min_sequence_length=2)
PARIS = Schema(columns=[TimeMetaData(name="t", time_zone="Europe/Paris", min_valid_time=0), StringMetaData(name="s")])


def add(name, *steps, schema=COLUMNS):
    assert name not in PROCESSES
    PROCESSES[name] = TransformProcess(initial_schema=schema, steps=steps)


def words(annotation):
    """The choices of an option."""
    return get_args(
        getattr(annotation, "__origin__", annotation) if hasattr(annotation, "__metadata__") else annotation
    )


def add_schemas():
    SCHEMAS["all"] = Schema(columns=ALL)
    SCHEMAS["sequence"] = SequenceSchema(columns=ALL[:2])
    SCHEMAS["sequence_full"] = SequenceSchema(columns=ALL[:2], min_sequence_length=1, max_sequence_length=20)
    SCHEMAS["golden"] = GOLDEN_SCHEMA
    odd = ["", "yes", "12", "a: b", "- c", "#d", "\t", "null"]
    SCHEMAS["odd_names"] = Schema(columns=[StringMetaData(name=name) for name in odd])
    add("schema_all", ConvertToString(column_name="v"), schema=Schema(columns=ALL))
    add(
        "schema_sequence_full",
        SequenceTrimTransform(num_steps_to_trim=1, trim_from_start=False),
        schema=SequenceSchema(columns=ALL, min_sequence_length=1, max_sequence_length=20),
    )


def add_columns():
    add("remove", RemoveColumnsTransform(columns_to_remove=["arr", "id"]))
    add("keep", RemoveAllColumnsExceptForTransform(columns_to_keep=["v", "id"]))
    add(
        "rename",
        RenameColumnsTransform(old_names=["v", "id"], new_names=["value", "key"]),
        RenameColumnsTransform(old_names=["value"], new_names=["v"]),
    )
    add("reorder", ReorderColumnsTransform(new_order=["v", "id"]))
    add(
        "duplicate",
        DuplicateColumnsTransform(columns_to_duplicate=["v", "n"], new_column_names=["v2", "n2"]),
        DuplicateColumnsTransform(columns_to_duplicate=["id"], new_column_names=["id2"]),
    )
    constants = {
        "cd": ("double", 0.1),
        "ci": ("integer", -1),
        "cl": ("long", 1 << 40),
        "cf": ("float", FloatWritable(value=0.1)),
        "cs": ("string", "text"),
        "ct": ("time", LongWritable(value=0)),
        "cb": ("boolean", True),
    }
    steps = [
        AddConstantColumnTransform(new_column_name=name, new_column_type=kind, fixed_value=value)
        for name, (kind, value) in constants.items()
    ]
    add("constants", *steps)


def add_numbers():
    for java, op in zip(get_args(_values.MathOp)[1].names, words(_values.MathOp), strict=True):
        if op != "reverse_divide":
            add(f"integer_{java}", IntegerMathOpTransform(column_name="n", math_op=op, scalar=2), schema=NUMBERS)
            add(f"long_{java}", LongMathOpTransform(column_name="l", math_op=java, scalar=-3), schema=NUMBERS)
            add(f"float_{java}", FloatMathOpTransform(column_name="f", math_op=op, scalar=-0.3), schema=NUMBERS)
        add(f"double_{java}", DoubleMathOpTransform(column_name="v", math_op=op, scalar=-0.3), schema=NUMBERS)
    add(
        "overflow",
        IntegerMathOpTransform(column_name="n", math_op="add", scalar=1),
        LongMathOpTransform(column_name="l", math_op="multiply", scalar=3),
        DoubleMathOpTransform(column_name="v", math_op="multiply", scalar=1e10),
        FloatMathOpTransform(column_name="f", math_op="multiply", scalar=1e10),
        schema=EDGES,
    )
    add(
        "reverse_divide",
        IntegerMathOpTransform(column_name="n", math_op="reverse_divide", scalar=7),
        IntegerMathOpTransform(column_name="n", math_op="divide", scalar=1),
        LongMathOpTransform(column_name="l", math_op="reverse_divide", scalar=7),
        DoubleMathOpTransform(column_name="v", math_op="reverse_divide", scalar=1),
        FloatMathOpTransform(column_name="f", math_op="reverse_divide", scalar=-1),
        schema=EDGES,
    )
    add(
        "minus_one",
        IntegerMathOpTransform(column_name="n", math_op="divide", scalar=-1),
        LongMathOpTransform(column_name="l", math_op="divide", scalar=-1),
        schema=EDGES,
    )
    add(
        "modulus",
        IntegerMathOpTransform(column_name="n", math_op="modulus", scalar=-7),
        LongMathOpTransform(column_name="l", math_op="modulus", scalar=7),
        DoubleMathOpTransform(column_name="v", math_op="modulus", scalar=7),
        FloatMathOpTransform(column_name="f", math_op="modulus", scalar=7),
        schema=EDGES,
    )
    add(
        "by_zero",
        DoubleMathOpTransform(column_name="v", math_op="divide", scalar=0),
        FloatMathOpTransform(column_name="f", math_op="modulus", scalar=0),
        schema=EDGES,
    )
    add(
        "columns_math",
        IntegerColumnsMathOpTransform(new_column_name="n+n", math_op="add", columns=["n", "n", "n"]),
        LongColumnsMathOpTransform(new_column_name="l-l", math_op="subtract", columns=["l", "l"]),
        FloatColumnsMathOpTransform(new_column_name="f*f", math_op="multiply", columns=["f", "f"]),
        DoubleColumnsMathOpTransform(new_column_name="v/v", math_op="divide", columns=["v", "v"]),
        DoubleColumnsMathOpTransform(new_column_name="v%v", math_op="modulus", columns=["v", "v"]),
    )
    functions = [
        kind(column_name=name, math_function=function)
        for function in words(_values.MathFunction)
        for kind, name in ((DoubleMathFunctionTransform, "v"), (FloatMathFunctionTransform, "f"))
    ]
    add("functions", *functions, schema=NUMBERS)
    add(
        "function_elsewhere",
        DoubleMathFunctionTransform(column_name="n", math_function="abs"),
        FloatMathFunctionTransform(column_name="s", math_function="ABS"),
    )
    add(
        "conversions",
        ConvertToString(column_name="n"),
        ConvertToDouble(column_name="s"),
        ConvertToInteger(column_name="v"),
        ConvertToFloat(column_name="l"),
    )
    add("integer_to_one_hot", IntegerToOneHotTransform(column_name="n", min_value=-1, max_value=2))
    add(
        "replace_integers",
        ReplaceEmptyIntegerWithValueTransform(column_name="n", value=3),
        ReplaceInvalidWithIntegerTransform(column_name="n", value=-3),
    )
    add(
        "normalizers",
        Log2Normalizer(column_name="v", column_mean=1.5, column_min=0.5, scaling_factor=0.1),
        MinMaxNormalizer(column_name="v", min=-1, max=3),
        MinMaxNormalizer(column_name="n", min=-1, max=3, new_min=0.5, new_max=0.75),
        StandardizeNormalizer(column_name="v", mean=0.1, stdev=2),
        StandardizeNormalizer(column_name="l", mean=0.1, stdev=2),
        SubtractMeanNormalizer(column_name="v", mean=1e-7),
        SubtractMeanNormalizer(column_name="f", mean=1e7),
    )
    add("parse_doubles", ParseDoubleTransform())


def add_categories():
    add("to_integer", CategoricalToIntegerTransform(column_name="c"))
    add("to_one_hot", CategoricalToOneHotTransform(column_name="c"))
    add(
        "from_integer",
        IntegerToCategoricalTransform(column_name="n", map=["zero", "one"]),
        IntegerToCategoricalTransform(column_name="l", map={3: "three", 1: "one"}),
    )
    add("from_string", StringToCategoricalTransform(column_name="s", state_names=["p", "q"]))
    add(
        "first_digit",
        FirstDigitTransform(input_column="v", output_column="first"),
        FirstDigitTransform(input_column="n", output_column="n", mode="exception_on_invalid"),
    )


def add_writables():
    constants = [
        -1,
        1 << 40,
        1e-5,
        float("nan"),
        FloatWritable(value=0.1),
        False,
        ByteWritable(value=-3),
        NullWritable(),
        b"\x01\x02\xfd",
        "",
        "text",
        "longer than ten",
        "\u00e9",
        "\u00e9\u00e8\u20ac and \U0001f600",
        Text(value="exactly fits", buffer_size=12),
    ]
    condition = NullWritableColumnCondition(column_name="s")
    steps = [
        ConditionalReplaceValueTransform(column_to_replace="s", new_value=value, condition=condition)
        for value in constants
    ]
    add("writables", *steps)


def add_conditions():
    def filters(*conditions):
        return [ConditionFilter(condition=condition) for condition in conditions]

    comparisons = words(conditions.ConditionOp)
    values = []
    for op in comparisons[:6]:
        values += filters(
            DoubleColumnCondition(column_name="v", op=op, value=0.1),
            FloatColumnCondition(column_name="f", op=op, value=0.1),
            IntegerColumnCondition(column_name="n", op=op, value=-1),
            LongColumnCondition(column_name="l", op=op, value=1 << 40),
            TimeColumnCondition(column_name="t", op=op, value=1500000000000),
        )
    add("condition_values", *values)
    texts = []
    for op in ("equal", "not_equal"):
        texts += filters(
            StringColumnCondition(column_name="s", op=op, value="p"),
            CategoricalColumnCondition(column_name="c", op=op, value="x"),
        )
    add("condition_texts", *texts)
    sets = []
    for op in ("in_set", "not_in_set"):
        sets += filters(
            DoubleColumnCondition(column_name="v", op=op, set=[0.1, 2.0, -3e10]),
            FloatColumnCondition(column_name="f", op=op, set=[0.1, 2.0, -3e10]),
            IntegerColumnCondition(column_name="n", op=op, set=[100, -1, 3]),
            LongColumnCondition(column_name="l", op=op, set=[1 << 40, -1, 3]),
            TimeColumnCondition(column_name="t", op=op, set=[1500000000000, 0]),
            StringColumnCondition(column_name="s", op=op, set=["pear", "apple", "fig", "orange"]),
            CategoricalColumnCondition(column_name="c", op=op, set=["y", "x"]),
        )
    add("condition_sets", *sets)
    floats = [Float32(i * Float32(0.37)) - 3 for i in range(40)]
    longs = [i * 7919**3 - 9 for i in range(40)]
    hashed = filters(
        IntegerColumnCondition(column_name="n", op="in_set", set={i * i * 7919 - 3000 for i in range(40)}),
        StringColumnCondition(column_name="s", op="in_set", set={f"word {i * i}" for i in range(40)}),
        DoubleColumnCondition(column_name="v", op="in_set", set={i * 0.37 - 3 for i in range(40)}),
        LongColumnCondition(column_name="l", op="in_set", set={(n + 2**63) % 2**64 - 2**63 for n in longs}),
        FloatColumnCondition(column_name="f", op="in_set", set=set(floats)),
    )
    add("condition_hash_sets", *hashed)
    others = filters(
        NullWritableColumnCondition(column_name="s"),
        StringRegexColumnCondition(column_name="s", regex="a.*\\d"),
        TrivialColumnCondition(column_name="n"),
    )
    add("condition_others", *others)
    low = IntegerColumnCondition(column_name="n", op="less_than", value=0)
    high = DoubleColumnCondition(column_name="v", op="greater_than", value=9)
    empty = NullWritableColumnCondition(column_name="s")
    combined = filters(
        BooleanCondition(type="and", conditions=[low, high, empty]),
        BooleanCondition(type="or", conditions=[low]),
        ~high,
        ~low ^ high,
    )
    add("condition_boolean", *combined)
    lengths = filters(
        SequenceLengthCondition(op="less_than", length=3), SequenceLengthCondition(op="in_set", set=[3, 4])
    )
    add("condition_sequence", *lengths, schema=SEQUENCE)
    add(
        "conditional",
        ConditionalReplaceValueTransform(column_to_replace="n", new_value=0, condition=low),
        ConditionalReplaceValueTransformWithDefault(column_to_replace="n", yes_val=1, no_val=0, condition=low),
        ConditionalCopyValueTransform(column_to_replace="n", source_column="l", condition=high),
    )
    add("filter_invalid", FilterInvalidValues(), FilterInvalidValues(columns_to_filter_if_invalid=["n", "v"]))


def add_strings():
    mapping = {"zebra\\d": "horse", "a": "b"}
    fruit = ["pear", "apple", "fig", "orange", "plum"]
    add(
        "strings",
        AppendStringColumnTransform(column_name="s", to_append="!"),
        ChangeCaseStringTransform(column_name="s"),
        ChangeCaseStringTransform(column_name="s", case_type="upper"),
        ConcatenateStringColumns(new_column_name="both", delimiter="-", columns_to_concatenate=["id", "s"]),
        ConvertToString(column_name="l"),
        RemoveWhiteSpaceTransform(column_name="s"),
        ReplaceEmptyStringTransform(column_name="s", value="empty"),
        ReplaceStringTransform(column_name="s", map=mapping),
        StringMapTransform(column_name="s", map=mapping),
        MapAllStringsExceptListTransform(column_name="s", new_value="other", exceptions=fruit),
    )
    exceptions = [
        MapAllStringsExceptListTransform(column_name="s", new_value="other", exceptions=some_words(n))
        for n in (1, 11, 12, 13, 24, 25, 48)
    ]
    add("string_exceptions", *exceptions, schema=Schema(columns=[StringMetaData(name="s")]))
    add(
        "string_set",
        StringListToCategoricalSetTransform(
            column_name="s", new_column_names=["isP", "isQ"], category_tokens=["p", "q"], delimiter=";"
        ),
    )
    lists = {"column_name": "s", "vocabulary": ["p", "q"], "delimiter": ";"}
    for name, kind in (
        ("counts", StringListToCountsNDArrayTransform),
        ("indices", StringListToIndicesNDArrayTransform),
    ):
        add(f"string_{name}", kind(**lists, binary=True, ignore_unknown=False))
        add(f"string_{name}_named", kind(**lists, binary=False, ignore_unknown=True, new_column_name=name))


def some_words(n):
    return [f"word {i * i}" for i in range(n)]


def add_times():
    add(
        "string_to_time",
        StringToTimeTransform(column_name="id", time_format="YYYY-MM-dd"),
        StringToTimeTransform(column_name="s", time_format="YYYY-MM-dd", time_zone="Europe/Paris", locale="fr_FR"),
    )
    full = {"time_format": "YYYY", "time_zone": "Europe/Paris", "locale": "en"}
    add(
        "string_to_time_full",
        StringToTimeTransform(column_name="s", **full, min_valid_time=0, max_valid_time=1500000000000),
    )
    add("string_to_time_any", StringToTimeTransform(column_name="s", locale="de_DE"))
    add(
        "time_math",
        TimeMathOpTransform(column_name="t", math_op="add", time_quantity=3, time_unit="hours"),
        TimeMathOpTransform(column_name="t", math_op="subtract", time_quantity=1, time_unit="days"),
        TimeMathOpTransform(
            column_name="t", math_op="scalar_min", time_quantity=1500000000000, time_unit="milliseconds"
        ),
        TimeMathOpTransform(column_name="t", math_op="scalar_max", time_quantity=0, time_unit="milliseconds"),
    )
    hour = DerivedColumn(column_name="hour", column_type="integer", field_type="hour_of_day")
    add("derived_time", DeriveColumnsFromTimeTransform(column_name="t", derived_columns=[hour]), schema=PARIS)
    day = DerivedColumn(column_name="day", column_type="string", format="YYYY-MM-dd", date_time_zone="Europe/Paris")
    fields = [
        DerivedColumn(column_name=java, column_type="integer", field_type=field)
        for java, field in zip(get_args(FieldType)[1].names, words(FieldType), strict=True)
        if field != "month_of_year"
    ]
    full = DeriveColumnsFromTimeTransform(column_name="t", insert_after="s", derived_columns=[day, *fields])
    add("derived_time_full", full, schema=PARIS)
    add(
        "time_zones",
        TimeMathOpTransform(column_name="t", math_op="add", time_quantity=1, time_unit="seconds"),
        schema=PARIS,
    )


def add_arrays_and_text():
    add(
        "arrays",
        NDArrayScalarOpTransform(column_name="arr", math_op="multiply", scalar=0.1),
        NDArrayColumnsMathOpTransform(new_column_name="sum", math_op="add", columns=["arr", "arr2"]),
        NDArrayMathFunctionTransform(column_name="arr2", math_function="tanh"),
    )
    distances = [
        NDArrayDistanceTransform(
            new_column_name=distance.upper(), distance=distance, first_col="arr", second_col="arr2"
        )
        for distance in words(_values.Distance)
    ]
    add("distances", *distances)
    text = {"column_name": "s", "new_column_name": "index"}
    add(
        "text_to_characters",
        TextToCharacterIndexTransform(**text, character_index_map={"b": 0, "a": 1}, exception_on_unknown=True),
        schema=SEQUENCE,
    )
    terms = {**text, "delimiter": " "}
    add(
        "text_to_terms",
        TextToTermIndexSequenceTransform(**terms, word_index_map={"z": 0, "a": 1}, exception_on_unknown=False),
        schema=SEQUENCE,
    )
    vocabulary = ["pear", "apple", "fig", "orange", "plum"]
    add(
        "text_to_vocabulary",
        TextToTermIndexSequenceTransform(**terms, word_index_map=vocabulary, exception_on_unknown=True),
        schema=SEQUENCE,
    )


def add_sequences():
    by_time = NumericalColumnComparator(column_name="t")
    by_text = StringComparator(column_name="s")
    add("to_sequence_numerical", ConvertToSequence(key_columns=["id"], comparator=by_time))
    add(
        "to_sequence_keys",
        ConvertToSequence(key_columns=["id", "s"], comparator=by_time.replace(ascending=False)),
    )
    add("to_sequence_string", ConvertToSequence(key_columns=["id"], comparator=by_text))
    add("to_sequence_single", ConvertToSequence(single_step_sequences_mode=True))
    add("from_sequence", ConvertFromSequence(), schema=SEQUENCE)
    add("there_and_back", ConvertToSequence(key_columns=["id"], comparator=by_text), ConvertFromSequence())
    add(
        "splits",
        SequenceSplitTimeSeparation(time_column="t", time_quantity=5, time_unit="minutes"),
        SplitMaxLengthSequence(max_sequence_length=10, equal_splits=True),
        schema=SEQUENCE,
    )
    add(
        "trims",
        SequenceTrimTransform(num_steps_to_trim=2, trim_from_start=True),
        SequenceTrimToLengthTransform(max_length=10),
        SequenceTrimToLengthTransform(max_length=10, mode="trim_or_pad", pad=[0, "x"]),
        schema=SEQUENCE,
    )
    add("offset_trim", SequenceOffsetTransform(columns_to_offset=["v", "n"], offset_amount=-2), schema=SEQUENCE)
    edge = {"edge_handling": "specified_value", "edge_case_value": 0.0}
    add("offset_value", SequenceOffsetTransform(columns_to_offset=["v"], offset_amount=1, **edge), schema=SEQUENCE)
    ops = [
        "min", "max", "range", "take_first", "take_last", "prod", "sum", "mean", "stdev", "count", "count_unique",
    ]  # fmt: skip
    windows = [SequenceMovingWindowReduceTransform(column_name="v", lookback=3, op=op) for op in ops]
    add("moving_windows", *windows, schema=SEQUENCE)
    edge = {"edge_case_handling": "specified_value", "edge_case_value": -1.0}
    add(
        "window_value",
        SequenceMovingWindowReduceTransform(column_name="v", new_column_name="w", lookback=3, op="max", **edge),
        schema=SEQUENCE,
    )
    reducer = Reducer(default_op="take_first", key_columns=["id"], op_map={"v": "mean"})
    add("reduce_sequence", ReduceSequenceTransform(reducer=reducer), ConvertFromSequence(), schema=SEQUENCE)
    hours = {"time_column": "t", "window_size": 2, "window_size_unit": "hours"}
    window = OverlappingTimeWindowFunction(**hours, window_separation=1, window_separation_unit="hours")
    add(
        "reduce_windows",
        ReduceSequenceByWindowTransform(reducer=reducer, window_function=window),
        schema=SEQUENCE,
    )
    window = OverlappingTimeWindowFunction(
        **hours,
        window_separation=30,
        window_separation_unit="minutes",
        add_window_start_time_column=True,
        add_window_end_time_column=True,
        exclude_empty_windows=True,
    )
    add(
        "reduce_windows_full",
        ReduceSequenceByWindowTransform(reducer=reducer, window_function=window),
        schema=SEQUENCE,
    )
    add(
        "rank",
        CalculateSortedRank(new_column_name="rv", sort_on_column="v", comparator="double"),
        CalculateSortedRank(
            new_column_name="rf", sort_on_column="f", comparator=FloatWritableComparator(), ascending=False
        ),
        CalculateSortedRank(new_column_name="rn", sort_on_column="n", comparator="int"),
        CalculateSortedRank(new_column_name="rl", sort_on_column="l", comparator="long"),
        CalculateSortedRank(new_column_name="rs", sort_on_column="s", comparator="text"),
    )


def add_reducers():
    numeric = [
        "prod", "min", "max", "range", "sum", "mean", "stdev", "uncorrected_std_dev", "variance",
        "population_variance", "count", "count_unique", "take_first", "take_last",
    ]  # fmt: skip
    add("reduce_default", Reducer(default_op="take_last", key_columns=["id"]))
    add("reduce_without_keys", Reducer(default_op="count"))
    ops = {**dict.fromkeys(["v", "n", "l", "f"], numeric), "s": ["append", "prepend"], "b": "sum"}
    add("reduce_all", Reducer(default_op="take_first", key_columns=["id", "c"], op_map=ops))
    for n in (12, 13, 30):
        schema = Schema(columns=[StringMetaData(name=name) for name in some_words(n)])
        counts = dict.fromkeys(some_words(n), "count")
        add(f"reduce_{n}", Reducer(default_op="take_first", op_map=counts), schema=schema)
    add(
        "reduce_valid",
        Reducer(default_op="take_first", key_columns=["id"], ignore_invalid_in_columns={"v", "n"}),
    )
    add("reduce_sequence_schema", Reducer(default_op="max", key_columns=["id"]), schema=SEQUENCE)


def add_whole():
    below = DoubleColumnCondition(column_name="v", op="less_than", value=0.0)
    above = IntegerColumnCondition(column_name="n", op="greater_than", value=9)
    add(
        "golden",
        RemoveColumnsTransform(columns_to_remove=["arr"]),
        ConditionFilter(condition=below),
        CategoricalToOneHotTransform(column_name="c"),
        DoubleMathOpTransform(column_name="v", math_op="multiply", scalar=2),
        DoubleMathFunctionTransform(column_name="v", math_function="sqrt"),
        StringToTimeTransform(column_name="id", time_format="YYYY-MM-dd"),
        ConditionalReplaceValueTransform(column_to_replace="n", new_value=0, condition=above),
        ConvertToSequence(key_columns=["l"], comparator=NumericalColumnComparator(column_name="t")),
        schema=GOLDEN_SCHEMA,
    )
    logs = Schema(
        columns=[
            StringMetaData(name="timestamp"),
            StringMetaData(name="host"),
            CategoricalMetaData(name="method", state_names=["GET", "POST", "PUT"]),
            IntegerMetaData(name="status", min_allowed_value=100, max_allowed_value=599),
            LongMetaData(name="size", min_allowed_value=0),
        ]
    )
    failed = IntegerColumnCondition(column_name="status", op="not_in_set", set=[200, 304])
    local = StringRegexColumnCondition(column_name="host", regex="10\\..*")
    hour = DerivedColumn(column_name="hour", column_type="integer", field_type="hour_of_day")
    add(
        "logs",
        StringToTimeTransform(column_name="timestamp", time_format="dd/MMM/YYYY:HH:mm:ss Z", locale="en_US"),
        ConditionFilter(condition=failed | local),
        DeriveColumnsFromTimeTransform(column_name="timestamp", derived_columns=[hour]),
        CategoricalToOneHotTransform(column_name="method"),
        ConvertToDouble(column_name="size"),
        Reducer(default_op="mean", key_columns=["host"], op_map={"timestamp": "max", "status": "count"}),
        RenameColumnsTransform(old_names=["max(timestamp)"], new_names=["last"]),
        RemoveColumnsTransform(columns_to_remove=["mean(hour)"]),
        CalculateSortedRank(new_column_name="rank", sort_on_column="mean(size)", comparator="double", ascending=False),
        schema=logs,
    )
    prices = Schema(
        columns=[
            StringMetaData(name="shop"),
            TimeMetaData(name="t", time_zone="Europe/Paris"),
            FloatMetaData(name="price"),
        ]
    )
    add(
        "prices",
        FilterInvalidValues(columns_to_filter_if_invalid=["price"]),
        ConvertToSequence(key_columns=["shop"], comparator=NumericalColumnComparator(column_name="t")),
        SequenceOffsetTransform(columns_to_offset=["price"], offset_amount=1),
        SequenceMovingWindowReduceTransform(column_name="price", lookback=5, op="mean"),
        SplitMaxLengthSequence(max_sequence_length=100, equal_splits=False),
        RemoveColumnsTransform(columns_to_remove=["t"]),
        schema=prices,
    )
    add("no_steps", schema=GOLDEN_SCHEMA)
    add("initial_sequence", ConvertToDouble(column_name="n"), schema=SequenceSchema(columns=GOLDEN_SCHEMA.columns))


add_schemas()
add_columns()
add_numbers()
add_categories()
add_writables()
add_conditions()
add_strings()
add_times()
add_arrays_and_text()
add_sequences()
add_reducers()
add_whole()
