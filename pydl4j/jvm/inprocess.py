"""The JVM in this process, through JPype: started on first need, once, and never again."""

import os
from typing import Any, cast

import jpype
from numpy.typing import NDArray

from pydl4j.errors import DL4JError, JvmError
from pydl4j.jvm.failures import to_error
from pydl4j.jvm.protocol import JavaObject
from pydl4j.jvm.tensor import TensorDesc, borrow, shareable


def _refuse(*_: object) -> Any:
    raise JvmError(
        "the JVM was started before this process was forked, and does not run in the fork. Start worker processes with "
        "multiprocessing.get_context('spawn'), or use pydl4j in the fork only"
    )


class JPypeGateway:
    """Calls, and arrays by address: nothing is copied."""

    kind = "jpype"

    def __init__(self) -> None:
        self._methods: dict[str, Any] = {}
        self._string = jpype.JClass("java.lang.String")
        self._throwable: type[BaseException] = cast("Any", jpype.JClass("java.lang.Throwable"))
        self._longs: Any = jpype.JArray(jpype.JLong)
        self._owner = jpype.JClass("java.io.Serializable")  # any interface: what counts is that Java holds the proxy
        self._wrap = self._method("tensor.Tensors.wrap")
        self._describe = self._method("tensor.Tensors.describe")
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._lose)

    def _lose(self) -> None:
        """A fork has none of the JVM's threads: every call would wait for them for ever."""
        for verb in ("call", "put", "get"):
            setattr(self, verb, _refuse)

    def _method(self, entry: str) -> Any:
        method = self._methods.get(entry)
        if method is None:
            name, _, function = entry.rpartition(".")
            method = self._methods[entry] = getattr(jpype.JClass(f"org.pydl4j.{name}"), function)
        return method

    def call(self, entry: str, /, *args: Any) -> Any:
        """See :class:`pydl4j.jvm.protocol.Gateway`."""
        try:
            result = self._method(entry)(*args)
        except self._throwable as thrown:
            raise self._error(thrown) from None
        return str(result) if isinstance(result, self._string) else result

    def _error(self, thrown: Any) -> DL4JError:
        return to_error(str(self._method("Failures.describe")(thrown)))

    def put(self, array: NDArray[Any]) -> JavaObject:
        """An INDArray over the array's own memory; the array lives for as long as Java can reach that memory."""
        shared = shareable(array)
        owner = jpype.JProxy(self._owner, inst=shared)
        try:
            return self._wrap(self._longs(TensorDesc.of(shared).layout()), owner)
        except self._throwable as thrown:
            raise self._error(thrown) from None

    def get(self, tensor: JavaObject) -> NDArray[Any]:
        """A numpy array over the INDArray's own memory; the INDArray lives for as long as the array or a view of it."""
        try:
            desc = TensorDesc.parse(str(self._describe(tensor)))
        except self._throwable as thrown:
            raise self._error(thrown) from None
        return borrow(desc, tensor)
