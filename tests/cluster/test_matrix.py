"""Every way of training on every kind of cluster: as accurate as in one process, no example lost, no update lost."""

from statistics import median

import pytest
from conftest import SEEDS

EPOCHS = 12
NETWORKS = ("multilayer", "graph")
MASTERS = ("averaging", "shared")
KINDS = ("local", "local-cluster", "standalone", "hosts")

FAST = {
    ("local", "multilayer", "averaging"),
    ("local-cluster", "multilayer", "averaging"),
    ("standalone", "multilayer", "averaging"),
    ("local", "multilayer", "shared"),
    ("local-cluster", "multilayer", "shared"),
    ("local", "graph", "averaging"),
    ("local", "graph", "shared"),
}

ON_SPARK = """
    spark = session()
    x, x_test, y, y_test = digits()
    accuracies, counts = [], []
    for seed in {seeds}:
        net = on_spark(spark, {network!r}, {master!r}, seed)
        net.fit(x, y, epochs={epochs}, progress=False, callbacks=[say_epochs])
        accuracies.append(net.evaluate(x_test, y_test).accuracy)
        counts += net.counts
    say("result", accuracies=accuracies, counts=counts, examples=len(x))
    spark.stop()
"""


@pytest.mark.parametrize(
    ("kind", "network", "master"),
    [
        pytest.param(*cell, marks=[] if cell in FAST else pytest.mark.nightly)
        for cell in ((kind, network, master) for kind in KINDS for network in NETWORKS for master in MASTERS)
    ],
)
def test_as_accurate_as_in_process_and_nothing_is_lost(lab, in_process, kind, network, master):
    cluster = lab(kind)
    driver = cluster.driver(ON_SPARK.format(seeds=SEEDS, epochs=EPOCHS, network=network, master=master))
    driver.hear("epoch", number=1)
    assert len(cluster.executors()) == (0 if kind == "local" else 2)
    result = driver.result()
    assert len(result["counts"]) == EPOCHS * len(SEEDS)
    for counts in result["counts"]:
        assert counts["given"] == counts["loaded"] == counts["trained"] == result["examples"]
        assert counts["sent"] == counts["applied"] >= result["examples"] / 32
    assert median(result["accuracies"]) >= in_process(network, EPOCHS) - 0.02
