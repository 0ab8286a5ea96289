"""Checkpoints of a fit: where and how often they are written, and going on from one."""

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from pydl4j.data.files import as_uri
from pydl4j.data.normalizer import Normalizer
from pydl4j.errors import CheckpointError, ConfigError
from pydl4j.jvm.protocol import Gateway

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checkpoint:
    """Where and how often a fit writes checkpoints, to go on from after a failure: ``fit(..., checkpoint=..., resume=True)``.

    A checkpoint is a file, ``epoch-00003.zip`` after three epochs, or ``epoch-00003-minibatch-000040.zip`` within the fourth: DL4J's model
    file with the updater's state and the normalizer, which :meth:`MultiLayerNetwork.load` reads, too, and in it ``checkpoint.json``. It is
    there whole or not at all, whenever the process is killed. One is always written after the last epoch. One fit at a time writes to a
    directory, which has no checkpoints of another.

    Raises:
        ConfigError: a value that cannot be.
    """

    directory: str | PathLike[str]
    """A path, or on Spark the URI of a directory of any Hadoop file system; the driver writes to it. It is made if it is not there."""
    _: KW_ONLY
    every_epochs: int | None = 1
    """Write after each so many epochs; None: only after the last, and every ``every_minutes``."""
    every_minutes: float | None = None
    """Write when so many minutes have passed since the last one: where parameters were averaged, else after the epoch."""
    keep_last: int = 3
    """Checkpoints to keep; older ones are deleted."""

    def __post_init__(self) -> None:
        if not isinstance(self.directory, str | PathLike):
            raise self._error("directory", "a path or a URI")
        for name, optional in (("every_epochs", True), ("keep_last", False)):
            value = getattr(self, name)
            if value is None and optional:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**31:
                raise self._error(name, "an int >= 1" + (" or None" if optional else ""))
        minutes = self.every_minutes
        if minutes is not None and (
            isinstance(minutes, bool) or not isinstance(minutes, int | float) or not 0 < minutes < 2**31
        ):
            raise self._error("every_minutes", "a number > 0 or None")

    def _error(self, name: str, expected: str) -> ConfigError:
        path = f"Checkpoint.{name}"
        return ConfigError(f"{path}: expected {expected}. Received: {getattr(self, name)!r}", path=path)

    @property
    def uri(self) -> str:
        """The directory as a URI."""
        return as_uri(fspath(self.directory)).rstrip("/")


@dataclass(frozen=True)
class Checkpoints:
    """What a fit is told about its checkpoints."""

    checkpoint: Checkpoint | None
    found: dict[str, Any] = field(default_factory=dict)
    """The checkpoint to go on from, as ``org.pydl4j.checkpoint.Checkpoints.newest`` describes it; empty for none."""

    @classmethod
    def of(
        cls, gateway: Gateway, checkpoint: Checkpoint | str | PathLike[str] | None, *, resume: bool
    ) -> "Checkpoints":
        """From the arguments of ``fit``.

        Raises:
            ConfigError: nothing to resume from, or a directory that this process cannot write to.
            CheckpointError: the directory cannot be read.
        """
        if checkpoint is None:
            if resume:
                raise ConfigError(
                    "resume=True needs the checkpoints to go on from: fit(..., checkpoint=...)", path="checkpoint"
                )
            return cls(None)
        if isinstance(checkpoint, str | PathLike):
            checkpoint = Checkpoint(checkpoint)
        if not isinstance(checkpoint, Checkpoint):
            raise ConfigError(
                f"checkpoint: expected a Checkpoint, a path or a URI. Received: {checkpoint!r}", path="checkpoint"
            )
        if gateway.kind == "jpype" and not checkpoint.uri.startswith("file:"):
            raise ConfigError(
                f"checkpoint: training in this process writes to local directories. Received: {checkpoint.uri}",
                path="checkpoint",
            )
        return cls(checkpoint, _newest(gateway, checkpoint.uri) if resume else {})

    def options(self, normalizer: Normalizer | None, dtype: str) -> dict[str, Any] | None:
        """For the bridge; ``dtype`` is that of the network's parameters."""
        if self.checkpoint is None:
            return None
        return {
            "uri": self.checkpoint.uri,
            "every_epochs": self.checkpoint.every_epochs or 0,
            "every_minutes": self.checkpoint.every_minutes or 0,
            "keep_last": self.checkpoint.keep_last,
            # a model file has it in the type of the parameters; to go on, its statistics must be the same to the last bit
            "normalizer": None if normalizer is None else _base64(normalizer, np.result_type(dtype, np.float32)),
            "exact_normalizer": None if normalizer is None else _base64(normalizer),
            "resume": self.found.get("name"),
        }

    @contextmanager
    def applied(self, normalizer: Normalizer | None) -> Iterator[None]:
        """Gives the network's normalizer the statistics of the checkpoint; what is raised in the block leaves it as it was.

        Raises:
            CheckpointError: another normalizer than the checkpoint's.
        """
        if not self.found or self.found["normalizer"] is None or normalizer is None:
            if self.found and (self.found["normalizer"] is None) != (normalizer is None):
                has, lacks = ("no normalizer", "one") if normalizer else ("a normalizer", "none")
                raise CheckpointError(f"{self.found['name']} has {has}, but the network has {lacks}", path="checkpoint")
            yield
            return
        saved = Normalizer.from_bytes(base64.b64decode(self.found["normalizer"]))
        if type(saved) is not type(normalizer):
            raise CheckpointError(
                f"{self.found['name']} has a {type(saved).__name__}. Received: a {type(normalizer).__name__}",
                path="checkpoint",
            )
        if normalizer.is_fitted:
            if saved.to_bytes() != normalizer.to_bytes():
                raise CheckpointError(
                    f"the normalizer of {self.found['name']} has other statistics: it was fitted to other data. Give the network one that "
                    "is not fitted, to go on with the checkpoint's",
                    path="checkpoint",
                )
            yield
            return
        before = vars(normalizer).copy()
        vars(normalizer).update(vars(saved))
        try:
            yield
        except BaseException:
            vars(normalizer).update(before)
            raise


def _newest(gateway: Gateway, uri: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gateway.call("checkpoint.Checkpoints.newest", uri))
    for damaged in found["damaged"]:
        _log.warning("a damaged checkpoint in %s was passed over: %s", uri, damaged)
    if "name" not in found:
        _log.warning("there is no checkpoint in %s to go on from: training starts anew", uri)
        return {}
    _log.info("training goes on from %s/%s", uri, found["name"])
    return found


def _base64(normalizer: Normalizer, dtype: DTypeLike | None = None) -> str:
    return base64.b64encode(normalizer.to_bytes(dtype)).decode()
