"""Long work in the JVM, watched from Python: events as they come, Ctrl-C, cancelling."""

import json
import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from pydl4j.jvm.failures import to_error
from pydl4j.jvm.protocol import Gateway, JavaObject

_log = logging.getLogger(__name__)

_POLL_MILLIS = 100
_LAST = frozenset({"done", "failed", "cancelled"})


def _ignore(_event: dict[str, Any]) -> None:
    return None


def watch(gateway: Gateway, job: JavaObject, on_event: Callable[[dict[str, Any]], None] = _ignore) -> dict[str, Any]:
    """Wait for a job that was started, handing each of its events to ``on_event``; the result is the job's own. That it waits goes to the log.

    Whatever interrupts the waiting (Ctrl-C, an exception in ``on_event``) cancels the job, waits until it has stopped, and goes on to the caller:
    what the job was working on is at rest by then.

    Raises:
        DL4JError: the job failed.
    """
    # Polled on a thread of its own: the caller's thread then waits in Python, where Ctrl-C arrives at once and breaks no call half way.
    events: SimpleQueue[dict[str, Any] | BaseException] = SimpleQueue()
    poller = threading.Thread(target=_poll, args=(gateway, job, events), name="pydl4j-poll", daemon=True)
    poller.start()
    try:
        while True:
            event = _next(events)
            if event["type"] in _LAST:
                break
            if event["type"] == "waiting":
                _log.warning("%s", event["message"])
            else:
                on_event(event)
    except BaseException:
        gateway.call("job.Jobs.cancel", job)
        poller.join()  # until the last event
        raise
    if event["type"] == "failed":
        raise to_error(event["error"])
    result: dict[str, Any] = event.get("result", {})
    return result


def _next(events: "SimpleQueue[dict[str, Any] | BaseException]") -> dict[str, Any]:
    event = events.get()
    if isinstance(event, BaseException):
        raise event
    return event


def _poll(gateway: Gateway, job: JavaObject, events: "SimpleQueue[dict[str, Any] | BaseException]") -> None:
    event: dict[str, Any] = {"type": ""}
    while event["type"] not in _LAST:
        try:
            text = gateway.call("job.Jobs.poll", job, _POLL_MILLIS)
        except BaseException as error:  # noqa: BLE001  # raised again on the caller's thread
            events.put(error)
            return
        if text is not None:
            event = json.loads(text)
            events.put(event)
