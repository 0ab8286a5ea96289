"""What the rest of the package sees of a JVM."""

from typing import Any, Protocol, TypeAlias

from numpy.typing import NDArray

# An object that lives in the JVM. Nothing is done with it here but to hand it back.
JavaObject: TypeAlias = Any


class Gateway(Protocol):
    """A JVM: in this process (JPype) or the driver of a SparkSession (Py4J)."""

    kind: str
    """``"jpype"`` or ``"py4j"``."""

    def call(self, entry: str, /, *args: Any) -> Any:
        """Call an entry point of the bridge: ``"nn.Networks.create"`` is the static method ``org.pydl4j.nn.Networks.create``.

        Arguments are str, int (Java's ``long``), float (``double``), bool, None and Java objects; so are results.

        Raises:
            DL4JError: the subclass that the failure in Java stands for, with its stack on ``java_stack``.
        """

    def put(self, array: NDArray[Any]) -> JavaObject:
        """An INDArray with the contents of ``array``: over the same memory in this process, else through shared memory."""
        ...

    def get(self, tensor: JavaObject) -> NDArray[Any]:
        """A numpy array with the contents of an INDArray: over the same memory in this process, else through shared memory."""
        ...
