"""The root of the command line; each command loads what it needs when it runs."""

from cyclopts import App

from pydl4j._version import __version__
from pydl4j.cli import jars

__all__ = ["app"]

app = App(name="pydl4j", help="Deeplearning4j from Python.", version=__version__)
app.command(jars.app)
