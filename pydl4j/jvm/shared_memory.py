"""A piece of memory that this process and a JVM on the same host both see; arrays are staged through it, piece by piece."""

import mmap
import os
import tempfile
import threading
from functools import lru_cache

PIECE = 16 << 20  # bytes; 2 ms of copying against 0.1 ms for the call that announces it


class Segment:
    """Shared memory of :data:`PIECE` bytes, reached from another process by ``path``. Hold ``lock`` while using it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        if hasattr(os, "memfd_create"):
            self._fd = os.memfd_create("pydl4j", os.MFD_CLOEXEC)
            self.path = f"/proc/{os.getpid()}/fd/{self._fd}"  # opened by the same user only
        else:
            self._fd, self.path = tempfile.mkstemp(prefix="pydl4j-")  # created with mode 0600
        os.ftruncate(self._fd, PIECE)
        self.memory = mmap.mmap(self._fd, PIECE)


def segment() -> Segment:
    """This process' segment; a forked child gets one of its own."""
    return _segment(os.getpid())


@lru_cache(maxsize=1)
def _segment(_pid: int) -> Segment:
    return Segment()
