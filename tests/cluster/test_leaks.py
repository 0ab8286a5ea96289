"""Two hundred fits in one session leave nothing behind: no memory, no threads, no files."""

import os

import psutil
import pytest
from lab.footprint import footprint, growth

FITS = int(os.environ.get("PYDL4J_LEAK_FITS", "200"))
EVERY = 4  # fits between two measurements

# growth per fit over the second half, in bytes or in number
LIMITS = {
    "heap": 20e3,
    "off_heap": 1e3,
    "anonymous": 300e3,
    "shared_memory": 1e3,
    "threads": 0.02,
    "descriptors": 0.04,
    "files": 0.01,
}

# Spark's own memory of the last thousand jobs is no leak
SETTINGS = {
    "spark.ui.retainedJobs": "10",
    "spark.ui.retainedStages": "10",
    "spark.ui.retainedTasks": "100",
    "spark.sql.ui.retainedExecutions": "5",
}

SCRIPT = """
    spark = session()
    x, x_test, y, y_test = digits()
    for fit in range(1, {fits} + 1):
        net = on_spark(spark, {network!r}, {master!r}, seed=fit)
        history = net.fit(x, y, epochs=1, validation=(x_test, y_test), progress=False)
        assert net.counts[0]["loaded"] == len(x)
        net.output(x_test)
        if fit % {every} == 0:
            say("measured", fit=fit, **driver_footprint(spark))
    say("result", accuracy=history[-1].validation_accuracy)
    spark.stop()
"""


@pytest.mark.nightly
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("kind", ["local", "local-cluster"])
@pytest.mark.parametrize("master", ["averaging", "shared"])
@pytest.mark.parametrize("network", ["multilayer", "graph"])
def test_many_fits_leave_nothing_behind(lab, kind, master, network):
    cluster = lab(kind)
    script = SCRIPT.format(fits=FITS, every=EVERY, network=network, master=master)
    driver = cluster.driver(script, SETTINGS)
    measured = range(EVERY, FITS + 1, EVERY)
    drivers, executors = [], []
    for fit in measured:
        said = driver.hear("measured", fit=fit)
        drivers.append({what: said[what] for what in LIMITS})
        executors.append(footprint(psutil.Process(executor.pid) for executor in cluster.executors()))
    driver.result()
    for samples in (drivers, executors):
        grown = growth(samples, measured)
        print(f"growth per fit: {grown}")
        too_much = {what: slope for what, slope in grown.items() if slope > LIMITS[what]}
        assert too_much == {}, f"measured last: {samples[-3:]}"
