"""DL4J's model file: a zip with the configuration, the parameters, the updater's state and, it may be, a normalizer."""

from pathlib import Path

from pydl4j.conf import MultiLayerConfiguration
from pydl4j.data.model_zip import model_file
from pydl4j.errors import ConfigError, ModelFileError

CONFIGURATION = "configuration.json"
_COEFFICIENTS = "coefficients.bin"


def read_configuration(path: Path) -> MultiLayerConfiguration:
    """The configuration in a model file.

    Raises:
        ModelFileError: there is no such file, it is damaged, or it holds something else than a MultiLayerNetwork.
    """
    with model_file(path) as model:
        damaged = model.testzip()
        names = set(model.namelist())
        text = model.read(CONFIGURATION).decode() if CONFIGURATION in names and not damaged else None
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
