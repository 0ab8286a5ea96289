import ctypes
import subprocess
import sys

import pytest

from pydl4j.jvm import engine


def test_idle_threads_sleep_and_both_libraries_are_limited() -> None:
    sleep = {"OMP_WAIT_POLICY": "passive", "OPENBLAS_THREAD_TIMEOUT": "14"}
    assert engine.environment() == sleep
    assert engine.environment(2) == sleep | {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}


@pytest.mark.skipif(sys.platform != "linux", reason="timer slack is Linux's")
def test_coarse_timers_are_handed_down() -> None:
    # in a process of its own: it would stay with this one
    code = (
        "import ctypes, threading; from pydl4j.jvm import engine; engine.coarsen_timers();"
        "get = lambda: print(ctypes.CDLL(None).prctl(30, 0, 0, 0, 0));"
        "t = threading.Thread(target=get); t.start(); t.join()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "500000"


@pytest.mark.skipif(sys.platform != "linux", reason="timer slack is Linux's")
def test_a_refusal_is_noted_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Refusing:
        @staticmethod
        def prctl(*_: object) -> int:
            ctypes.set_errno(1)
            return -1

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Refusing())
    with caplog.at_level("INFO"):
        engine.coarsen_timers()
    assert "PR_SET_TIMERSLACK" in caplog.text
