"""DL4J's model file: a zip with the configuration, the parameters, the updater's state and, it may be, a normalizer."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.data.model_zip import model_file
from pydl4j.data.ndarray_io import element_count
from pydl4j.errors import ConfigError, JvmError, ModelFileError

CONFIGURATION = "configuration.json"
_COEFFICIENTS = "coefficients.bin"
_UPDATER = "updaterState.bin"


Kind = type[MultiLayerConfiguration] | type[ComputationGraphConfiguration]
_NETWORKS: dict[Kind, str] = {
    MultiLayerConfiguration: "MultiLayerNetwork",
    ComputationGraphConfiguration: "ComputationGraph",
}


def read_configuration(path: Path, kind: Kind) -> MultiLayerConfiguration | ComputationGraphConfiguration:
    """The configuration of that kind in a model file, whose other parts are whole and fit it.

    Raises:
        ModelFileError: there is no such file, it is damaged, or it holds something else than a network of that kind.
    """
    with model_file(path) as model:
        damaged = model.testzip()
        names = set(model.namelist())
        document = model.read(CONFIGURATION) if CONFIGURATION in names and not damaged else None
    if damaged:
        raise ModelFileError(f"{path} is damaged: {damaged} in it cannot be read back; copy or save it again")
    missing = {CONFIGURATION, _COEFFICIENTS} - names
    if document is None or missing:
        raise ModelFileError(
            f"{path} is a zip, but not one of DL4J's models: it lacks {', '.join(sorted(missing))}. Received: {', '.join(sorted(names)[:5])}"
        )
    try:
        text = document.decode()
        _check_kind(path, text, kind)
        conf = kind.from_json(text)
        expected = conf.resolve().n_params
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{path}: {CONFIGURATION} is damaged: it is no text in UTF-8 ({error})") from error
    except ConfigError as error:
        raise ModelFileError(f"{path} holds a network that cannot be used here: {error}", path=error.path) from error
    with model_file(path) as model:
        received = _elements(path, model, _COEFFICIENTS)
        _elements(path, model, _UPDATER)
    if received != expected:
        raise ModelFileError(
            f"{path}: {_COEFFICIENTS} does not fit {CONFIGURATION}: expected {expected} parameters. Received: {received}"
        )
    return conf


def _check_kind(path: Path, document: str, kind: Kind) -> None:
    """Refuse the other kind of network, which has its layers under another key."""
    try:
        tree = json.loads(document)
    except json.JSONDecodeError:  # told of where it is read
        return
    keys = {MultiLayerConfiguration: "confs", ComputationGraphConfiguration: "vertices"}
    other = next((each for each in keys if each is not kind and isinstance(tree, dict) and keys[each] in tree), None)
    if other is not None and keys[kind] not in tree:
        raise ModelFileError(f"{path} holds a {_NETWORKS[other]}, not a {_NETWORKS[kind]}: use {_NETWORKS[other]}.load")


@contextmanager
def told_of_parts(path: Path) -> Iterator[None]:
    """DL4J's failure to load a file whose configuration was read: what is left to be wrong is the updater's state.

    Raises:
        ModelFileError: DL4J failed.
    """
    try:
        yield
    except JvmError as error:
        raise ModelFileError(
            f"{path}: DL4J cannot load it; its parameters fit, so {_UPDATER} most likely does not fit: {error.message}",
            java_stack=error.java_stack,
        ) from error


def _elements(path: Path, model: zipfile.ZipFile, part: str) -> int:
    """How many numbers a part holds; none where there is no such part, or an empty one."""
    size = model.getinfo(part).file_size if part in model.namelist() else 0
    if size == 0:
        return 0
    try:
        with model.open(part) as stream:
            return element_count(stream, size)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {part} is damaged: {error.message}") from error
