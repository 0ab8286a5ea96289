"""Small disks: a process in a mount namespace of its own sees a file system of a few bytes where others see a directory."""

import os
import shutil
import subprocess
from pathlib import Path


def missing() -> str | None:
    """Why there can be no small disks here; None where there can."""
    if os.geteuid() != 0:
        return "mounting small disks needs root"
    if shutil.which("unshare") is None:
        return "mounting small disks needs `unshare` (Debian and Ubuntu: apt-get install util-linux)"
    tried = subprocess.run([*small("/dev/shm", "1m"), "true"], capture_output=True, text=True, check=False, timeout=30)
    return f"small disks cannot be mounted here: {tried.stderr.strip()}" if tried.returncode != 0 else None


def small(directory: str | Path, size: str) -> tuple[str, ...]:
    """What to put before a command line, so that it sees an empty disk of this size at ``directory``."""
    mount = f'mount -t tmpfs -o size={size} tmpfs "$0" && exec "$@"'
    return ("unshare", "--mount", "--propagation", "private", "sh", "-c", mount, str(directory))
