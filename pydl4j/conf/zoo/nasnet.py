"""NASNet, which cannot be had."""

from typing import NoReturn

from pydl4j.errors import ConfigError

__all__ = ["NASNet"]


def NASNet(num_classes: int) -> NoReturn:
    """NASNet-A (Zoph et al. 2017) is in DL4J's zoo, but its builder fails in 1.0.0-M2.1: there is nothing to be equal to.

    Raises:
        ConfigError: Always.

    """
    raise ConfigError(
        "NASNet cannot be made: the builder of DL4J 1.0.0-M2.1's own zoo fails for it "
        "(no inputs have been set). Of its size there are Xception and InceptionResNetV1.",
        path="NASNet",
    )
