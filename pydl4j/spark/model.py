"""What training on Spark and looking at its results have in common: the session, the network in its driver."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from pydl4j.data.interface import interface
from pydl4j.errors import ConfigError
from pydl4j.jvm import Gateway, JavaObject, check_session, spark_gateway, watch
from pydl4j.nn.base import Network
from pydl4j.spark.inputs import Inputs
from pydl4j.spark.masters import TrainingMaster
from pydl4j.spark.stats import TrainingStats

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


Kind = TypeVar("Kind", bound=Network[Any])


class SparkModel(Generic[Kind]):
    """A network in the driver of a session, and the master that shares its training among workers."""

    _network_type: ClassVar[type[Network[Any]]]

    def __init__(
        self,
        spark: "SparkSession",
        network: Any,
        master: TrainingMaster,
    ) -> None:
        if not isinstance(master, TrainingMaster):
            raise ConfigError(
                "master: expected a ParameterAveragingTrainingMaster or a SharedTrainingMaster. "
                f"Received: {type(master).__name__}"
            )
        kind = self._network_type
        if not isinstance(network, kind.conf_type | kind):
            raise ConfigError(
                f"network: expected a {kind.conf_type.__name__} or a {kind.__name__}. Received: {type(network).__name__}"
            )
        self._gateway: Gateway = spark_gateway(spark)
        self._spark = spark
        self.master = master
        self._network = cast("Kind", _in_driver(network, self._gateway, kind))
        self._interface = interface(self._network.conf)
        self.training_stats = TrainingStats()
        """Where the time of the last fit went, if the master collects it (``collect_training_stats=True``); else empty."""
        self.counts: list[dict[str, int]] = []
        """Of each epoch of the last fit, counted where it happens: examples ``given``, ``loaded`` by the workers' loaders and ``trained``;
        updates ``sent`` by workers and ``applied`` to the driver's network. What was lost is an error (:class:`CountMismatchError`)."""

    def __repr__(self) -> str:
        described = repr(self._network).removeprefix(f"<{self._network_type.__name__}: ").removesuffix(">")
        return f"<{type(self).__name__}: {described}, {self.master!r}>"

    @property
    def network(self) -> Kind:
        """The network as trained so far. It lives in the driver's JVM, with every verb; its arrays cross through shared memory."""
        return self._network

    @property
    def _inputs(self) -> Inputs:
        return Inputs(self._gateway, self._spark, self._network, self._interface, self.master.export_directory)

    @property
    def _java(self) -> JavaObject:
        check_session(self._spark)
        return self._network._java  # noqa: SLF001  # one class in two rooms

    def _start(self, entry: str, *args: Any) -> JavaObject:
        return self._gateway.call(f"spark.Networks.{entry}", self._spark._jsparkSession, self._java, *args)  # noqa: SLF001

    def _run(self, entry: str, *args: Any) -> dict[str, Any]:
        return watch(self._gateway, self._start(entry, *args))


def _in_driver(network: Any, gateway: Gateway, kind: type[Network[Any]]) -> Network[Any]:
    """The network in the driver's JVM; one that lives in another JVM is copied, updater's state and all."""
    if not isinstance(network, kind):
        return kind._adopt(gateway, gateway.call("nn.Networks.create", network.to_json()), network, None)  # noqa: SLF001
    if network._bridge is gateway:  # noqa: SLF001
        return network
    if network._network is None:  # noqa: SLF001  # never used: there is nothing to copy but what it was made of
        java = gateway.call("nn.Networks.create", network.conf.to_json())
    else:
        with tempfile.TemporaryDirectory(prefix="pydl4j-") as directory:
            path = Path(directory) / "network.zip"
            network._gateway.call("nn.Networks.save", network._java, str(path))  # noqa: SLF001
            java = gateway.call("nn.Networks.load", str(path))
    return kind._adopt(gateway, java, network.conf, network.normalizer)  # noqa: SLF001
