"""Filters: steps that remove records or sequences."""

from collections.abc import Sequence
from typing import Any

from pydl4j.conf._kernel import refuse
from pydl4j.conf.datavec.action import Column, DataAction
from pydl4j.conf.datavec.conditions import Condition

__all__ = [
    "ConditionFilter",
    "Filter",
    "FilterInvalidValues",
]

_JAVA = "org.datavec.api.transform.filter."


class Filter(DataAction):
    """A step that removes records or sequences."""


class ConditionFilter(Filter, java=_JAVA + "ConditionFilter"):
    """Removes what *meets* the condition."""

    condition: Condition


class FilterInvalidValues(Filter, java=_JAVA + "FilterInvalidValues"):
    """Removes records with a value that its column's metadata does not allow, in some columns or (``None``) in any."""

    columns_to_filter_if_invalid: Sequence[Column] | None = None

    def validate(self, path: str) -> None:
        if self.columns_to_filter_if_invalid == ():
            raise refuse(f"{path}.columns_to_filter_if_invalid", "must have a column, or be None for all", ())

    def derived(self) -> dict[str, Any]:
        return {"filterAnyInvalid": self.columns_to_filter_if_invalid is None}
