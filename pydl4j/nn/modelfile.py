"""DL4J's model file: a zip with the configuration, the parameters, the updater's state and, it may be, a normalizer."""

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydl4j.conf import MultiLayerConfiguration
from pydl4j.errors import ConfigError, ModelFileError

CONFIGURATION = "configuration.json"
_COEFFICIENTS = "coefficients.bin"


def read_configuration(path: Path) -> MultiLayerConfiguration:
    """The configuration in a model file.

    Raises:
        ModelFileError: there is no such file, it is damaged, or it holds something else than a MultiLayerNetwork.
    """
    if not path.is_file():
        raise ModelFileError(f"no model file at {path}")
    try:
        with zipfile.ZipFile(path) as model:
            damaged = model.testzip()
            names = set(model.namelist())
            text = model.read(CONFIGURATION).decode() if CONFIGURATION in names else None
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        raise ModelFileError(
            f"{path} is not a model file: {error}. Expected a zip written by save or DL4J's ModelSerializer"
        ) from None
    if damaged:
        raise ModelFileError(f"{path} is damaged: {damaged} in it cannot be read back; copy or save it again")
    missing = {CONFIGURATION, _COEFFICIENTS} - names
    if text is None or missing:
        raise ModelFileError(
            f"{path} is a zip, but not one of DL4J's models: it lacks {', '.join(sorted(missing))}. Received: {', '.join(sorted(names)[:5])}"
        )
    try:
        return MultiLayerConfiguration.from_json(text)
    except ConfigError as error:
        raise ModelFileError(f"{path} holds a network that cannot be used here: {error}", path=error.path) from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path`` to write to; it takes the place of ``path`` when all went well, and is gone otherwise."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp made it 0600
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
