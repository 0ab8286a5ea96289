"""The 8 x 8 digits that come with scikit-learn, and a split into training and test data."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pydl4j.errors import DataError

__all__ = ["digits", "train_test_split"]


def digits() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Load 1,797 real handwritten digits, which come with scikit-learn and need no network.

    Returns:
        Pixels from 0 to 1, float32 ``[1797, 64]`` (8 x 8, row by row), and digits, int64 ``[1797]``.

    Raises:
        DataError: scikit-learn is not installed.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError as error:
        raise DataError("the digits come with scikit-learn: pip install 'pydl4j[data]'") from error
    pixels, labels = load_digits(return_X_y=True)
    return np.divide(pixels, 16, dtype=np.float32), np.asarray(labels, np.int64)


def train_test_split(
    x: ArrayLike, y: ArrayLike, test_size: float = 0.2, seed: int = 0
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Shuffle examples and split them in two; the same seed gives the same split.

    Args:
        x: Features, ``[n, ...]``.
        y: Labels, ``[n, ...]``.
        test_size: Share of the examples to test on, more than 0 and less than 1; default a fifth.
        seed: Seed of the shuffle; default 0.

    Returns:
        ``x_train, x_test, y_train, y_test``, in scikit-learn's order.

    Raises:
        DataError: ``x`` and ``y`` differ in length, or ``test_size`` leaves one part empty.
    """
    features, labels = np.asarray(x), np.asarray(y)
    if len(features) != len(labels):
        raise DataError(
            f"expected as many labels as examples. Received: {len(features)} examples, {len(labels)} labels"
        )
    count = round(len(features) * test_size)
    if not 0 < count < len(features):
        raise DataError(
            f"test_size: expected a share that leaves both parts examples. Received: {test_size} of {len(features)}"
        )
    order = np.random.default_rng(seed).permutation(len(features))
    test, train = order[:count], order[count:]
    return features[train], features[test], labels[train], labels[test]
