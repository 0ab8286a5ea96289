"""The jars on this machine: where they are, whether they are whole, and how they come here.

They lie flat in one folder, under versioned names (JavaCPP names its cache of unpacked libraries after them). A jar
that was hashed once is known again by size, modification time and inode: a start costs a few ``stat`` calls.
"""

import hashlib
import json
import os
import shutil
import ssl
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from pydl4j._version import __version__
from pydl4j.errors import JarError
from pydl4j.jvm.lock import Jar, jars_of, native_set

__all__ = ["bridge_jar", "cache_dir", "class_path", "fetch", "jar_dir", "sets_for", "take", "verify"]

FETCH = "pydl4j jars fetch"
MAVEN_CENTRAL = "https://repo1.maven.org/maven2"
_ATTEMPTS = 3
_TIMEOUT = 60  # seconds without an answer

Advance = Callable[[int], None]


def cache_dir() -> Path:
    """Return pydl4j's folder in the user's cache: ``~/.cache/pydl4j`` on Linux."""
    from platformdirs import user_cache_path

    return user_cache_path("pydl4j", appauthor=False)


def jar_dir() -> Path:
    """Return the folder of the jars: ``PYDL4J_JARS`` where that is set, else ``jars`` in the cache."""
    given = os.environ.get("PYDL4J_JARS")
    return Path(given).expanduser().absolute() if given else cache_dir() / "jars"


def sets_for(*sets: str, native: str | None = None) -> tuple[str, ...]:
    """Return the sets that a class path of these needs: an engine always, ``standalone`` where there is no Spark."""
    host = () if "spark" in sets else ("standalone",)
    return (*sets, *host, native or native_set())


def class_path(*sets: str, native: str | None = None) -> list[Path]:
    """Return the class path of these sets: the bridge first, then every jar of theirs, known to be whole.

    Args:
        *sets: ``"core"``, and ``"spark"`` beside it where Spark's own jars are on the class path, too.
        native: the set with the native engine (see `pydl4j.jvm.lock.native_set`, the default).

    Raises:
        JarError: a jar is missing, or not the one of the lock file.
    """
    jars = jars_of(*sets_for(*sets or ("core",), native=native))
    folder = jar_dir()
    _check(jars, folder, trust=True, remedy=FETCH + _flag(native))
    return [bridge_jar(), *(folder / jar.file_name for jar in jars)]


def _flag(native: str | None) -> str:
    """What ``fetch`` is told to bring this engine as well."""
    return " --portable" if native not in (None, native_set()) else ""


def bridge_jar() -> Path:
    """Return the bridge jar, which the build puts into the package.

    Raises:
        JarError: the package was put there without being built.
    """
    jar = Path(__file__).resolve().parents[1] / "_jars" / f"pydl4j-bridge-{__version__}.jar"
    if not jar.is_file():
        raise JarError(
            f"the bridge jar is missing: expected {jar}; install pydl4j again (from a checkout: scripts/setup)"
        )
    return jar


def verify(*sets: str) -> list[Path]:
    """Read every jar of these sets anew and compare its sha256 with the lock file.

    Raises:
        JarError: a jar is missing, or not the one of the lock file.
    """
    jars, folder = jars_of(*sets), jar_dir()
    _check(jars, folder, trust=False)
    return [folder / jar.file_name for jar in jars]


def fetch(*sets: str, repository: str | None = None) -> list[Path]:
    """Bring the jars of these sets into the cache and return where they are.

    Jars that are there and whole stay; each of the others is downloaded under another name, compared with the lock
    file's sha256 and only then put in place. Several processes may fetch at once: one does, the others wait.

    Args:
        *sets: names of sets, see `pydl4j.jvm.lock.set_names`.
        repository: address of a Maven repository; by default ``PYDL4J_MAVEN_REPOSITORY``, else Maven Central.

    Raises:
        JarError: a jar that cannot be downloaded or is not the one of the lock file; with ``PYDL4J_JARS`` set, also a
            jar that is missing there, since that folder is never written to.
    """
    if os.environ.get("PYDL4J_JARS"):
        return verify(*sets)
    address = repository or os.environ.get("PYDL4J_MAVEN_REPOSITORY") or MAVEN_CENTRAL
    return _complete(sets, lambda missing, folder: _download(missing, folder, address))


def take(*sets: str, source: Callable[[Jar, Path], Path]) -> list[Path]:
    """As :func:`fetch`, from anywhere: ``source`` puts a jar into a folder and says where it is.

    Raises:
        JarError: a jar that is not the one of the lock file.
    """

    def bring(missing: list[Jar], folder: Path) -> None:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".part-") as part:
            for jar in missing:
                path = source(jar, Path(part))
                problem = _problem(jar, path)
                if problem is not None:
                    raise JarError(problem)
                path.replace(folder / jar.file_name)

    return _complete(sets, bring)


def _complete(sets: tuple[str, ...], bring: Callable[[list[Jar], Path], None]) -> list[Path]:
    """Have the jars that are missing or damaged brought into the cache, by one process at a time."""
    from filelock import FileLock

    jars, folder = jars_of(*sets), jar_dir()
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):
        missing = [jar for jar in jars if _problem(jar, folder / jar.file_name) is not None]
        if missing:
            bring(missing, folder)
        _remember({folder / jar.file_name: jar for jar in jars})
    return [folder / jar.file_name for jar in jars]


def _check(jars: Iterable[Jar], folder: Path, *, trust: bool, remedy: str = FETCH) -> None:
    """Raise for the first jar that is missing or wrong; ``trust`` those hashed before and not changed since."""
    stamps = _stamps() if trust else {}
    fresh: dict[Path, Jar] = {}
    for jar in jars:
        path = folder / jar.file_name
        stamp = _stamp(path, jar)
        if stamp is not None and stamps.get(str(path)) == stamp:
            continue
        problem = _problem(jar, path)
        if problem is not None:
            raise JarError(f"{problem}; {_remedy(folder, remedy)}")
        fresh[path] = jar
    if fresh:
        _remember(fresh)


def _remedy(folder: Path, command: str) -> str:
    if os.environ.get("PYDL4J_JARS"):
        return f"put it into {folder}, which PYDL4J_JARS names, or unset PYDL4J_JARS and run `{command}`"
    return f"run `{command}`"


def _problem(jar: Jar, path: Path) -> str | None:
    """Say what is wrong with this file, if anything."""
    if not path.is_file():
        return f"{jar.file_name} is missing: expected {path}"
    size = path.stat().st_size
    if size != jar.size:
        return f"{path} is not the jar of the lock file: expected {jar.size} bytes, found {size}"
    actual = _sha256(path)
    if actual != jar.sha256:
        return f"{path} is not the jar of the lock file: expected sha256 {jar.sha256}, found {actual}"
    return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stamp(path: Path, jar: Jar) -> list[int | str] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns, status.st_ino, jar.sha256]


def _stamp_file() -> Path:
    return cache_dir() / "verified.json"


def _stamps() -> dict[str, list[int | str]]:
    # a stamp file that is missing or damaged costs time, not correctness
    with suppress(OSError, ValueError):
        stamps = json.loads(_stamp_file().read_text(encoding="utf-8"))
        return stamps if isinstance(stamps, dict) else {}
    return {}


def _remember(jars: dict[Path, Jar]) -> None:
    stamps = _stamps()
    fresh = {str(path): stamp for path, jar in jars.items() if (stamp := _stamp(path, jar)) is not None}
    if stamps == (stamps := stamps | fresh):
        return
    # with a cache that cannot be written, jars are hashed at every start
    with suppress(OSError):
        _stamp_file().parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=_stamp_file().parent, prefix="verified-", delete=False) as file:
            json.dump(stamps, file)
        Path(file.name).replace(_stamp_file())


def _download(jars: list[Jar], folder: Path, repository: str) -> None:
    from pydl4j.jvm.progress import progress

    # what an interrupted process left there is swept here, under the lock
    for left in folder.glob(".part-*"):
        shutil.rmtree(left, ignore_errors=True)
    with (
        _system_certificates(),
        tempfile.TemporaryDirectory(dir=folder, prefix=".part-") as part,
        progress(len(jars), sum(jar.size for jar in jars)) as show,
    ):
        for jar in jars:
            _download_one(jar, Path(part), repository, show.start(jar.file_name)).replace(folder / jar.file_name)


@contextmanager
def _system_certificates() -> Iterator[None]:
    """Let requests trust what the system trusts, as pip, Maven and curl do; alone it knows only its own list."""
    paths = ssl.get_default_verify_paths()
    store = paths.cafile or (paths.capath if paths.capath and any(Path(paths.capath).iterdir()) else None)
    if store is None or "REQUESTS_CA_BUNDLE" in os.environ or "CURL_CA_BUNDLE" in os.environ:
        yield
        return
    os.environ["REQUESTS_CA_BUNDLE"] = store
    try:
        yield
    finally:
        del os.environ["REQUESTS_CA_BUNDLE"]


def _download_one(jar: Jar, part: Path, repository: str, advance: Advance) -> Path:
    problem = "never tried"
    for _ in range(_ATTEMPTS):
        done = 0

        def count(size: int) -> None:
            nonlocal done
            done += size
            advance(size)

        try:
            path = _from_maven(jar, part, repository, count)
        except (
            OSError,
            RuntimeError,
        ) as error:  # jgo raises requests' errors, which are OSErrors, and RuntimeError for "not found"
            problem = f"{type(error).__name__}: {error}"
        else:
            problem = _problem(jar, path) or ""
            if not problem:
                return path
        advance(-done)
        shutil.rmtree(part / "repository", ignore_errors=True)
    raise JarError(
        f"{jar.file_name} could not be fetched from {repository} ({_ATTEMPTS} attempts): {problem}; "
        f"check the network and run `{FETCH}` again, or put the jars into a folder and name it in PYDL4J_JARS"
    )


def _from_maven(jar: Jar, part: Path, repository: str, advance: Advance) -> Path:
    """Download one jar with jgo, which writes straight to its final path: that path lies in our temporary folder."""
    from jgo.maven import MavenContext, PythonResolver

    context = MavenContext(
        resolver=PythonResolver(progress_callback=lambda _name, _size: nullcontext(advance)),
        repo_cache=part / "repository",
        local_repos=[],
        remote_repos={"maven": repository},
        timeout=_TIMEOUT,
    )
    component = context.project(jar.group, jar.artifact).at_version(jar.version)
    return component.artifact(classifier=jar.classifier, packaging="jar").resolve()
