"""Files: where they are, and writing one so that it is whole at any time."""

import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def as_uri(place: str) -> str:
    """A path, counted from this process' working directory, as a URI; what names a scheme is one already."""
    return place if has_scheme(place) else Path(place).absolute().as_uri()


def has_scheme(place: str) -> bool:
    """Whether this is a URI, not a path."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", place) is not None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file beside ``path`` to write to; it takes the place of ``path`` when all went well, and is gone otherwise.

    Where ``path`` is a link, the file that it points to is replaced.

    Raises:
        FileNotFoundError: there is no such directory.
    """
    path = path.resolve()
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such directory to write a file in", str(path.parent))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        if path.exists():
            shutil.copymode(path, temporary)
        else:
            temporary.chmod(0o666 & ~_umask())  # mkstemp made it 0600
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    umask = os.umask(0)  # there is no way to read it but to set it
    os.umask(umask)
    return umask
