"""Who is told of what happens while a network is trained."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from pydl4j.errors import ConfigError
from pydl4j.jvm.jobs import watch
from pydl4j.jvm.protocol import Gateway, JavaObject
from pydl4j.nn.history import Epoch, History, Progress


class TrainingListener:
    """Told of what happens in a fit, in this process or on Spark: ``fit(..., callbacks=[listener])``.

    A class of your own overrides what it wants to hear. It is called in the thread that called ``fit``, while training goes on; an exception
    ends the fit, as Ctrl-C does, and goes on to the caller.
    """

    def on_epoch_start(self, epoch: int) -> None:
        """Epoch ``epoch``, from 1, begins."""

    def on_progress(self, progress: Progress) -> None:
        """Minibatches were trained; at most ten times a second."""

    def on_epoch_end(self, epoch: Epoch) -> None:
        """An epoch has ended, its validation included."""

    def on_checkpoint(self, uri: str) -> None:
        """A checkpoint was written."""

    def on_fit_end(self, history: History) -> None:
        """Training has ended as it should."""


Callback = TrainingListener | Callable[[Epoch], object]


class _EpochEnds(TrainingListener):
    def __init__(self, callback: Callable[[Epoch], object]) -> None:
        self._callback = callback

    def on_epoch_end(self, epoch: Epoch) -> None:
        self._callback(epoch)


def listeners(callbacks: Sequence[Callback]) -> list[TrainingListener]:
    """The callbacks of a fit as listeners.

    Raises:
        ConfigError: something that cannot be called.
    """
    found: list[TrainingListener] = []
    for callback in callbacks:
        if isinstance(callback, TrainingListener):
            found.append(callback)
        elif callable(callback) and not isinstance(callback, type):
            found.append(_EpochEnds(callback))
        else:
            raise ConfigError(
                f"callbacks: expected functions of an Epoch, or TrainingListeners. Received: {callback!r}",
                path="callbacks",
            )
    return found


def follow(
    gateway: Gateway,
    job: JavaObject,
    shown: TrainingListener,
    callbacks: Sequence[TrainingListener],
    on_epoch_event: Callable[[dict[str, Any]], object] | None = None,
) -> tuple[History, dict[str, Any]]:
    """Wait for a job that trains, telling ``shown`` and the callbacks of what happens; gives the epochs and the job's result."""
    told = [shown, *callbacks]
    done: list[Epoch] = []

    def on_event(event: dict[str, Any]) -> None:
        for_epoch = event["type"] == "epoch"
        if for_epoch and on_epoch_event is not None:
            on_epoch_event(event)
        if for_epoch:
            done.append(Epoch.of(event))
        for listener in told:
            _tell(listener, event, done)

    result = watch(gateway, job, on_event)
    history = History(done)
    for listener in told:
        listener.on_fit_end(history)
    return history, result


def _tell(listener: TrainingListener, event: dict[str, Any], done: list[Epoch]) -> None:
    match event["type"]:
        case "epoch_start":
            listener.on_epoch_start(event["epoch"])
        case "progress":
            listener.on_progress(Progress.of(event))
        case "epoch":
            listener.on_epoch_end(done[-1])
        case "checkpoint":
            listener.on_checkpoint(event["uri"])
        case other:
            raise ValueError(f"no event of training: {other} ({json.dumps(event)})")
