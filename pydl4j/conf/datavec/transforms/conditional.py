"""Transforms of the records that meet a condition."""

from pydl4j.conf.datavec.action import Column
from pydl4j.conf.datavec.conditions import Condition
from pydl4j.conf.datavec.transforms.base import JAVA, Transform
from pydl4j.conf.datavec.writables import Constant

__all__ = [
    "ConditionalCopyValueTransform",
    "ConditionalReplaceValueTransform",
    "ConditionalReplaceValueTransformWithDefault",
]

_JAVA = JAVA + "transform.condition."


class ConditionalReplaceValueTransform(Transform, java=_JAVA + "ConditionalReplaceValueTransform"):
    """Puts ``new_value`` in a column where the condition is met."""

    column_to_replace: Column
    new_value: Constant
    condition: Condition


class ConditionalReplaceValueTransformWithDefault(
    Transform,
    java=_JAVA + "ConditionalReplaceValueTransformWithDefault",
    first=("columnToReplace", "noVal", "yesVal"),
):
    """Puts ``yes_val`` in a column where the condition is met, and ``no_val`` elsewhere."""

    column_to_replace: Column
    yes_val: Constant
    no_val: Constant
    condition: Condition


class ConditionalCopyValueTransform(Transform, java=_JAVA + "ConditionalCopyValueTransform"):
    """Puts the value of ``source_column`` in a column where the condition is met."""

    column_to_replace: Column
    source_column: Column
    condition: Condition
