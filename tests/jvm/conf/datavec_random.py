"""Random processes, many of which do not fit their schema: documents that Python and DataVec read to the same end."""

import json
import random
from typing import get_args

from pydl4j.conf.datavec import _values
from pydl4j.datavec import (
    AddConstantColumnTransform,
    AppendStringColumnTransform,
    BooleanMetaData,
    CalculateSortedRank,
    CategoricalMetaData,
    CategoricalToIntegerTransform,
    CategoricalToOneHotTransform,
    ConcatenateStringColumns,
    ConditionalCopyValueTransform,
    ConditionFilter,
    ConvertFromSequence,
    ConvertToDouble,
    ConvertToInteger,
    ConvertToSequence,
    ConvertToString,
    DeriveColumnsFromTimeTransform,
    DerivedColumn,
    DoubleColumnsMathOpTransform,
    DoubleMathFunctionTransform,
    DoubleMathOpTransform,
    DoubleMetaData,
    DuplicateColumnsTransform,
    FilterInvalidValues,
    FirstDigitTransform,
    FloatMathOpTransform,
    FloatMetaData,
    IntegerMathOpTransform,
    IntegerMetaData,
    IntegerToCategoricalTransform,
    IntegerToOneHotTransform,
    LongMathOpTransform,
    LongMetaData,
    MinMaxNormalizer,
    NDArrayDistanceTransform,
    NDArrayMetaData,
    NDArrayScalarOpTransform,
    NumericalColumnComparator,
    OverlappingTimeWindowFunction,
    ParseDoubleTransform,
    Reducer,
    ReduceSequenceByWindowTransform,
    ReduceSequenceTransform,
    RemoveAllColumnsExceptForTransform,
    RemoveColumnsTransform,
    RenameColumnsTransform,
    ReorderColumnsTransform,
    Schema,
    SequenceMovingWindowReduceTransform,
    SequenceOffsetTransform,
    SequenceSchema,
    SequenceSplitTimeSeparation,
    SequenceTrimTransform,
    StringComparator,
    StringListToCountsNDArrayTransform,
    StringMetaData,
    StringRegexColumnCondition,
    StringToCategoricalTransform,
    StringToTimeTransform,
    TextToTermIndexSequenceTransform,
    TimeMathOpTransform,
    TimeMetaData,
    TransformProcess,
    TrivialColumnCondition,
)
from pydl4j.errors import ConfigError

MATH_OPS = get_args(get_args(_values.MathOp)[0])
REDUCE_OPS = get_args(get_args(_values.ReduceOp)[0])
WINDOW_OPS = ["min", "max", "range", "take_first", "take_last", "prod", "sum", "mean", "stdev", "count", "count_unique"]


class Dice:
    """Choices of one process, with the columns that are there."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = []

    def one(self, choices):
        return self.random.choice(list(choices))

    def number(self):
        return self.one([0, 1, -1, 2, -3, 7, 100, 2**31 - 1])

    def real(self):
        return self.one([0.0, 1.0, -0.5, 0.1, 1e10, -1e-5])

    def bounds(self, draw):
        low, high = sorted((draw(), draw()))
        return {"min_allowed_value": self.one([None, low]), "max_allowed_value": self.one([None, high])}

    def column(self):
        return self.one([*self.names, "none"]) if self.random.random() < 0.02 else self.one(self.names)

    def columns(self, least=1, most=3):
        n = self.random.randint(least, most)
        return list(dict.fromkeys(self.column() for _ in range(n)))

    def new(self):
        return self.column() if self.random.random() < 0.02 else f"new{self.random.randrange(1000)}"

    def schema(self):
        kinds = {
            StringMetaData: dict,
            IntegerMetaData: lambda: self.bounds(self.number),
            LongMetaData: lambda: self.bounds(self.number),
            DoubleMetaData: lambda: self.bounds(self.real),
            FloatMetaData: lambda: self.bounds(self.real),
            CategoricalMetaData: lambda: {"state_names": ["x", "y"]},
            TimeMetaData: lambda: {"time_zone": self.one(["UTC", "Europe/Paris"])},
            BooleanMetaData: dict,
            NDArrayMetaData: lambda: {"shape": self.one([[3], [1, 3]])},
        }
        made = [self.one(kinds) for _ in range(self.random.randint(4, 12))]
        columns = [kind(name=f"{kind.__name__[0].lower()}{i}", **kinds[kind]()) for i, kind in enumerate(made)]
        return self.one([Schema, Schema, SequenceSchema])(columns=columns)

    def condition(self):
        condition = self.one([TrivialColumnCondition, lambda **o: StringRegexColumnCondition(**o, regex="a")])
        made = condition(column_name=self.column())
        return ~made if self.random.random() < 0.3 else made

    def reducer(self):
        others = [name for name in self.names if self.random.random() < 0.3]
        ops = {name: [self.one(REDUCE_OPS) for _ in range(self.random.randint(1, 2))] for name in others}
        keys = [name for name in self.columns() if name not in ops] or None
        return Reducer(default_op=self.one(REDUCE_OPS), key_columns=keys, op_map=ops)

    def step(self):
        return self.one(STEPS)(self)


def math_op(kind, draw):
    return lambda d: kind(column_name=d.column(), math_op=d.one(MATH_OPS), scalar=draw(d))


def on_column(kind, **options):
    return lambda d: kind(column_name=d.column(), **options)


DERIVED = DerivedColumn(column_name="hour", column_type="integer", field_type="hour_of_day")
WINDOW = {"window_size": 2, "window_size_unit": "hours", "window_separation": 1, "window_separation_unit": "hours"}

STEPS = [
    lambda d: RemoveColumnsTransform(columns_to_remove=d.columns()),
    lambda d: RemoveAllColumnsExceptForTransform(columns_to_keep=d.columns(3, 8)),
    lambda d: RenameColumnsTransform(old_names=[d.column()], new_names=[d.new()]),
    lambda d: ReorderColumnsTransform(new_order=d.columns()),
    lambda d: DuplicateColumnsTransform(columns_to_duplicate=[d.column()], new_column_names=[d.new()]),
    lambda d: AddConstantColumnTransform(
        new_column_name=d.new(), new_column_type=d.one(["integer", "double", "boolean", "time"]), fixed_value=1
    ),
    math_op(IntegerMathOpTransform, Dice.number),
    math_op(LongMathOpTransform, Dice.number),
    math_op(FloatMathOpTransform, Dice.real),
    math_op(DoubleMathOpTransform, Dice.real),
    math_op(NDArrayScalarOpTransform, Dice.real),
    lambda d: DoubleColumnsMathOpTransform(new_column_name=d.new(), math_op="add", columns=[d.column(), d.column()]),
    on_column(DoubleMathFunctionTransform, math_function="sqrt"),
    on_column(ConvertToString),
    on_column(ConvertToInteger),
    on_column(ConvertToDouble),
    on_column(IntegerToOneHotTransform, min_value=0, max_value=2),
    on_column(MinMaxNormalizer, min=0, max=3),
    lambda d: ParseDoubleTransform(),
    on_column(CategoricalToIntegerTransform),
    on_column(CategoricalToOneHotTransform),
    on_column(IntegerToCategoricalTransform, map=["a", "b"]),
    on_column(StringToCategoricalTransform, state_names=["a", "b"]),
    lambda d: FirstDigitTransform(input_column=d.column(), output_column=d.new()),
    on_column(AppendStringColumnTransform, to_append="!"),
    lambda d: ConcatenateStringColumns(new_column_name=d.new(), delimiter="", columns_to_concatenate=d.columns()),
    on_column(StringListToCountsNDArrayTransform, vocabulary=["a"], delimiter=",", binary=True, ignore_unknown=True),
    on_column(StringToTimeTransform, time_format="YYYY"),
    on_column(TimeMathOpTransform, math_op="add", time_quantity=3, time_unit="days"),
    on_column(DeriveColumnsFromTimeTransform, derived_columns=[DERIVED]),
    lambda d: NDArrayDistanceTransform(
        new_column_name=d.new(), distance="cosine", first_col=d.column(), second_col=d.column()
    ),
    lambda d: TextToTermIndexSequenceTransform(
        column_name=d.column(),
        new_column_name=d.new(),
        word_index_map=["a", "b"],
        delimiter=" ",
        exception_on_unknown=True,
    ),
    lambda d: ConditionalCopyValueTransform(
        column_to_replace=d.column(), source_column=d.column(), condition=d.condition()
    ),
    lambda d: ConditionFilter(condition=d.condition()),
    lambda d: FilterInvalidValues(columns_to_filter_if_invalid=d.columns()),
    lambda d: ConvertToSequence(
        key_columns=d.columns(),
        comparator=d.one([NumericalColumnComparator, StringComparator])(column_name=d.column()),
    ),
    lambda d: ConvertToSequence(single_step_sequences_mode=True),
    lambda d: ConvertFromSequence(),
    lambda d: SequenceSplitTimeSeparation(time_column=d.column(), time_quantity=1, time_unit="hours"),
    lambda d: SequenceTrimTransform(num_steps_to_trim=1, trim_from_start=True),
    lambda d: SequenceOffsetTransform(columns_to_offset=d.columns(), offset_amount=1),
    lambda d: SequenceMovingWindowReduceTransform(column_name=d.column(), lookback=2, op=d.one(WINDOW_OPS)),
    lambda d: ReduceSequenceTransform(reducer=d.reducer()),
    lambda d: ReduceSequenceByWindowTransform(
        reducer=d.reducer(), window_function=OverlappingTimeWindowFunction(time_column=d.column(), **WINDOW)
    ),
    Dice.reducer,
    lambda d: CalculateSortedRank(new_column_name=d.new(), sort_on_column=d.column(), comparator="double"),
]


def process_document(seed):
    """The document of a process of up to 10 steps. All but the last fit; this one may be anything."""
    dice = Dice(seed)
    schema = dice.schema()
    process = TransformProcess(initial_schema=schema)
    for _ in range(dice.random.randint(1, 10)):
        dice.names = list(process.final_schema.column_names)
        step = made(dice)
        try:
            process = process.replace(steps=(*process.steps, step))
        except ConfigError:
            if dice.random.random() < 0.2:
                return with_step(process, step)
    return json.loads(process.to_json())


def made(dice):
    while True:
        try:
            return dice.step()
        except ConfigError:  # a division by 0, say
            continue


def with_step(process, step):
    """The document of a process with one step more, which Python refuses."""
    tree = json.loads(process.to_json())
    tree["actionList"] += TransformProcess.options()["steps"].codec.write((step,))
    return tree
