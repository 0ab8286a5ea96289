"""Training masters: how the work of an epoch is shared among Spark's executors."""

from dataclasses import dataclass
from typing import Literal, get_args

from pydl4j.spark.options import Options, options_named

RepartitionData = Literal["always", "never", "num_partitions_workers_differs"]
RepartitionStrategy = Literal["spark_default", "balanced", "approximate_balanced"]
RDDTrainingApproach = Literal["export", "direct"]
StorageLevel = Literal[
    "NONE",
    "DISK_ONLY",
    "DISK_ONLY_2",
    "MEMORY_ONLY",
    "MEMORY_ONLY_2",
    "MEMORY_ONLY_SER",
    "MEMORY_ONLY_SER_2",
    "MEMORY_AND_DISK",
    "MEMORY_AND_DISK_2",
    "MEMORY_AND_DISK_SER",
    "MEMORY_AND_DISK_SER_2",
    "OFF_HEAP",
]

_AT_LEAST = {
    "batch_size_per_worker": 1,
    "worker_prefetch_num_batches": 0,
    "num_workers": 1,
    "rdd_data_set_num_examples": 1,
}
_OPTIONAL = ("num_workers", "rdd_data_set_num_examples")
_CHOICES: dict[str, tuple[str, ...]] = {
    "repartition_data": get_args(RepartitionData),
    "repartition_strategy": get_args(RepartitionStrategy),
    "rdd_training_approach": get_args(RDDTrainingApproach),
    "storage_level": get_args(StorageLevel),
    "storage_level_streams": get_args(StorageLevel),
}


class TrainingMaster(Options):
    """What both training masters have in common."""

    batch_size_per_worker: int
    export_directory: str | None
    rng_seed: int | None
    rdd_data_set_num_examples: int | None

    def _check_common(self) -> None:
        for name, least in _AT_LEAST.items():
            self._check_int(name, least, optional=name in _OPTIONAL)
        for name, choices in _CHOICES.items():
            self._check_choice(name, choices, optional=name == "rdd_training_approach")
        self._check_bool("collect_training_stats")
        if self.rng_seed is not None and (isinstance(self.rng_seed, bool) or not isinstance(self.rng_seed, int)):
            raise self._error("rng_seed", "an int or None")
        if self.export_directory is not None and not isinstance(self.export_directory, str):
            raise self._error("export_directory", "a URI as text, or None")
        if self.rdd_data_set_num_examples not in (None, self.batch_size_per_worker):
            raise self._error(
                "rdd_data_set_num_examples", f"batch_size_per_worker ({self.batch_size_per_worker}) or None"
            )


@options_named
@dataclass(frozen=True, kw_only=True)
class ParameterAveragingTrainingMaster(TrainingMaster):
    """Synchronous training: workers train copies of the network, which are averaged every ``averaging_frequency`` minibatches.

    An epoch is a number of rounds. In each, ``num_workers`` Spark tasks start from the same parameters, train ``averaging_frequency``
    minibatches of ``batch_size_per_worker`` examples each, and send theirs back to be averaged. The last round has what is left, spread
    evenly, and its workers are weighted by the minibatches that they trained. Every example is trained once per epoch. A lost executor
    costs time only: Spark repeats its tasks.

    The options are those of DL4J's class of this name. Examples travel as descriptors of rows in files, which workers map into memory, and
    rounds are cut exactly; options about how Spark moves, stores and repartitions examples are for DL4J's own ways of doing it, which
    ``rdd_training_approach`` asks for.

    Raises:
        ConfigError: a value that cannot be.
    """

    batch_size_per_worker: int = 32
    """Examples per minibatch; the last minibatch of an epoch may be smaller."""
    averaging_frequency: int = 5
    """Minibatches that a worker trains between two averagings. 1 costs most; far above 10 training suffers."""
    num_workers: int | None = None
    """Tasks per round; None for Spark's default parallelism, which is the number of cores that the application has."""
    save_updater: bool = True
    """Average the updater's state (Adam's moments, momentum, ...) as well. False: workers start each round with the state that the network
    had before ``fit``, which suits plain SGD only. (DL4J's own default is False.)"""
    aggregation_depth: int = 2
    """Above 1, executors add up the results of more than 4 workers before the driver sees them."""
    worker_prefetch_num_batches: int = 0
    """Minibatches that a worker reads ahead on a thread of its own. Local files are mapped: 0 is as fast there."""
    rng_seed: int | None = None
    """Seed of the order of the examples; None: the network's seed, which gives the order of training in this process."""
    export_directory: str | None = None
    """Path or URI of a directory that driver and executors see, for examples on their way to the executors. None: the temporary directory where all
    executors are on this machine, else ``tmp`` on Spark's default file system; where that is local, or with ``"blocks:"``, executors keep the
    examples themselves: on their disks, two copies of each where there are two executors."""
    collect_training_stats: bool = False
    """Record where the time of each epoch went, in :attr:`SparkDl4jMultiLayer.training_stats`."""
    rdd_training_approach: RDDTrainingApproach | None = None
    """None: descriptors of rows in files travel, as said above. ``"direct"``, ``"export"``: DL4J's own master trains an RDD of minibatches,
    which it keeps in Spark's storage, or writes as files of its own to ``export_directory`` (None: where ``hadoop.tmp.dir`` says). It gets one
    round at a time, so that it drops no minibatch, and what its workers trained is counted. Several times slower; kept to compare."""
    rdd_data_set_num_examples: int | None = None
    """A minibatch always has ``batch_size_per_worker`` examples. Accepted if it says the same."""
    repartition_data: RepartitionData = "always"
    """When DL4J's master deals the minibatches of a round out anew. No effect with ``rdd_training_approach=None``."""
    repartition_strategy: RepartitionStrategy = "balanced"
    """How it does that. The others than ``"balanced"`` may deal unevenly; DL4J drops what a worker has too many, which is an error here
    (:class:`CountMismatchError`). No effect with ``rdd_training_approach=None``."""
    storage_level: StorageLevel = "MEMORY_ONLY_SER"
    """Where ``"direct"`` keeps minibatches; no effect otherwise."""
    storage_level_streams: StorageLevel = "MEMORY_ONLY"
    """Where ``"export"`` keeps paths; no effect otherwise."""

    def __post_init__(self) -> None:
        self._check_common()
        for name in ("averaging_frequency", "aggregation_depth"):
            self._check_int(name, 1)
        self._check_bool("save_updater")
        if self.rdd_training_approach is not None and self.worker_prefetch_num_batches > 0:
            raise self._error(
                "worker_prefetch_num_batches",
                f"0 with rdd_training_approach={self.rdd_training_approach!r}: where reading ahead fails, DL4J's workers wait for ever",
            )
        if self.rdd_training_approach == "export" and self.export_directory == "blocks:":
            raise self._error(
                "export_directory", "a directory that all executors see with rdd_training_approach='export', or None"
            )
