"""From a failure in Java to an exception of :mod:`pydl4j.errors`."""

import json
import os
from typing import Any

from pydl4j import errors


def to_error(description: str | dict[str, Any]) -> errors.DL4JError:
    """The exception that ``org.pydl4j.Failures.describe`` describes."""
    failure = json.loads(description) if isinstance(description, str) else description
    cls = getattr(errors, failure["kind"], errors.JvmError)
    message, stack = failure["message"], failure["stack"]
    if failure["path"]:
        message = f"{failure['path']}: {message}"
    if os.environ.get("PYDL4J_DEBUG"):
        message = "\n".join(part for part in (message, failure["worker_log"], stack) if part)
    error: errors.DL4JError = cls(message, path=failure["path"], java_stack=stack)
    error.worker_log = failure["worker_log"]
    return error
