"""The exceptions of pydl4j: one tree, and no imports that take time.

Every failure, in Python or in the JVM, arrives as one of these. The message says what was expected, what came, where, and what to do;
``path`` is the place in the user's configuration (``layers[3].n_out``) where one is known; ``java_stack`` is the Java stack trace where
the failure happened in the JVM; ``worker_log`` has the last lines that an executor logged before a task of it failed, and its place, or the
end of what a lost executor wrote (on a standalone cluster; on others where its log is). Set ``PYDL4J_DEBUG=1`` to have both printed with the
message.
"""

from typing import TYPE_CHECKING

from pydl4j import _public

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "BridgeVersionError",
    "CheckpointError",
    "ConfigError",
    "ConfigWarning",
    "CountMismatchError",
    "DL4JError",
    "DataError",
    "DataWarning",
    "ExecutorLostError",
    "GuardError",
    "JarError",
    "JavaNotFoundError",
    "JavaVersionError",
    "JvmAlreadyStartedError",
    "JvmError",
    "ModelFileError",
    "NaNScoreError",
    "NativeError",
    "ShapeError",
    "SparkConnectError",
    "SparkError",
    "SparkSessionStoppedError",
    "SparkVersionError",
    "TrainingError",
    "UnknownOptionError",
    "shown",
    "suggestion",
]


def suggestion(value: object, words: "Iterable[str]") -> str:
    """Return `` (did you mean 'relu'?)`` where one of the words is near, else nothing."""
    if not isinstance(value, str):
        return ""
    from difflib import get_close_matches

    near = get_close_matches(value.lower(), list(words), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def shown(value: object) -> str:
    """``repr(value)``, cut off where it would bury the message."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


_SHOWN = 300


class DL4JError(Exception):
    """Root of all errors raised by pydl4j."""

    def __init__(self, message: str, *, path: str | None = None, java_stack: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.java_stack = java_stack
        self.worker_log: str | None = None


class ConfigError(DL4JError, ValueError):
    """A configuration that DL4J would refuse, or that could only train wrongly."""


class UnknownOptionError(ConfigError, TypeError):
    """An option that the class does not have; the message names the nearest one."""


class GuardError(ConfigError):
    """A configuration that DL4J accepts, and that then fails or silently trains something else than was written."""


class ConfigWarning(UserWarning):
    """A document that says more than pydl4j understands, read leniently."""


class ShapeError(DL4JError, ValueError):
    """An array whose shape does not fit the network."""


class DataError(DL4JError, ValueError):
    """Data that cannot be trained on: empty, NaN, labels out of range, an unusable dtype."""


class DataWarning(UserWarning):
    """Data that can be trained on, but is probably not what was meant."""


class TrainingError(DL4JError, RuntimeError):
    """Training started and could not be finished."""


class NaNScoreError(TrainingError):
    """The score or the parameters became NaN or infinite; the network was put back to where it was before the epoch."""


class CountMismatchError(TrainingError):
    """Fewer or more minibatches were trained than were handed in; the network was put back to where it was before the epoch."""


class CheckpointError(TrainingError):
    """A checkpoint that could not be written or read, or that is of another fit."""


class ModelFileError(DL4JError, ValueError):
    """A model file that cannot be read, or is not one of DL4J's."""


class NativeError(DL4JError, RuntimeError):
    """The native engine failed: out of off-heap memory, a missing library, an unsupported CPU or GPU."""


class JvmError(DL4JError, RuntimeError):
    """The JVM could not be started, found or used; also any Java exception that has no better class."""


class JavaNotFoundError(JvmError):
    """No Java on this machine."""


class JavaVersionError(JvmError):
    """Java was found, but neither 11 nor 17."""


class JarError(JvmError):
    """A jar is missing, truncated or not the one that the lock file names."""


class BridgeVersionError(JvmError):
    """The bridge jar on the class path belongs to another pydl4j."""


class JvmAlreadyStartedError(JvmError):
    """A JVM option was set after the JVM had started; it can be started only once in a process."""


class SparkError(DL4JError, RuntimeError):
    """Spark cannot be used as asked."""


class SparkSessionStoppedError(SparkError):
    """The SparkSession was stopped."""


class SparkVersionError(SparkError):
    """A Spark that DL4J's Spark modules cannot run on; they need 3.5 with Scala 2.12."""


class SparkConnectError(SparkError):
    """A Spark Connect session: it has no JVM on this side to drive."""


class ExecutorLostError(SparkError):
    """An executor was lost and its work could not be repeated, or executors failed as they started; see ``worker_log``."""


__dir__ = _public.public(globals())
