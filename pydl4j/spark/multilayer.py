"""A multi-layer network trained and used on Spark."""

from typing import ClassVar

from pydl4j.nn.network import MultiLayerNetwork
from pydl4j.spark.looking import Looking
from pydl4j.spark.training import Training


class SparkDl4jMultiLayer(Training[MultiLayerNetwork], Looking[MultiLayerNetwork]):
    """A multi-layer network whose training, evaluation and predictions run on Spark's executors (DL4J's ``SparkDl4jMultiLayer``).

    Data are numpy arrays, or a DataFrame and the names of its columns. A column of features may be a number, an array of numbers or a
    vector of ``pyspark.ml``; the numbers of several columns are joined. A single column of labels holds classes, if the network is a
    classifier, or an array as wide as the output. Executors run Java only.

    Args:
        spark: A session that was made with :func:`~pydl4j.spark.configure` or given to :func:`~pydl4j.spark.attach`.
        network: What to train: a configuration, or a network, which is copied unless it lives in the session's driver already.
        master: How training is shared among workers.

    Raises:
        SparkConnectError, SparkSessionStoppedError, SparkVersionError, JarError: a session that cannot be used; the message says why.
    """

    _network_type: ClassVar = MultiLayerNetwork
