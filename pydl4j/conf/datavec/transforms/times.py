"""Transforms of columns of times."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydl4j.conf._codecs import CodecBase, JavaNames, codec_of
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf._reading import At
from pydl4j.conf.datavec._values import JavaLong, MathOp, TimeUnit
from pydl4j.conf.datavec.action import Column, TimeColumn, Untyped
from pydl4j.conf.datavec.metadata import ColumnMetaData, IntegerMetaData, StringMetaData, TimeMetaData
from pydl4j.conf.datavec.schema import Schema
from pydl4j.conf.datavec.transforms.base import JAVA, ColumnTransform, Transform, replaced

__all__ = [
    "DeriveColumnsFromTimeTransform",
    "DerivedColumn",
    "StringToTimeTransform",
    "TimeMathOpTransform",
]

_JAVA = JAVA + "transform.time."


class StringToTimeTransform(
    ColumnTransform,
    java=_JAVA + "StringToTimeTransform",
    first=("columnName", "locale", "maxValidTime", "minValidTime", "timeFormat", "timeZone"),
):
    """Texts to times, in a Joda-Time format such as ``YYYY-MM-dd HH:mm:ss``, or in any of DataVec's seventeen (``None``)."""

    _echoed: ClassVar[Sequence[str]] = ("columnNumber", "inputSchema")

    time_format: str | None = None
    time_zone: str = "UTC"
    """ID of the zone of the texts, and of the new column."""
    locale: str | None = None
    """Language of names of months and days, such as ``en_US``."""
    min_valid_time: JavaLong | None = None
    """Bounds of the new column, in milliseconds since 1970."""
    max_valid_time: JavaLong | None = None

    def echo(self, schema: Schema) -> dict[str, Any]:
        return {**super().echo(schema), "columnNumber": schema.column_names.index(self.column_name)}

    def column(self, column: Any) -> ColumnMetaData:
        return TimeMetaData(
            name=column.name,
            time_zone=self.time_zone,
            min_valid_time=self.min_valid_time,
            max_valid_time=self.max_valid_time,
        )


class TimeMathOpTransform(ColumnTransform, java=_JAVA + "TimeMathOpTransform"):
    """Adds a time to each, subtracts it, or takes the less or greater of the two; the column's bounds are lost."""

    column_name: TimeColumn
    math_op: MathOp
    """One of ``add``, ``subtract``, ``scalar_min`` and ``scalar_max``."""
    time_quantity: JavaLong
    time_unit: TimeUnit
    """``milliseconds`` for ``scalar_min`` and ``scalar_max``."""

    def validate(self, path: str) -> None:
        if self.math_op not in {"add", "subtract", "scalar_min", "scalar_max"}:
            raise refuse(
                f"{path}.math_op", "must be 'add', 'subtract', 'scalar_min' or 'scalar_max' for times", self.math_op
            )
        if self.math_op.startswith("scalar") and self.time_unit != "milliseconds":
            raise refuse(f"{path}.time_unit", f"must be 'milliseconds' with math_op={self.math_op!r}", self.time_unit)

    def column(self, column: Any) -> ColumnMetaData:
        return TimeMetaData(name=column.name, time_zone=column.time_zone)


FieldType = Annotated[
    Literal[
        "century_of_era", "clockhour_of_day", "clockhour_of_halfday", "day_of_month", "day_of_week", "day_of_year",
        "era", "halfday_of_day", "hour_of_day", "hour_of_halfday", "millis_of_day", "millis_of_second",
        "minute_of_day", "minute_of_hour", "month_of_year", "second_of_day", "second_of_minute", "week_of_weekyear",
        "weekyear", "weekyear_of_century", "year", "year_of_century", "year_of_era",
    ],
    JavaNames(
        "centuryOfEra", "clockhourOfDay", "clockhourOfHalfday", "dayOfMonth", "dayOfWeek", "dayOfYear",
        "era", "halfdayOfDay", "hourOfDay", "hourOfHalfday", "millisOfDay", "millisOfSecond",
        "minuteOfDay", "minuteOfHour", "monthOfYear", "secondOfDay", "secondOfMinute", "weekOfWeekyear",
        "weekyear", "weekyearOfCentury", "year", "yearOfCentury", "yearOfEra",
    ),
]  # fmt: skip
_FIELD = codec_of(FieldType)


class _Wrapped(CodecBase):
    """A field type, which DataVec puts in an object of its own."""

    def coerce(self, value: Any) -> Any:
        return _FIELD.coerce(value)

    def write(self, value: Any) -> Any:
        return {"fieldType": _FIELD.write(value)}

    def read(self, tree: Any, at: At) -> Any:
        return tree.get("fieldType") if isinstance(tree, dict) else tree


class DerivedColumn(Untyped, java=_JAVA + "DeriveColumnsFromTimeTransform$DerivedColumn"):
    """A column made of a time: a text in a Joda-Time ``format``, in a time zone; or a field such as ``hour_of_day``.

    DataVec forgets the field ``month_of_year`` when it reads one back, so it is refused; the format ``MM`` gives it as text.
    """

    _omit_null: ClassVar[bool] = True

    column_name: str
    column_type: Annotated[Literal["string", "integer"], JavaNames("String", "Integer")]
    format: str | None = None
    date_time_zone: str | None = None
    field_type: Annotated[FieldType, _Wrapped()] | None = None

    def validate(self, path: str) -> None:
        wanted = ("format", "date_time_zone") if self.column_type == "string" else ("field_type",)
        for name in ("format", "date_time_zone", "field_type"):
            given = getattr(self, name)
            if (given is not None) != (name in wanted):
                must = "must be given" if given is None else "must not be given"
                raise refuse(f"{path}.{name}", f"{must} with column_type={self.column_type!r}", given)
        if self.field_type == "month_of_year":
            must = "must be another field, as DataVec forgets this one when it reads the process: use format='MM'"
            raise guard(f"{path}.field_type", must, self.field_type)


class DeriveColumnsFromTimeTransform(Transform, java=_JAVA + "DeriveColumnsFromTimeTransform"):
    """Adds columns made of a time, behind a column."""

    _echoed: ClassVar[Sequence[str]] = ("inputTimeZone",)
    _computed: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"insert_after": lambda self: self.column_name}

    column_name: TimeColumn
    derived_columns: Sequence[DerivedColumn]
    insert_after: Column | None = None
    """Column behind which they are put; ``None`` for the time."""

    def echo(self, schema: Schema) -> dict[str, Any]:
        time: Any = schema[self.column_name]
        return {"inputTimeZone": time.time_zone}

    def output(self, schema: Schema) -> Sequence[ColumnMetaData]:
        kinds: dict[str, type[ColumnMetaData]] = {"string": StringMetaData, "integer": IntegerMetaData}
        columns = [kinds[derived.column_type](name=derived.column_name) for derived in self.derived_columns]
        return replaced(schema, self.effective("insert_after"), lambda column: [column, *columns])
