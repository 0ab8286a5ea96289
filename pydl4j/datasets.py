"""Real data to try networks on, and what turns files and texts into arrays."""

from pydl4j import _public
from pydl4j.data.digits import digits, train_test_split
from pydl4j.data.idx import read_idx
from pydl4j.data.mnist import mnist
from pydl4j.data.text import Vocabulary, characters

__all__ = ["Vocabulary", "characters", "digits", "mnist", "read_idx", "train_test_split"]

__dir__ = _public.public(globals())
