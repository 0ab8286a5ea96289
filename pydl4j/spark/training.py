"""Training a network on Spark's executors."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from os import PathLike
from typing import Any

from pydl4j.conf import _java
from pydl4j.conf.earlystopping import EarlyStoppingConfiguration
from pydl4j.data import arrays
from pydl4j.errors import ConfigError
from pydl4j.nn.base import NO_LIMIT, only_classifier
from pydl4j.nn.checkpoint import Checkpoint, Checkpoints
from pydl4j.nn.earlystopping import EarlyStoppingResult, check_calculator, described, last_epoch, most_epochs
from pydl4j.nn.history import History
from pydl4j.nn.listener import Callback, follow, listeners
from pydl4j.nn.progress import display
from pydl4j.spark.columns import Named
from pydl4j.spark.inputs import Data, Labels, Masks, Validation
from pydl4j.spark.model import Kind, SparkModel
from pydl4j.spark.sources import learning
from pydl4j.spark.stats import TrainingStats


class Training(SparkModel[Kind]):
    """The verb ``fit``."""

    def fit(
        self,
        data: Data,
        labels: Labels | None = None,
        *,
        features: Named | None = None,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        epochs: int | None = None,
        validation: Validation | None = None,
        early_stopping: EarlyStoppingConfiguration | None = None,
        shuffle: bool = True,
        progress: bool = True,
        callbacks: Sequence[Callback] = (),
        checkpoint: Checkpoint | str | PathLike[str] | None = None,
        resume: bool = False,
    ) -> History:
        """Train; a second call goes on where the first ended. Ctrl-C cancels the Spark jobs; network and session stay usable.

        Args:
            data: Features as an array (see :meth:`MultiLayerNetwork.fit`); a DataFrame of Spark or pandas, or a table of pyarrow; Parquet or a
                dataset of :func:`~pydl4j.spark.save_dataset`, by path or URI. An RDD of ``LabeledPoint`` needs Python on the executors, which
                makes a DataFrame of it; it has its labels.
            labels: Labels as an array, or the name (or names) of columns. A prepared dataset has its own.
            features: The name (or names) of columns. A network of images (``InputType.convolutional``) takes Spark's images and the bytes of
                PNG, JPEG, BMP and GIF files as well: as numbers from 0 to 255 in its channels and their order. Images of another size are
                refused, but for columns named as :class:`~pydl4j.spark.Resized`; the orientation that cameras note is not looked at. A recurrent
                network takes one column of sequences: arrays ``[time][size]``, or arrays of vectors, of varying lengths; where a time step is one
                number (or an index into an embedding) and no length is said, arrays ``[time]``. They are padded to ``time_series_length``, or to
                the longest, which a pass over the lengths finds, and masked; a flat array has the network's order. Labels for each time step
                are arrays ``[time][n_out]``, or ``[time]`` of classes, as long as the row's features; they are padded and masked as these are.
            features_mask: Which time steps and pixels count, as in :meth:`MultiLayerNetwork.fit`. Of sequences in a DataFrame the name of a
                column of arrays ``[time]`` of 0 and 1, as long as the row's sequence; of a graph a dict by the inputs' names. What it
                masks may be anything, null, too.
            labels_mask: Of labels; of a DataFrame the name of such a column, or where there is one label per row, of one with 0 or 1. It
                stands beside that of what is no padding.
            epochs: Passes over the data; 1, or with ``early_stopping`` at most so many: by default as many as its conditions allow.
            validation: What to score after each epoch: a pair of arrays (or four, with masks), a prepared dataset, or a table with the columns
                of the training data.
            early_stopping: When to end, and by which score of the validation data, which executors calculate. It means what it means in
                :meth:`MultiLayerNetwork.fit`, where conditions of iterations are looked at after each averaging. Afterwards the network
                is the best one, with its updater's state; ``early_stopping`` of the history tells why it ended.
            shuffle: Train on the examples in a new order in each epoch, the same that training in this process would have.
            progress: Show a bar with minibatches, rate, score, time left and workers, in a terminal or a notebook; elsewhere a line per
                epoch, and one every half minute of a long one.
            callbacks: Each is a :class:`~pydl4j.TrainingListener`, or is called with every :class:`~pydl4j.nn.history.Epoch` that ends; an
                exception in one ends the fit.
            checkpoint: Where and how often to write checkpoints; a path or URI stands for ``Checkpoint(path)``, one after each epoch.
            resume: Go on from the newest whole checkpoint to ``epochs`` in all, with the same order of examples: averaging parameters, the
                fit ends where the uninterrupted one would have ended, to the last bit. Where there is none, training starts anew, and the
                log says so. The history has the epochs of this call.

        Raises:
            ConfigError: ``early_stopping`` that would never end, or that has no data to score, or with a score calculator of
                reconstructions, which need one process; or with checkpoints, which do not hold it.
            CheckpointError: a checkpoint that cannot be written, or that is of another network or other data.
            DataError, ShapeError: data that cannot be trained on, or do not fit the network; the message says where.
            NaNScoreError: the score became NaN or infinite; the network is as it was before that epoch.
            CountMismatchError: workers trained another number of minibatches than they were given; the network is as it was before that epoch.
            ExecutorLostError: executors were lost more often than Spark repeats a task; or, on a standalone cluster, there is none and three
                failed as they started. One that is merely late is waited for, and the log says so. ``worker_log`` has what it said last.
            SparkSessionStoppedError: the session was stopped.
        """
        told = listeners(callbacks)
        last = last_epoch(early_stopping, epochs=epochs, validation=validation)
        check_calculator(early_stopping, self._interface)
        if checkpoint is not None and early_stopping is not None:
            raise ConfigError("checkpoints do not hold the state of early_stopping: leave one out", path="checkpoint")
        self._inputs.check_validation(validation, features)
        network = self._java
        checkpoints = Checkpoints.of(self._gateway, checkpoint, resume=resume)
        source = self._inputs.source(data, labels, features, masks=(features_mask, labels_mask))
        with ExitStack() as held:
            # for good once training starts
            with checkpoints.applied(self._network.normalizer), learning(self._network, source):
                training = held.enter_context(source.dataset())
                held_out = held.enter_context(
                    self._inputs.validation(validation, labels, features, (features_mask, labels_mask))
                )
                arrays.batch_size(self.master.batch_size_per_worker, training.rows)
                normalizer, dtype = self._network.normalizer, self._interface.dtype
                early = held.enter_context(described(early_stopping, normalizer, dtype))
                job = self._gateway.call(
                    "spark.Networks.fit",
                    self._spark._jsparkSession,  # noqa: SLF001  # pyspark has no public name for it
                    network,
                    training.uri,
                    training.rows,
                    held_out.uri if held_out else None,
                    held_out.rows if held_out else 0,
                    self._options(
                        last or NO_LIMIT,
                        shuffle=shuffle,
                        checkpoint=checkpoints.options(normalizer, dtype),
                        early_stopping=early,
                    ),
                )
            self.training_stats, self.counts = TrainingStats(), []
            with display(progress=progress, epochs=most_epochs(early_stopping, last), examples=training.rows) as shown:
                history, result = follow(self._gateway, job, shown, told, self._note)
        if early_stopping is None:
            return history
        kept = partial(self._network._kept, "spark", job)  # noqa: SLF001  # one class in two rooms
        return History(history.epochs, EarlyStoppingResult.of(result, kept))

    def _note(self, event: dict[str, Any]) -> None:
        if "counts" in event:
            self.counts.append(event["counts"])
        if "stats" in event:
            self.training_stats.add(event["epoch"], event["stats"])

    def _options(
        self, epochs: int, *, shuffle: bool, checkpoint: dict[str, Any] | None, early_stopping: dict[str, Any] | None
    ) -> str:
        return _java.dumps(
            {
                "epochs": epochs,
                "shuffle": shuffle,
                "classifier": only_classifier(self._interface),
                "checkpoint": checkpoint,
                "early_stopping": early_stopping,
                "master": self.master.to_dict(),
            }
        )
