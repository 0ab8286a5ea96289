"""The record of a fit."""

import pytest

from pydl4j.nn.history import Epoch, History

FIRST = Epoch(number=1, score=0.9, seconds=0.5, examples=100)
SECOND = Epoch(number=2, score=0.4, seconds=0.25, examples=100, validation_score=0.5, validation_accuracy=0.875)


def test_columns_rows_and_slices() -> None:
    history = History([FIRST, SECOND])
    assert history["score"] == [0.9, 0.4]
    assert history["validation_accuracy"] == [None, 0.875]
    assert history[-1] is SECOND
    assert list(history[:1]) == [FIRST]
    assert len(history) == 2


def test_an_unknown_column_is_named_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"expected one of number, score.*Received: 'loss'"):
        History([FIRST])["loss"]


def test_it_reads_as_lines() -> None:
    assert repr(History([FIRST, SECOND])).splitlines() == [
        "epoch 1: score 0.9000, 0.50 s, 200 examples/s",
        "epoch 2: score 0.4000, validation score 0.5000, validation accuracy 0.8750, 0.25 s, 400 examples/s",
    ]


def test_to_pandas() -> None:
    pd = pytest.importorskip("pandas")
    frame = History([FIRST, SECOND]).to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert frame.index.name == "number"
    assert frame.score.tolist() == [0.9, 0.4]


def test_an_epoch_reads_what_json_has_no_number_for() -> None:
    event = {"epoch": 1, "score": 0.5, "seconds": 0.5, "examples": 9, "validation_score": "NaN"}
    epoch = Epoch.of(event)
    assert isinstance(epoch.validation_score, float)
    assert epoch.validation_accuracy is None
    assert "validation score nan" in str(epoch)
    assert Epoch.of({**event, "validation_score": "-Infinity"}).validation_score == float("-inf")
