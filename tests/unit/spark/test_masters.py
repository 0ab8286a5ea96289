"""The options of the training master: defaults and refusals. No Java, no pyspark."""

import dataclasses
import subprocess
import sys

import pytest

from pydl4j.errors import ConfigError, UnknownOptionError
from pydl4j.spark import ParameterAveragingTrainingMaster


def test_defaults():
    master = ParameterAveragingTrainingMaster()
    assert (master.averaging_frequency, master.aggregation_depth, master.worker_prefetch_num_batches) == (5, 2, 0)
    assert master.save_updater is True
    assert master.num_workers is None


def test_has_the_options_of_dl4js_builder():
    names = {field.name for field in dataclasses.fields(ParameterAveragingTrainingMaster)}
    assert names == {
        "aggregation_depth",
        "averaging_frequency",
        "batch_size_per_worker",
        "collect_training_stats",
        "export_directory",
        "num_workers",
        "rdd_data_set_num_examples",
        "rdd_training_approach",
        "repartition_data",  # repartionData there
        "repartition_strategy",
        "rng_seed",
        "save_updater",
        "storage_level",
        "storage_level_streams",
        "worker_prefetch_num_batches",
    }  # but for trainingHooks, which are Java objects


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("batch_size_per_worker", 0, "an int >= 1"),
        ("batch_size_per_worker", 2.5, "an int >= 1"),
        ("averaging_frequency", -1, "an int >= 1"),
        ("averaging_frequency", True, "an int >= 1"),
        ("aggregation_depth", 0, "an int >= 1"),
        ("worker_prefetch_num_batches", -1, "an int >= 0"),
        ("num_workers", 0, "an int >= 1 or None"),
        ("save_updater", "yes", "True or False"),
        ("rng_seed", 1.5, "an int or None"),
        ("export_directory", 7, "a URI as text, or None"),
        ("repartition_data", "sometimes", "one of always, never, num_partitions_workers_differs"),
        ("rdd_training_approach", "Export", "one of export, direct or None"),
        ("storage_level", "memory", "one of NONE, DISK_ONLY"),
        ("rdd_data_set_num_examples", 16, "batch_size_per_worker (32) or None"),
    ],
)
def test_refuses(option, value, expected):
    with pytest.raises(ConfigError) as caught:
        ParameterAveragingTrainingMaster(**{option: value})
    assert f"ParameterAveragingTrainingMaster.{option}: expected {expected}" in str(caught.value)
    assert f"Received: {value!r}" in str(caught.value)
    assert caught.value.path == f"ParameterAveragingTrainingMaster.{option}"


def test_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ParameterAveragingTrainingMaster().num_workers = 3


def test_importing_the_room_loads_no_library():
    code = "import sys, pydl4j.spark; print([m for m in ('pyspark', 'py4j', 'pyarrow', 'jpype', 'numpy') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


def test_an_unknown_option_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        UnknownOptionError, match=r"has no option 'averging_frequency' \(did you mean 'averaging_frequency'"
    ):
        ParameterAveragingTrainingMaster(averging_frequency=3)  # type: ignore[call-arg]


def test_dl4js_own_master_does_not_read_ahead() -> None:
    with pytest.raises(
        ConfigError, match=r"expected 0 with rdd_training_approach='direct'.*wait for ever\. Received: 2"
    ):
        ParameterAveragingTrainingMaster(rdd_training_approach="direct", worker_prefetch_num_batches=2)
