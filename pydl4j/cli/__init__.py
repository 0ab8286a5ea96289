"""The command line: ``pydl4j jars ...``."""

import sys

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line.

    Exit codes: 1 for a failure of pydl4j, which is told in one line; 2 for a wrong command line; 130 for Ctrl-C.
    """
    from pydl4j.cli.app import app
    from pydl4j.errors import DL4JError

    try:
        app(arguments)
    except DL4JError as error:
        print(f"pydl4j: {error.message}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
