"""The JVM of a Spark driver, through the Py4J connection that pyspark has to it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from py4j.java_gateway import JavaClass
from py4j.java_gateway import JavaObject as Py4JObject
from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError
from pyspark.errors.exceptions.captured import CapturedException

from pydl4j.errors import JarError, SparkSessionStoppedError
from pydl4j.jvm.failures import to_error
from pydl4j.jvm.protocol import JavaObject
from pydl4j.jvm.shared_memory import PIECE, segment
from pydl4j.jvm.tensor import TensorDesc, shareable


class Py4JGateway:
    """Calls through Py4J; arrays through shared memory, one copy on each side. Nothing of size goes through the connection.

    Args:
        connection: pyspark's own ``JavaGateway``.
    """

    kind = "py4j"

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._methods: dict[str, Any] = {}

    def call(self, entry: str, /, *args: Any) -> Any:
        """See :class:`pydl4j.jvm.protocol.Gateway`.

        Raises:
            SparkSessionStoppedError: the driver's JVM is gone.
            JarError: the bridge is not on the driver's class path.
        """
        try:
            return self._method(entry)(*args)
        except Py4JJavaError as error:
            thrown = error.java_exception
        except CapturedException as error:
            thrown = error._origin  # noqa: SLF001  # pyspark converts some exceptions and keeps the Java one here
        except (Py4JNetworkError, ConnectionError) as error:
            raise SparkSessionStoppedError(
                f"the Spark driver's JVM does not answer: {error}. Make a new SparkSession"
            ) from None
        except Py4JError as error:
            if "does not exist" in str(error):
                raise JarError(
                    f"org.pydl4j.{entry} is not on the Spark driver's class path. Use pydl4j.spark.configure(builder) "
                    "before the session is made, or pydl4j.spark.attach(spark) after"
                ) from None
            raise
        raise to_error(self._method("Failures.describe")(thrown))

    def _method(self, entry: str) -> Any:
        method = self._methods.get(entry)
        if method is None:
            name, _, function = entry.rpartition(".")
            # by name, not by attribute access along the packages: that costs a round trip for each
            client = self._connection._gateway_client  # noqa: SLF001
            method = self._methods[entry] = getattr(JavaClass(f"org.pydl4j.{name}", client), function)
        return method

    def put(self, array: NDArray[Any]) -> JavaObject:
        """A new INDArray of the driver's JVM with the contents of ``array``."""
        source = np.ascontiguousarray(shareable(array))
        shape = ",".join(map(str, source.shape))
        tensor: Py4JObject = self.call("tensor.Tensors.allocate", TensorDesc.of(source).dtype, shape)
        data = source.reshape(-1).view(np.uint8)
        shared = segment()
        with shared.lock:
            for at in range(0, data.nbytes, PIECE):
                piece = data[at : at + PIECE]
                np.frombuffer(shared.memory, np.uint8, piece.nbytes)[:] = piece
                self.call("tensor.Tensors.fill", tensor, at, shared.path, piece.nbytes)
        return tensor

    def get(self, tensor: JavaObject) -> NDArray[Any]:
        """A new numpy array in C order with the contents of an INDArray."""
        plain = self.call("tensor.Tensors.contiguous", tensor)
        desc = TensorDesc.parse(self.call("tensor.Tensors.describe", plain))
        result = np.empty(desc.shape, desc.dtype)
        data = result.reshape(-1).view(np.uint8)
        shared = segment()
        with shared.lock:
            for at in range(0, data.nbytes, PIECE):
                piece = data[at : at + PIECE]
                self.call("tensor.Tensors.drain", plain, at, shared.path, piece.nbytes)
                piece[:] = np.frombuffer(shared.memory, np.uint8, piece.nbytes)
        return result
