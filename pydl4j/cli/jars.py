"""``pydl4j jars``: the jars of DL4J on this machine."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from pydl4j.jvm.lock import Jar

__all__ = ["app"]

app = App(name="jars", help="Fetch, check and list the jars of DL4J.")


Sets = Annotated[str, Parameter(help="Sets of jars, see `pydl4j jars list`; default: all that this machine uses.")]
Repository = Annotated[
    str | None, Parameter(help="Address of a Maven repository; default: PYDL4J_MAVEN_REPOSITORY, else Maven Central.")
]
ClassPath = Annotated[str, Parameter(help="`core`, which is the default, or `core spark` for beside Spark's own jars.")]
Portable = Annotated[
    bool,
    Parameter(
        help="With the engine for every CPU of this kind, as clusters need whose machines may differ (any master but local)."
    ),
]
Bundle = Annotated[Path | None, Parameter(help="A file of `pydl4j jars bundle`, instead of a repository.")]
AsJson = Annotated[bool, Parameter(name="--json", help="For programs.")]
Separator = Annotated[str, Parameter(help="What stands between two jars: a comma for `spark-submit --jars`.")]


def _chosen(sets: tuple[str, ...]) -> tuple[str, ...]:
    from pydl4j.jvm.lock import native_set

    return sets or ("core", "standalone", "spark", native_set())


def _with_engines(sets: tuple[str, ...], *, portable: bool) -> tuple[str, ...]:
    from pydl4j.jvm import lock

    more = (lock.native_set(portable=True),) if portable else ()
    return tuple(dict.fromkeys((*_chosen(sets), *more)))


@app.command
def fetch(*sets: Sets, repository: Repository = None, portable: Portable = False, bundle: Bundle = None) -> None:
    """Download the jars that are missing or damaged, and check every one of them.

    Example: `pydl4j jars fetch --portable`
    """
    from pydl4j.jvm import bundle as bundles
    from pydl4j.jvm import jars

    chosen = _with_engines(sets, portable=portable)
    found = jars.fetch(*chosen, repository=repository) if bundle is None else bundles.unpack(bundle, *chosen)
    print(f"{len(found)} jars are in {jars.jar_dir()}, all as in the lock file")


@app.command
def bundle(target: Path, /, *sets: Sets, repository: Repository = None, portable: Portable = False) -> None:
    """Write jars into one file, for machines without a network.

    There, `pydl4j jars fetch --bundle FILE` takes them from it; or unzip it, and name the folder in PYDL4J_JARS.

    Example: `pydl4j jars bundle pydl4j-jars.zip --portable`
    """
    from pydl4j.jvm import bundle as bundles

    size = bundles.pack(target, *_with_engines(sets, portable=portable), repository=repository)
    print(f"{target}: {size / 1e6:.1f} MB")


@app.command
def clean(
    *,
    all: Annotated[bool, Parameter(help="The jars of this version, too.")] = False,  # noqa: A002  # --all
    dry_run: Annotated[bool, Parameter(help="Only tell what would be removed.")] = False,
) -> None:
    """Remove jars from the cache that this version does not need, and what interrupted downloads left.

    Example: `pydl4j jars clean --dry-run`
    """
    from pydl4j.jvm import bundle as bundles

    found = bundles.clean(everything=all, dry_run=dry_run)
    for path in found:
        print(path)
    print(f"{len(found)} {'would be ' if dry_run else ''}removed")


@app.command
def verify(*sets: Sets) -> None:
    """Read every jar anew and compare it with the lock file."""
    from pydl4j.jvm import jars

    found = jars.verify(*_chosen(sets))
    print(f"{len(found)} jars in {jars.jar_dir()} are as in the lock file")


@app.command(name="list")
def list_(*, as_json: AsJson = False) -> None:
    """List every set with its jars, and which of them are here."""
    from pydl4j.jvm import jars, lock

    folder, used = jars.jar_dir(), _chosen(())
    if as_json:
        found = {name: [_described(jar, folder) for jar in lock.jars_of(name)] for name in lock.set_names()}
        print(json.dumps({"folder": str(folder), "used": used, "sets": found}, indent=2))
        return
    for name in lock.set_names():
        entries = lock.jars_of(name)
        mark = " (this machine)" if name in used else ""
        print(f"{name}{mark}: {len(entries)} jars, {sum(jar.size for jar in entries) / 1e6:.1f} MB")
        for jar in entries:
            here = "here" if (folder / jar.file_name).is_file() else "-"
            print(f"  {here:4} {jar.size / 1e6:7.2f} MB  {jar.coordinates}")


def _described(jar: "Jar", folder: Path) -> dict[str, object]:
    here = (folder / jar.file_name).is_file()
    return {"coordinates": jar.coordinates, "file": jar.file_name, "size": jar.size, "sha256": jar.sha256, "here": here}


@app.command
def path(*sets: ClassPath, separator: Separator = os.pathsep, portable: Portable = False) -> None:
    """Print the class path of these sets."""
    from pydl4j.jvm import jars, lock

    print(separator.join(map(str, jars.class_path(*sets or ("core",), native=lock.native_set(portable=portable)))))
