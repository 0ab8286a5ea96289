"""Jars on machines without a network: all in one file, made where there is one. And what is no longer needed of them."""

import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock

from pydl4j.errors import JarError
from pydl4j.jvm import jars
from pydl4j.jvm.lock import Jar, jars_of, set_names

__all__ = ["clean", "pack", "unpack"]

_EPOCH = (1980, 1, 1, 0, 0, 0)  # of all entries: the same jars are the same file


def pack(target: Path, *sets: str, repository: str | None = None) -> int:
    """Write the jars of these sets into a zip file, those that are missing fetched first; its bytes.

    The file appears when it is whole, and has the same bytes wherever it is made.

    Raises:
        JarError: see :func:`pydl4j.jvm.jars.fetch`; or the file cannot be written.
    """
    found = jars.fetch(*sets, repository=repository)
    part = target.with_name(target.name + ".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as bundle:  # jars are compressed already
            for path in found:
                with path.open("rb") as jar, bundle.open(_entry(path), "w", force_zip64=True) as entry:
                    shutil.copyfileobj(jar, entry, 1 << 20)
        part.replace(target)
    except OSError as error:
        raise JarError(f"the bundle cannot be written to {target}: {error}") from error
    finally:
        part.unlink(missing_ok=True)
    return target.stat().st_size


def _entry(path: Path) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path.name, _EPOCH)
    entry.external_attr = 0o644 << 16
    entry.file_size = path.stat().st_size
    return entry


def unpack(bundle: Path, *sets: str) -> list[Path]:
    """Bring the jars of these sets from a bundle into the cache, each compared with the lock file; where they are.

    Raises:
        JarError: no bundle, a jar that is missing in it or not the one of the lock file; or ``PYDL4J_JARS`` is set, whose folder is never
            written to.
    """
    if os.environ.get("PYDL4J_JARS"):
        raise JarError("PYDL4J_JARS names a folder, which is never written to: unzip the bundle there, or unset it")
    try:
        with zipfile.ZipFile(bundle) as opened:
            return jars.take(*sets, source=lambda jar, part: _extract(opened, jar, part))
    except (OSError, zipfile.BadZipFile) as error:
        raise JarError(f"expected a bundle of `pydl4j jars bundle`. Received: {bundle} ({error})") from error


def _extract(bundle: zipfile.ZipFile, jar: Jar, part: Path) -> Path:
    try:
        return Path(bundle.extract(jar.file_name, part))
    except KeyError:
        raise JarError(
            f"{jar.file_name} is not in {bundle.filename}: make the bundle with this version of pydl4j, and for the sets and machines that need it"
        ) from None


def clean(*, everything: bool = False, dry_run: bool = False) -> list[Path]:
    """Remove from the cache what no set of this version needs: jars of other versions, what interrupted downloads left.

    Args:
        everything: Jars that are needed, too.
        dry_run: Only tell.

    Returns:
        What was removed, or would be. The folder that ``PYDL4J_JARS`` names is not looked at.
    """
    folder = jars.cache_dir() / "jars"
    if not folder.is_dir():
        return []
    with FileLock(folder / ".lock"):
        found = sorted(_unneeded(folder, everything=everything))
        for path in [] if dry_run else found:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    return found


def _unneeded(folder: Path, *, everything: bool) -> Iterator[Path]:
    needed = set() if everything else {jar.file_name for jar in jars_of(*set_names())}
    for path in folder.iterdir():
        if path.name.startswith(".part-") or (path.suffix == ".jar" and path.name not in needed):
            yield path
