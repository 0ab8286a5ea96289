"""What the native engine under DL4J needs from the process that it runs in."""

import ctypes
import os
import sys

__all__ = ["EXECUTIONER_FLAG", "coarsen_timers", "thread_environment"]

EXECUTIONER_FLAG = "-Dopexec=org.pydl4j.engine.GatedExecutioner"
"""JVM flag, for every JVM with ND4J's CPU backend: oneDNN only where it is right and not slower.

ND4J reads it once, when it starts. LeNet, batch 64, one AVX2 thread: 58 to 62 ms of CPU time a minibatch with it, 80 with
oneDNN everywhere, 265 to 275 as DL4J ships it.
"""

_PR_SET_TIMERSLACK = 29
# ParallelWrapper's caller polls its workers every microsecond; Linux makes that 50 with its default slack. On 2 cores with 2
# LeNet workers the polling took 18 to 28 ms of CPU time a minibatch, and 3 to 5 with half a millisecond.
_SLACK_NS = 500_000


def thread_environment(threads: int = 1) -> dict[str, str]:
    """Return environment variables for a JVM that is yet to be started, such as ``spark.executorEnv.*``.

    Args:
        threads: threads of one training thread. One was faster than two on 2 cores for LeNet (40 against 46 to 51 ms a
            minibatch) and for a 784-256-10 perceptron (4 to 5 against 7 to 26 ms).
    """
    return {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}


def coarsen_timers() -> None:
    """Let short sleeps of this thread, and of threads and processes it starts from now on, take up to 0.5 ms longer.

    For a process that starts a JVM with DL4J's ParallelWrapper in it; elsewhere than on Linux it does nothing.

    Raises:
        OSError: the kernel refused.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(_SLACK_NS), 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl(PR_SET_TIMERSLACK): {os.strerror(number)}")
