"""``pydl4j jars``: the jars of DL4J on this machine."""

import os
from typing import Annotated

from cyclopts import App, Parameter

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
Separator = Annotated[str, Parameter(help="What stands between two jars: a comma for `spark-submit --jars`.")]


def _chosen(sets: tuple[str, ...]) -> tuple[str, ...]:
    from pydl4j.jvm.lock import native_set

    return sets or ("core", "standalone", "spark", native_set())


@app.command
def fetch(*sets: Sets, repository: Repository = None, portable: Portable = False) -> None:
    """Download the jars that are missing or damaged, and check every one of them."""
    from pydl4j.jvm import jars, lock

    more = (lock.native_set(portable=True),) if portable else ()
    found = jars.fetch(*dict.fromkeys((*_chosen(sets), *more)), repository=repository)
    print(f"{len(found)} jars are in {jars.jar_dir()}, all as in the lock file")


@app.command
def verify(*sets: Sets) -> None:
    """Read every jar anew and compare it with the lock file."""
    from pydl4j.jvm import jars

    found = jars.verify(*_chosen(sets))
    print(f"{len(found)} jars in {jars.jar_dir()} are as in the lock file")


@app.command(name="list")
def list_() -> None:
    """List every set with its jars, and which of them are here."""
    from pydl4j.jvm import jars, lock

    folder, used = jars.jar_dir(), _chosen(())
    for name in lock.set_names():
        entries = lock.jars_of(name)
        mark = " (this machine)" if name in used else ""
        print(f"{name}{mark}: {len(entries)} jars, {sum(jar.size for jar in entries) / 1e6:.1f} MB")
        for jar in entries:
            here = "here" if (folder / jar.file_name).is_file() else "-"
            print(f"  {here:4} {jar.size / 1e6:7.2f} MB  {jar.coordinates}")


@app.command
def path(*sets: ClassPath, separator: Separator = os.pathsep, portable: Portable = False) -> None:
    """Print the class path of these sets."""
    from pydl4j.jvm import jars, lock

    print(separator.join(map(str, jars.class_path(*sets or ("core",), native=lock.native_set(portable=portable)))))
