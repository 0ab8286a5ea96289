"""The JVM in this process: calls, failures, arrays over the same memory."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import weakref

import jpype
import numpy as np
import pytest

from pydl4j.errors import ConfigError, DataError, JvmAlreadyStartedError
from pydl4j.jvm import Gateway
from pydl4j.jvm.options import configure_jvm
from pydl4j.jvm.tensor import DTYPES

BASE = np.arange(24, dtype="f4").reshape(4, 6)


def collect_java_garbage() -> None:
    gc.collect()
    jpype.JClass("java.lang.System").gc()


def test_results_are_pythons_own(jvm: Gateway) -> None:
    version = jvm.call("Bridge.version")
    assert type(version) is str


@pytest.mark.parametrize("code", sorted(DTYPES))
def test_every_dtype_is_shared(jvm: Gateway, code: str) -> None:
    array = np.arange(6).astype(code).reshape(2, 3)
    again = jvm.get(jvm.put(array))
    assert again.dtype == array.dtype
    assert np.array_equal(again, array)
    assert again.ctypes.data == array.ctypes.data


@pytest.mark.parametrize(
    "array",
    [BASE.T, BASE[:, ::2], BASE[1:3, 2:], np.asfortranarray(BASE), np.broadcast_to(BASE[0], (5, 6)), np.full((), 7.0)],
    ids=["transposed", "every other column", "corner", "fortran", "broadcast", "scalar"],
)
def test_every_forward_view_is_shared_both_ways(jvm: Gateway, array) -> None:
    tensor = jvm.put(array)
    again = jvm.get(tensor)
    assert np.array_equal(again, array)
    assert again.strides == array.strides
    # Java reads the same numbers through its own strides, from the same memory
    assert tensor.sumNumber().doubleValue() == pytest.approx(array.sum())


def test_writes_are_seen_on_both_sides(jvm: Gateway) -> None:
    array = BASE.copy()
    tensor = jvm.put(array[1:, ::2])
    array[1, 0] = 100
    assert tensor.getDouble(jpype.JLong[:]([0, 0])) == 100
    tensor.putScalar(jpype.JLong[:]([2, 2]), -5.0)
    assert array[3, 4] == -5


def test_empty_arrays_cross(jvm: Gateway) -> None:
    assert jvm.get(jvm.put(np.empty((0, 4), "f4"))).shape == (0, 4)


def test_contiguous_goes_by_the_strides_not_by_what_the_array_says_of_itself(jvm: Gateway) -> None:
    tensor = jvm.call("tensor.Tensors.allocate", "f4", "2,3,6")
    jvm.get(tensor)[:] = np.arange(36).reshape(2, 3, 6)
    permuted = tensor.permute(jpype.JInt[:]([0, 2, 1]))  # c-ordered and no view, says ND4J
    assert jvm.call("tensor.Tensors.isContiguous", tensor)
    assert jvm.call("tensor.Tensors.isContiguous", tensor.slice(1))
    assert not jvm.call("tensor.Tensors.isContiguous", permuted)
    plain = jvm.get(jvm.call("tensor.Tensors.contiguous", permuted))
    assert plain.flags.c_contiguous
    assert np.array_equal(plain, np.arange(36).reshape(2, 3, 6).transpose(0, 2, 1))
    assert jvm.get(jvm.call("tensor.Tensors.contiguous", tensor)).ctypes.data == jvm.get(tensor).ctypes.data


def test_java_keeps_the_array_and_lets_it_go(jvm: Gateway) -> None:
    class Watched(np.ndarray):
        pass

    array = np.ones(1000, "f4").view(Watched)
    gone = weakref.ref(array)
    view = jvm.put(array).reshape(jpype.JLong[:]([10, 100])).slice(3)  # only a view is kept
    del array
    collect_java_garbage()
    assert gone() is not None
    assert view.sumNumber().doubleValue() == 100
    del view
    for _ in range(100):
        collect_java_garbage()
        if gone() is None:
            break
    assert gone() is None


def test_numpy_keeps_the_tensor(jvm: Gateway) -> None:
    row = jvm.get(jvm.call("tensor.Tensors.allocate", "f4", "100,1000"))[7]
    row[:] = 3
    for _ in range(20):
        collect_java_garbage()
        jvm.get(jvm.call("tensor.Tensors.allocate", "f4", "100,1000"))[:] = 9
    assert (row == 3).all()


def test_a_closed_tensor_is_refused(jvm: Gateway) -> None:
    tensor = jvm.call("tensor.Tensors.allocate", "f4", "3")
    tensor.close()
    with pytest.raises(DataError, match="was closed"):
        jvm.get(tensor)


def test_failures_become_ours_with_the_java_stack_out_of_sight(jvm: Gateway) -> None:
    with pytest.raises(ConfigError) as caught:
        jvm.call("nn.Networks.create", '{"confs": [{"layer": {"@class": "no.such.Layer"}}]}')
    assert "no.such.Layer" in str(caught.value)
    assert "at org.deeplearning4j" not in str(caught.value)
    assert "at org.deeplearning4j" in caught.value.java_stack
    assert caught.value.__suppress_context__


def test_options_cannot_be_changed_any_more(jvm: Gateway) -> None:
    del jvm
    with pytest.raises(JvmAlreadyStartedError, match="before the first network"):
        configure_jvm(heap="1g")


def in_a_process_of_its_own(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_jvm_that_something_else_started_is_refused() -> None:
    done = in_a_process_of_its_own(
        "import jpype; jpype.startJVM()\n"
        "from pydl4j.jvm import gateway\n"
        "from pydl4j.errors import JvmAlreadyStartedError\n"
        "try: gateway()\n"
        "except JvmAlreadyStartedError as error: print(error)"
    )
    assert "started in this process by something else" in done.stdout, done.stderr


def test_options_reach_the_jvm_and_it_is_quiet() -> None:
    done = in_a_process_of_its_own(
        "from pydl4j.jvm.options import configure_jvm\n"
        "configure_jvm(heap='600m', extra=('-Dmy.flag=yes',))\n"
        "from pydl4j.jvm import gateway\n"
        "gateway()\n"
        "import jpype\n"
        "runtime, system = jpype.JClass('java.lang.Runtime'), jpype.JClass('java.lang.System')\n"
        "print(runtime.getRuntime().maxMemory() >> 20, system.getProperty('my.flag'))"
    )
    assert done.stdout == "600 yes\n", done.stderr
    assert done.stderr == ""


def test_signals_stay_pythons() -> None:
    script = (
        "from pydl4j.jvm import gateway\n"
        "import signal, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "gateway()\n"
        "try:\n"
        "    print('up', flush=True)\n"
        "    time.sleep(60)\n"
        "except KeyboardInterrupt: print('interrupted', flush=True)\n"
        "time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        process.terminate()
        assert process.wait(30) == -signal.SIGTERM


def test_a_fork_is_told_that_it_has_no_jvm(jvm: Gateway) -> None:
    code = """
    import os, sys
    import numpy as np
    from pydl4j.jvm import gateway
    jvm = gateway()
    child = os.fork()
    if child == 0:
        try:
            jvm.put(np.zeros(3))
        except Exception as error:
            print(type(error).__name__, error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
    print(jvm.get(jvm.put(np.ones(3))).sum())
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    refusal, alive = done.stdout.splitlines()
    assert refusal.startswith("JvmError the JVM was started before this process was forked")
    assert alive == "3.0"


def test_a_start_that_failed_says_so_again() -> None:
    code = """
    import sys, pydl4j.jvm
    door = sys.modules["pydl4j.jvm.gateway"]
    door.__version__ = "0.0.0"
    for _ in range(2):
        try:
            door.gateway()
        except Exception as error:
            print(type(error).__name__)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["BridgeVersionError"] * 2
