"""What processes hold, to be compared over time."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import psutil


def footprint(processes: Iterable[psutil.Process]) -> dict[str, int]:
    """Threads, descriptors, and bytes of ``anonymous`` and ``shared_memory``, of all of them together."""
    total = dict.fromkeys(("threads", "descriptors", "anonymous", "shared_memory"), 0)
    for process in processes:
        status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        kib = {line.split(":")[0]: int(line.split()[1]) for line in status if line.startswith("Rss")}
        total["threads"] += process.num_threads()
        total["descriptors"] += process.num_fds()
        total["anonymous"] += kib["RssAnon"] << 10
        total["shared_memory"] += kib["RssShmem"] << 10
    return total


def files(*directories: Path) -> int:
    """Files in directories, and in those below them."""
    return sum(path.is_file() for directory in directories for path in directory.rglob("*"))


def growth(samples: Sequence[Mapping[str, float]], over: Sequence[float]) -> dict[str, float]:
    """The slope of each figure over the second half of the samples."""
    half = slice(len(samples) // 2, None)
    return {
        what: float(np.polyfit(over[half], [sample[what] for sample in samples[half]], 1)[0]) for what in samples[0]
    }
