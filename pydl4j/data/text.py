"""Text as sequences of characters, for character-level recurrent networks."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pydl4j.errors import DataError

__all__ = ["Vocabulary", "characters"]


@dataclass(frozen=True)
class Vocabulary:
    """The characters a network knows; a character's index is its place in ``letters``.

    >>> vocabulary = Vocabulary.of("abba")
    >>> vocabulary.encode("ba")
    array([1, 0])
    >>> vocabulary.decode([1, 0])
    'ba'
    """

    letters: str
    """Each character once."""

    @classmethod
    def of(cls, text: str) -> "Vocabulary":
        """Collect the characters of a text, sorted."""
        return cls("".join(sorted(set(text))))

    def __len__(self) -> int:
        return len(self.letters)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {letter: index for index, letter in enumerate(self.letters)}

    def encode(self, text: str) -> NDArray[np.int64]:
        """Give the index of each character, ``[len(text)]``.

        Raises:
            DataError: A character is not in the vocabulary.
        """
        try:
            return np.array([self._index[letter] for letter in text], np.int64)
        except KeyError as error:
            raise DataError(f"character {error.args[0]!r} is not among the {len(self)} of the vocabulary") from None

    def decode(self, indices: Iterable[int]) -> str:
        """Give the text of these indices."""
        return "".join(self.letters[index] for index in indices)

    def one_hot(self, indices: NDArray[np.int64]) -> NDArray[np.float32]:
        """Encode indices ``[n, time]`` as features ``[n, len(self), time]``."""
        return np.ascontiguousarray(np.moveaxis(np.eye(len(self), dtype=np.float32)[indices], -1, 1))


def characters(
    text: str, length: int, vocabulary: Vocabulary | None = None
) -> tuple[NDArray[np.float32], NDArray[np.int64], Vocabulary]:
    """Cut a text into sequences, each character to be followed by the next; what is left at the end is dropped.

    Args:
        text: At least ``length + 1`` characters.
        length: Characters per sequence.
        vocabulary: The characters known; default those of the text.

    Returns:
        One-hot features float32 ``[n, len(vocabulary), length]``, the index of each next character int64 ``[n, length]``, and the
        vocabulary.

    Raises:
        DataError: The text is too short, or has a character that is not in the vocabulary.
    """
    if length < 1:
        raise DataError(f"length: expected at least 1. Received: {length}")
    count = (len(text) - 1) // length
    if count < 1:
        raise DataError(f"text: expected at least {length + 1} characters, one more than length. Received: {len(text)}")
    known = vocabulary or Vocabulary.of(text)
    codes = known.encode(text[: count * length + 1])
    here, following = (part.reshape(count, length) for part in (codes[:-1], codes[1:]))
    return known.one_hot(here), following, known
