"""Gradient sharing: in a local session, where updates are handed over in memory, and between executors, where they go over UDP."""

import json
import threading
import time
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from local_spark import X, Y, iris, run_script

import pydl4j as dl
from pydl4j.errors import ConfigError, NaNScoreError, SparkError, UnknownOptionError
from pydl4j.layers import DenseLayer, OutputLayer
from pydl4j.spark import (
    AdaptiveThresholdAlgorithm,
    FixedThresholdAlgorithm,
    NoOpResidualPostProcessor,
    ParameterAveragingTrainingMaster,
    ResidualClippingPostProcessor,
    SharedTrainingMaster,
    SparkDl4jMultiLayer,
    TargetSparsityThresholdAlgorithm,
    VoidConfiguration,
)

HERE = str(Path(__file__).parent)


def on_spark(spark, network=None, **options) -> SparkDl4jMultiLayer:
    return SparkDl4jMultiLayer(
        spark, network or iris(), SharedTrainingMaster(**({"batch_size_per_worker": 16} | options))
    )


def assert_conserved(net, examples, updates):
    """Counted by the workers' loaders, at the updaters, and by the driver as it steps."""
    for counts in net.counts:
        assert counts["given"] == counts["loaded"] == counts["trained"] == examples
        assert counts["sent"] == counts["applied"] == updates


@pytest.mark.parametrize(
    ("rows", "batch", "workers"), [(101, 7, 2), (10, 5, 2), (1, 1, 2), (64, 8, 1), (33, 32, None), (150, 1, None)]
)
def test_every_example_is_trained_once_and_every_update_applied(spark, rows, batch, workers):
    net = on_spark(spark, batch_size_per_worker=batch, num_workers=workers)
    history = net.fit(X[:rows], Y[:rows], epochs=2, progress=False)
    assert history["examples"] == [rows, rows]
    assert_conserved(net, rows, -(-rows // batch))


def digits(seed: int) -> dl.MultiLayerConfiguration:
    layers = [DenseLayer(n_out=32, activation="relu"), OutputLayer(n_out=10, loss="mcxent", activation="softmax")]
    return dl.MultiLayerConfiguration(
        seed=seed,
        updater=dl.updaters.Adam(learning_rate=5e-3),
        weight_init="xavier",
        input_type=dl.InputType.feed_forward(64),
        layers=layers,
    )


def test_digits_are_learned_as_well_as_in_process(spark):
    """Medians of three seeds."""
    x, x_test, y, y_test = dl.datasets.train_test_split(*dl.datasets.digits())
    expected, found = [], []
    for seed in (1, 2, 3):
        single = dl.MultiLayerNetwork(digits(seed))
        single.fit(x, y, batch_size=32, epochs=12, progress=False)
        expected.append(single.evaluate(x_test, y_test).accuracy)
        net = on_spark(spark, digits(seed), batch_size_per_worker=32)
        net.fit(x, y, epochs=12, progress=False)
        found.append(net.evaluate(x_test, y_test).accuracy)
        assert_conserved(net, len(x), -(-len(x) // 32))
    assert median(found) >= median(expected) - 0.02


def test_steps_are_those_of_the_threshold(spark):
    net = on_spark(spark, num_workers=1, threshold_algorithm=FixedThresholdAlgorithm(threshold=1e-7))
    before = net.network.params.copy()
    net.fit(X, Y, progress=False)
    moved = np.abs(net.network.params - before)
    assert 0 < moved.max() <= 10 * 1e-7 * 1.5  # ten updates, and rounding


@pytest.mark.parametrize(
    "options",
    [
        {"threshold_algorithm": FixedThresholdAlgorithm(threshold=1e-3)},
        {"threshold_algorithm": TargetSparsityThresholdAlgorithm(initial_threshold=1e-3, sparsity_target=0.05)},
        {
            "threshold_algorithm": AdaptiveThresholdAlgorithm(initial_threshold=1e-2, max_sparsity_target=0.06),
            "residual_post_processor": NoOpResidualPostProcessor(),
        },
        {
            "threshold_algorithm": AdaptiveThresholdAlgorithm(),
            "residual_post_processor": ResidualClippingPostProcessor(threshold_multiple_clip_value=2, frequency=1),
        },
    ],
)
def test_threshold_algorithms_and_post_processors(spark, options):
    net = on_spark(spark, **options)
    history = net.fit(X, Y, epochs=8, progress=False)
    assert history[-1].score < history[0].score
    assert_conserved(net, 150, 10)


def test_epochs_of_a_single_update(spark):
    """DL4J's adaptive algorithm, carried over from an epoch of one update, refuses to go on."""
    net = on_spark(spark, batch_size_per_worker=150, num_workers=1)
    assert net.fit(X, Y, epochs=4, progress=False)["examples"] == [150] * 4


def test_a_second_fit_goes_on_and_a_second_model_begins(spark):
    first, second = on_spark(spark), on_spark(spark)
    scores = first.fit(X, Y, epochs=6, progress=False)["score"] + first.fit(X, Y, epochs=6, progress=False)["score"]
    assert scores[6] < scores[0]
    assert second.fit(X, Y, progress=False)[0].score > scores[6]
    assert np.isfinite(first.network.params).all()


def test_both_masters_take_turns(spark):
    net = on_spark(spark)
    net.fit(X, Y, epochs=3, progress=False)
    master = ParameterAveragingTrainingMaster(batch_size_per_worker=16, num_workers=2)
    other = SparkDl4jMultiLayer(spark, net.network, master)
    assert other.fit(X, Y, epochs=3, progress=False)["examples"] == [150] * 3
    assert net.fit(X, Y, progress=False)[0].examples == 150


def test_a_score_that_is_not_finite_is_an_error_and_nothing_is_lost(spark):
    layers = [OutputLayer(n_out=1, loss="mse", activation="identity")]
    net = on_spark(spark, iris(updater=dl.updaters.Sgd(learning_rate=0.1), layers=layers))
    before = net.network.params.copy()
    x = X.copy()
    x[77] = 3e38
    with pytest.raises(NaNScoreError, match="put back to where it was before the epoch"):
        net.fit(x, Y, epochs=3, progress=False)
    np.testing.assert_array_equal(net.network.params, before)
    assert net.fit(X, Y, progress=False)[0].examples == 150


class StopError(Exception):
    pass


def test_what_interrupts_a_fit_cancels_it_and_leaves_network_and_session_usable(spark):
    def stop(epoch):
        if epoch.number == 2:
            raise StopError

    net = on_spark(spark)
    with pytest.raises(StopError):
        net.fit(X, Y, epochs=10_000, progress=False, callbacks=[stop])
    assert spark.sparkContext.statusTracker().getActiveJobsIds() == []
    assert np.isfinite(net.network.params).all()
    assert net.fit(X, Y, progress=False)[0].examples == 150
    threads = [str(name) for name in java_threads(spark)]
    assert not [name for name in threads if name.startswith(("pydl4j-updates", "pydl4j-mesh"))]


def java_threads(spark):
    return [thread.getName() for thread in spark.sparkContext._jvm.java.lang.Thread.getAllStackTraces().keySet()]


def test_more_workers_than_slots_is_an_error_that_says_what_to_set(spark):
    net = on_spark(spark, num_workers=5)
    with pytest.raises(SparkError, match="num_workers=5 needs as many slots") as caught:
        net.fit(X, Y, progress=False)
    assert "has 2" in caught.value.message
    assert caught.value.path == "SharedTrainingMaster.num_workers"


def test_workers_that_cannot_start_together_are_not_waited_for_in_vain(spark):
    """Somebody else holds a slot for a while: the fit goes on when it is free."""
    busy = threading.Thread(target=lambda: spark.range(1).foreach(lambda row: time.sleep(3)))
    busy.start()
    net = on_spark(spark)
    assert net.fit(X, Y, progress=False)[0].examples == 150
    busy.join()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SharedTrainingMaster(batch_size_per_worker=0), "batch_size_per_worker: expected an int >= 1"),
        (lambda: SharedTrainingMaster(workers_per_node=0), "workers_per_node: expected an int >= 1 or None"),
        (lambda: SharedTrainingMaster(update_timeout=0), "update_timeout: expected a number > 0"),
        (lambda: SharedTrainingMaster(threshold_algorithm=1e-3), "threshold_algorithm: expected ThresholdAlgorithm"),
        (lambda: SharedTrainingMaster(residual_post_processor=None), "expected ResidualPostProcessor"),
        (lambda: SharedTrainingMaster(void_configuration="x"), "void_configuration: expected VoidConfiguration"),
        (lambda: SharedTrainingMaster(storage_level="ON_PAPER"), "storage_level: expected one of"),
        (lambda: SharedTrainingMaster(rdd_data_set_num_examples=7), r"expected batch_size_per_worker \(32\) or None"),
        (lambda: AdaptiveThresholdAlgorithm(initial_threshold=0), "initial_threshold: expected a number > 0"),
        (lambda: AdaptiveThresholdAlgorithm(decay_rate=1), "decay_rate: expected a number >= 0.5 and < 1"),
        (lambda: AdaptiveThresholdAlgorithm(min_sparsity_target=0.5), r"at least min_sparsity_target \(0.5\)"),
        (
            lambda: TargetSparsityThresholdAlgorithm(sparsity_target=0.1),
            "sparsity_target: expected a number > 0 and < 0.0625",
        ),
        (lambda: FixedThresholdAlgorithm(threshold=float("nan")), "threshold: expected a number > 0"),
        (lambda: ResidualClippingPostProcessor(threshold_multiple_clip_value=0.5), "expected a number >= 1"),
        (lambda: VoidConfiguration(network_mask="10.1.0.7/16"), "network_mask: expected a network"),
        (lambda: VoidConfiguration(network_mask="10.1.0.0"), "network_mask: expected a network"),
        (lambda: VoidConfiguration(unicast_port=70_000), "unicast_port: expected an int from 1 to 65535 or None"),
        (lambda: VoidConfiguration(unicast_port=65_500), "port_range: expected at most 35"),
    ],
)
def test_values_that_cannot_be(make, message):
    with pytest.raises(ConfigError, match=message):
        make()


def test_an_unknown_option_names_the_nearest():
    with pytest.raises(UnknownOptionError, match="did you mean 'worker_prefetch_num_batches'"):
        SharedTrainingMaster(worker_prefetch_num_batch=2)


def test_executors_share_gradients_over_udp(spark_home):
    """One session: training, a network mask that fits nobody, an executor that is killed, and training again."""
    out = run_script(
        f"""
        import json, os, pathlib, signal, sys, threading, time
        sys.path.insert(0, {HERE!r})
        import numpy as np
        from pyspark.sql import SparkSession
        from local_spark import QUIET, X, Y, iris
        os.environ["PYSPARK_PYTHON"] = "/no/python/here"  # none is needed
        from pydl4j.errors import ExecutorLostError, SparkError
        from pydl4j.spark import SharedTrainingMaster, SparkDl4jMultiLayer, VoidConfiguration, configure

        builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g")
        for key, value in QUIET.items():
            builder.config(key, value)
        builder.config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1")
        spark = configure(builder).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")
        home = os.environ["SPARK_HOME"]

        def executors():
            found = []
            for process in pathlib.Path("/proc").iterdir():
                try:
                    command = (process / "cmdline").read_bytes().decode().split("\\0")
                    if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in command and str(
                        (process / "cwd").readlink()
                    ).startswith(home):
                        found.append(int(process.name))
                except (OSError, UnicodeDecodeError):
                    pass
            return found

        def on_spark(**options):
            return SparkDl4jMultiLayer(spark, iris(), SharedTrainingMaster(batch_size_per_worker=16, **options))

        said = {{}}
        net = on_spark()
        history = net.fit(X, Y, epochs=25, progress=False)
        said["examples"], said["score"], said["counts"] = history["examples"], history["score"], net.counts

        began = time.monotonic()
        try:
            on_spark(void_configuration=VoidConfiguration(network_mask="203.0.113.0/24")).fit(X, Y, progress=False)
        except SparkError as e:
            said["mask"], said["mask_seconds"] = e.message, time.monotonic() - began

        ports = on_spark(void_configuration=VoidConfiguration(network_mask="127.0.0.0/8", unicast_port=41300))
        said["ports"] = ports.fit(X, Y, progress=False)["examples"]

        net = on_spark()
        states = {{}}
        def soon(epoch):
            states[epoch.number] = net.network.params.copy()
            if epoch.number == 3:
                killed = executors()[0]
                threading.Timer(0.4, lambda: (states.update(at=time.monotonic()), os.kill(killed, signal.SIGKILL))).start()

        try:
            net.fit(X, Y, epochs=10_000, progress=False, callbacks=[soon])
        except ExecutorLostError as e:
            said["lost"], said["lost_seconds"] = e.message, time.monotonic() - states.pop("at")
        last = states[max(states)]
        said["put_back"] = bool(np.array_equal(net.network.params, last))
        again = net.fit(X, Y, epochs=3, progress=False)
        said["again"], said["again_counts"] = again["examples"], net.counts
        spark.stop()
        said["left"] = [path.name for path in pathlib.Path("/dev/shm").glob("pydl4j-mesh-*")]
        print(json.dumps(said))
        """,
        timeout=240,
        SPARK_HOME=str(spark_home),
    )
    said = json.loads(out.strip().splitlines()[-1])
    assert said["examples"] == [150] * 25
    assert said["score"][-1] < said["score"][0] * 0.8
    for counts in said["counts"] + said["again_counts"]:
        assert counts == {"given": 150, "loaded": 150, "trained": 150, "sent": 10, "applied": 10}
    assert "is inside network_mask 203.0.113.0/24: it has" in said["mask"]
    assert said["mask_seconds"] < 10
    assert said["ports"] == [150]
    assert "was lost" in said["lost"]
    assert "put back to where it was before the epoch" in said["lost"]
    assert said["lost_seconds"] < 15
    assert said["put_back"]
    assert said["again"] == [150] * 3
    assert said["left"] == []
