"""A graph trained and used on Spark."""

from typing import ClassVar

from pydl4j.nn.graph import ComputationGraph
from pydl4j.spark.looking import Looking
from pydl4j.spark.training import Training


class SparkComputationGraph(Training[ComputationGraph], Looking[ComputationGraph]):
    """A graph whose training, evaluation and predictions run on Spark's executors (DL4J's ``SparkComputationGraph``).

    Data are as for :class:`~pydl4j.spark.SparkDl4jMultiLayer`. Where the graph has several inputs, features are a list of arrays in the
    order of ``conf.inputs``, or a dict by their names; of a DataFrame a dict of columns, as in ``features={"image": "pixels", "age": "age"}``.
    So are labels where it has several outputs.

    Args:
        spark: A session that was made with :func:`~pydl4j.spark.configure` or given to :func:`~pydl4j.spark.attach`.
        network: What to train: a configuration, or a graph, which is copied unless it lives in the session's driver already.
        master: How training is shared among workers.

    Raises:
        SparkConnectError, SparkSessionStoppedError, SparkVersionError, JarError: a session that cannot be used; the message says why.
    """

    _network_type: ClassVar = ComputationGraph
