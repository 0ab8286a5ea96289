"""What a person sees of a fit. No Java."""

import builtins
import io
import sys
import types
from typing import Any

import pytest
from rich.console import Console

from pydl4j.errors import ConfigError
from pydl4j.nn import progress
from pydl4j.nn.history import Epoch, Progress
from pydl4j.nn.listener import TrainingListener, listeners

EVENT: dict[str, Any] = {
    "type": "progress",
    "epoch": 2,
    "minibatches": 40,
    "of": 125,
    "examples": 2560,
    "new_examples": 1280,
    "score": 0.5,
    "seconds": 2.0,
}
ON_SPARK = EVENT | {"workers": 2, "executors": 1}
EPOCH = Epoch(2, 0.25, 4.0, 8000)


def test_progress_in_words() -> None:
    assert str(Progress.of(EVENT)) == "epoch 2: minibatch 40 of 125, score 0.5000, 640 examples/s"
    assert str(Progress.of(ON_SPARK)).endswith("640 examples/s, 2 workers on 1 executor")
    assert Progress.of(EVENT | {"workers": 1}).staff == "1 worker"
    assert str(Progress.of(EVENT | {"score": "NaN", "seconds": 0.0})).endswith("score nan, 0 examples/s")


def test_a_plain_log_has_a_line_per_epoch_and_one_every_half_minute(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with progress.display(progress=True, epochs=3, examples=8000, prefix="fold 1: ") as shown:
        assert isinstance(shown, progress.Lines)
        shown.on_epoch_start(2)
        for at in (110.0, 129.0, 131.0, 140.0, 161.5):
            now[0] = at
            shown.on_progress(Progress.of(ON_SPARK))
        shown.on_epoch_end(EPOCH)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"fold 1: {Progress.of(ON_SPARK)}"] * 2 + [f"fold 1: {EPOCH}"]


def test_a_terminal_has_a_bar() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=160, color_system=None)
    with progress.Bar(3, 8000, console=console) as shown:
        shown.on_epoch_start(2)
        shown.on_progress(Progress.of(ON_SPARK))
        shown._bar.refresh()
        assert shown._bar.tasks[0].completed == 8000 + 2560
        assert shown._bar.tasks[0].total == 24000
        shown.on_epoch_end(EPOCH)
    text = out.getvalue()
    assert "epoch 2/3" in text
    assert "minibatch 40/125  640 examples/s  score 0.5000  2 workers on 1 executor  left" in text
    assert str(EPOCH) in text


class ZMQInteractiveShell:
    """As rich tells a notebook."""


def test_a_notebook_has_a_bar_below_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, dict[str, str]]] = []

    def show(bundle: dict[str, str], *, raw: bool, display_id: bool) -> Any:
        assert raw
        assert display_id
        shown.append(("display", bundle))
        return types.SimpleNamespace(update=lambda bundle, *, raw: shown.append(("update" if raw else "", bundle)))

    monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    monkeypatch.setattr(ZMQInteractiveShell, "__module__", "ipykernel.zmqshell")
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=show))
    with progress.display(progress=True, epochs=3, examples=8000) as display:
        assert isinstance(display, progress.Cell)
        display.on_epoch_start(2)
        display.on_progress(Progress.of(ON_SPARK))
        display.on_progress(Progress.of(ON_SPARK))  # too soon
        display.on_epoch_end(EPOCH)
    assert [how for how, _ in shown] == ["display", "update", "update"]
    assert 'value="10560" max="24000"' in shown[0][1]["text/html"]
    assert "epoch 2/3  minibatch 40/125" in shown[0][1]["text/plain"]
    assert shown[-1][1] == {"text/plain": str(EPOCH), "text/html": f"<pre>{EPOCH}</pre>"}


def test_callbacks_are_functions_or_listeners() -> None:
    seen: list[Epoch] = []
    mine = TrainingListener()
    first, second = listeners([seen.append, mine])
    first.on_epoch_end(EPOCH)
    assert seen == [EPOCH]
    assert second is mine
    for wrong in (3, TrainingListener, "epoch"):
        with pytest.raises(ConfigError, match=r"callbacks: expected functions of an Epoch, or TrainingListeners"):
            listeners([wrong])  # type: ignore[list-item]
