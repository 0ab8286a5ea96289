import ctypes
import subprocess
import sys

import pytest

from pydl4j.jvm import engine


def test_thread_environment_names_both_libraries() -> None:
    assert engine.thread_environment() == {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    assert set(engine.thread_environment(2).values()) == {"2"}


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
def test_a_refusal_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        @staticmethod
        def prctl(*_: object) -> int:
            ctypes.set_errno(1)
            return -1

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Refusing())
    with pytest.raises(OSError, match="PR_SET_TIMERSLACK"):
        engine.coarsen_timers()
