"""Gradient sharing: workers send each other what is large in their updates, and never wait."""

import ipaddress
from dataclasses import dataclass, field

from pydl4j.spark.masters import RDDTrainingApproach, RepartitionData, RepartitionStrategy, StorageLevel, TrainingMaster
from pydl4j.spark.options import Options, options_named

_DECAY = 0.5 ** (1 / 20)


class ThresholdAlgorithm(Options):
    """Chooses the threshold from which on a value of an update is sent."""


@options_named
@dataclass(frozen=True, kw_only=True)
class AdaptiveThresholdAlgorithm(ThresholdAlgorithm):
    """Moves the threshold until the share of values that are sent lies between two targets.

    Raises:
        ConfigError: a value that cannot be.
    """

    initial_threshold: float = 1e-4
    min_sparsity_target: float = 1e-4
    """Share of the values from which on enough are sent, above 0."""
    max_sparsity_target: float = 1e-2
    """Share of the values up to which not too many are sent; at least ``min_sparsity_target``, up to 1."""
    decay_rate: float = _DECAY
    """What the threshold is multiplied with, or divided by, in a step; the default halves or doubles it in 20. From 0.5 to below 1."""

    def __post_init__(self) -> None:
        self._check_number("initial_threshold", above=0)
        self._check_number("min_sparsity_target", above=0)
        self._check_number("max_sparsity_target", above=0)
        self._check_number("decay_rate", above=0.5, least=0.5, below=1)
        if self.max_sparsity_target < self.min_sparsity_target:
            raise self._error("max_sparsity_target", f"at least min_sparsity_target ({self.min_sparsity_target:g})")


@options_named
@dataclass(frozen=True, kw_only=True)
class FixedThresholdAlgorithm(ThresholdAlgorithm):
    """The same threshold, always.

    Raises:
        ConfigError: a value that cannot be.
    """

    threshold: float
    """Above 0."""

    def __post_init__(self) -> None:
        self._check_number("threshold", above=0)


@options_named
@dataclass(frozen=True, kw_only=True)
class TargetSparsityThresholdAlgorithm(ThresholdAlgorithm):
    """Moves the threshold towards a share of values that are sent.

    Raises:
        ConfigError: a value that cannot be.
    """

    initial_threshold: float = 1e-4
    sparsity_target: float = 1e-3
    """Share of the values that is to be sent, above 0 and below 1/16."""
    decay_rate: float = _DECAY
    """As in :class:`AdaptiveThresholdAlgorithm`."""

    def __post_init__(self) -> None:
        self._check_number("initial_threshold", above=0)
        self._check_number("sparsity_target", above=0, below=1 / 16)
        self._check_number("decay_rate", above=0.5, least=0.5, below=1)


class ResidualPostProcessor(Options):
    """Changes what was too small to be sent, and waits to be added to later updates."""


@options_named
@dataclass(frozen=True, kw_only=True)
class ResidualClippingPostProcessor(ResidualPostProcessor):
    """Every ``frequency`` minibatches, clips what waits to so many times the threshold: old updates fit the network less and less.

    Raises:
        ConfigError: a value that cannot be.
    """

    threshold_multiple_clip_value: float = 5.0
    """At least 1."""
    frequency: int = 5

    def __post_init__(self) -> None:
        self._check_number("threshold_multiple_clip_value", above=1, least=1)
        self._check_int("frequency", 1)


@options_named
@dataclass(frozen=True, kw_only=True)
class NoOpResidualPostProcessor(ResidualPostProcessor):
    """Leaves it as it is."""


@options_named
@dataclass(frozen=True, kw_only=True)
class VoidConfiguration(Options):
    """The network between driver and executors. Nothing of it needs to be given where they reach each other by their default addresses.

    The options are those of DL4J's class of this name that have an effect. UDP must get through from each executor to each other, and between
    them and the driver, both ways. A local session needs no network.

    Raises:
        ConfigError: a value that cannot be.
    """

    network_mask: str | None = None
    """The network that the addresses are in, as ``"10.0.0.0/8"``; None: each executor's address towards the driver."""
    controller_address: str | None = None
    """The driver's address; None: its address inside ``network_mask``, else ``spark.driver.host``."""
    unicast_port: int | None = None
    """First UDP port of driver and executors; None: ports that the operating system chooses. One machine may have several executors: each takes
    the first port of the range that is free."""
    port_range: int = 64
    """How many ports after ``unicast_port`` may be taken."""
    stream_id: int | None = None
    """Number of Aeron's stream of updates; the next is taken, too. None: 1001."""

    def __post_init__(self) -> None:
        self._check_int("unicast_port", 1, 65535, optional=True)
        self._check_int("port_range", 0, 65535)
        self._check_int("stream_id", 1, optional=True)
        if self.unicast_port is not None and self.unicast_port + self.port_range > 65535:
            raise self._error(
                "port_range", f"at most {65535 - self.unicast_port}, as unicast_port is {self.unicast_port}"
            )
        for name in ("network_mask", "controller_address"):
            if getattr(self, name) is not None and not isinstance(getattr(self, name), str):
                raise self._error(name, "text or None")
        if self.network_mask is not None:
            try:
                network = ipaddress.ip_network(self.network_mask)
            except ValueError:
                network = None
            if network is None or "/" not in self.network_mask:
                raise self._error("network_mask", 'a network as "10.0.0.0/8", with no bits set after its prefix')


@options_named
@dataclass(frozen=True, kw_only=True)
class SharedTrainingMaster(TrainingMaster):
    """Asynchronous training: workers train all the time, and send each other, and the driver, what is large in each of their updates.

    Every worker is a task with a network of its own. Of each of its updates, the values above a threshold are sent and stepped by; the rest
    waits until it has grown. Short updates are sent whole. Whoever receives an update steps by it, too. An epoch starts from the driver's
    network on all workers, and ends when the driver's network has taken every step that any worker took: updates sent and applied are
    counted, and compared. Runs are not repeatable to the bit: it depends on the timing which worker sees which update when.

    All workers must run at the same time, and a lost executor ends the epoch: an error that names it, with the network as it was before the
    epoch. Where executors may be lost often, use :class:`ParameterAveragingTrainingMaster`.

    The options are those of DL4J's class of this name. Examples travel as descriptors of rows in files, which workers map into memory;
    options about how Spark moves, stores and repartitions examples therefore have no effect, and say so.

    Raises:
        ConfigError: a value that cannot be.
    """

    batch_size_per_worker: int = 32
    """Examples per minibatch; the last minibatch of an epoch may be smaller."""
    num_workers: int | None = None
    """Workers; None for as many as tasks can run at the same time, which is also the most."""
    workers_per_node: int | None = None
    """At most so many workers per executor, on average: Spark places them. None: no limit but the executor's cores."""
    threshold_algorithm: ThresholdAlgorithm | None = None
    """What is large: :class:`AdaptiveThresholdAlgorithm`, :class:`FixedThresholdAlgorithm` or :class:`TargetSparsityThresholdAlgorithm`. None:
    updates of up to 256 KiB (of 65,532 values in float32) are sent whole, as choosing saves little there and costs accuracy, and longer ones by
    :class:`AdaptiveThresholdAlgorithm`, DL4J's default."""
    residual_post_processor: ResidualPostProcessor = field(default_factory=ResidualClippingPostProcessor)
    """What becomes of the rest: :class:`ResidualClippingPostProcessor` or :class:`NoOpResidualPostProcessor`."""
    void_configuration: VoidConfiguration = field(default_factory=VoidConfiguration)
    """Addresses and ports."""
    update_timeout: float = 300.0
    """Seconds that a worker may take for one minibatch, its loading included; then it counts as lost."""
    worker_prefetch_num_batches: int = 2
    """Minibatches that a worker reads ahead on a thread of its own."""
    encoding_debug_mode: bool = False
    """Workers log what of each update is sent. Costs time."""
    rng_seed: int | None = None
    """Seed of the order of the examples; None: the network's seed, which gives the order of training in this process."""
    export_directory: str | None = None
    """Path or URI of a directory that driver and executors see, for examples on their way to the executors. None: the temporary directory where all
    executors are on this machine, else ``tmp`` on Spark's default file system."""
    collect_training_stats: bool = False
    """Record where the time of each epoch went, in :attr:`SparkDl4jMultiLayer.training_stats`."""
    rdd_data_set_num_examples: int | None = None
    """No effect: a minibatch always has ``batch_size_per_worker`` examples. Accepted if it says the same."""
    repartition_data: RepartitionData = "always"
    """No effect: each worker has as many minibatches as any other, or one less."""
    repartition_strategy: RepartitionStrategy = "balanced"
    """No effect: each worker has as many minibatches as any other, or one less."""
    rdd_training_approach: RDDTrainingApproach = "export"
    """No effect: examples are always in files, once per dataset."""
    storage_level: StorageLevel = "MEMORY_ONLY_SER"
    """No effect: no RDD of examples is persisted."""
    storage_level_streams: StorageLevel = "MEMORY_ONLY"
    """No effect: no RDD of examples is persisted."""

    def __post_init__(self) -> None:
        self._check_common()
        self._check_int("workers_per_node", 1, optional=True)
        if self.threshold_algorithm is not None:
            self._check_class("threshold_algorithm", ThresholdAlgorithm)
        self._check_class("residual_post_processor", ResidualPostProcessor)
        self._check_class("void_configuration", VoidConfiguration)
        self._check_number("update_timeout", above=0)
        self._check_bool("encoding_debug_mode")
