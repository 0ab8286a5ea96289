"""What the native engine under DL4J needs from the process that it runs in."""

import ctypes
import logging
import os
import sys

__all__ = ["ONE_PER_WORKER", "coarsen_timers", "environment"]

# Idle threads of OpenMP and OpenBLAS spin by default, and take the cores from those that compute: on 2 cores, two threads were
# slower than one. Asleep they cost nothing: 784-256-10 perceptron, batch 64: 11.5 ms a minibatch with two spinning threads, 4.5 with
# one, 4.3 with two that sleep; 784-2048-2048-10, batch 256: 229, 211, 113; LeNet, batch 64: 55, 52, 36.
_SLEEP_WHEN_IDLE = {
    "OMP_WAIT_POLICY": "passive",
    "OPENBLAS_THREAD_TIMEOUT": "14",
}  # 2^14 clock ticks, where OpenBLAS has 2^26

ONE_PER_WORKER = {"SD_MAX_THREADS": "1", "SD_MASTER_THREADS": "1"}
"""For a JVM in which workers train side by side: how ND4J splits a sum would depend on what the others do at that moment, and with it the
last bits of the result."""

_log = logging.getLogger(__name__)

_PR_SET_TIMERSLACK = 29
# ParallelWrapper's caller polls its workers every microsecond; Linux makes that 50 with its default slack. On 2 cores with 2
# LeNet workers the polling took 18 to 28 ms of CPU time a minibatch, and 3 to 5 with half a millisecond.
_SLACK_NS = 500_000


def environment(threads: int | None = None) -> dict[str, str]:
    """Return environment variables for a process in which the engine is yet to be loaded.

    Args:
        threads: threads of one training thread; default: one per core. Where several networks train side by side, one each is
            best: two LeNets on 2 cores take 58 ms a minibatch each with one thread, 83 with two; one alone takes 54.
    """
    counts = {} if threads is None else dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    return _SLEEP_WHEN_IDLE | counts


def coarsen_timers() -> None:
    """Let short sleeps of this thread, and of threads and processes it starts from now on, take up to 0.5 ms longer.

    For a process that starts a JVM with DL4J's ParallelWrapper in it; elsewhere than on Linux, and where a sandbox forbids it, it does
    nothing.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(_SLACK_NS), 0, 0, 0) != 0:
        _log.info("timers stay as they are: prctl(PR_SET_TIMERSLACK): %s", os.strerror(ctypes.get_errno()))
