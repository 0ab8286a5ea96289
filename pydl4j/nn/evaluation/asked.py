"""What ``evaluate`` is asked for, told to the JVM, and its counts made figures."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydl4j.data.borders import OutputInterface
from pydl4j.errors import ConfigError
from pydl4j.nn.evaluation.base import Floats, IEvaluation, Numbers
from pydl4j.nn.evaluation.classes import Evaluation


@dataclass(frozen=True)
class Asked:
    """Evaluations to be taken in one pass."""

    evaluations: tuple[IEvaluation, ...]
    several: bool
    """Whether a list was asked for."""

    @classmethod
    def of(cls, asked: object, border: OutputInterface) -> "Asked":
        """One, or several, or None for classes.

        Raises:
            ConfigError: something else; or None, and the output is no classifier's.
        """
        if asked is None:
            if not border.classifier:
                which = "" if border.name is None else f", which the output {border.name!r} is not"
                raise ConfigError(
                    f"evaluate needs a classifier (a softmax or sigmoid output with a cross-entropy loss){which}, unless it is told what to look at: "
                    "evaluate(x, y, RegressionEvaluation()) for numbers, evaluate(x, y, EvaluationBinary()) for several yes-no answers",
                    path="evaluation",
                )
            return cls((Evaluation(),), several=False)
        several = isinstance(asked, Sequence)
        evaluations = tuple(asked) if isinstance(asked, Sequence) else (asked,)
        for one in evaluations:
            if not isinstance(one, IEvaluation):
                kind = f"the class {one.__name__}" if isinstance(one, type) else repr(one)
                raise ConfigError(
                    f"evaluation must be one of pydl4j.evaluation, as in ROC(), or a list of them. Received: {kind}",
                    path="evaluation",
                )
        if not evaluations:
            raise ConfigError("evaluation must be at least one. Received: an empty list", path="evaluation")
        return cls(tuple(one for one in evaluations if isinstance(one, IEvaluation)), several=several)

    def to_json(self) -> str:
        """For ``org.pydl4j.evaluation.Counts``."""
        return json.dumps([{"@class": type(one).__name__, **one._options()} for one in self.evaluations])  # noqa: SLF001

    def answered(self, numbers: Floats) -> IEvaluation | list[IEvaluation]:
        """The evaluations with figures, as they were asked for."""
        counted = Numbers(numbers)
        done = [one._counted(counted) for one in self.evaluations]  # noqa: SLF001
        return done if self.several else done[0]
