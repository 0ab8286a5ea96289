"""A network of layers, one after the other."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pydl4j.conf import _java
from pydl4j.conf.earlystopping import EarlyStoppingConfiguration
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.conf.transfer_plan import plan
from pydl4j.conf.transferlearning import TransferLearning
from pydl4j.data import arrays
from pydl4j.data.files import replacing
from pydl4j.data.interface import Interface, interface
from pydl4j.data.model_zip import read_normalizer, write_normalizer
from pydl4j.data.normalizer import Normalizer, fitting
from pydl4j.errors import ConfigError, ShapeError
from pydl4j.jvm import gateway as inprocess
from pydl4j.jvm.jobs import watch
from pydl4j.jvm.protocol import Gateway, JavaObject
from pydl4j.nn.checkpoint import Checkpoint, Checkpoints
from pydl4j.nn.earlystopping import EarlyStoppingResult, described, last_epoch, most_epochs
from pydl4j.nn.evaluation import Evaluation
from pydl4j.nn.history import Epoch, History
from pydl4j.nn.modelfile import read_configuration, told_of_parts
from pydl4j.nn.progress import Display, display

Array: TypeAlias = NDArray[Any]
_NO_LIMIT = 2**31 - 1  # of epochs
_ROWS_PER_CALL = 1024  # or one minibatch, if that has more: Ctrl-C is heard between two calls


class MultiLayerNetwork:
    """A network of layers, one after the other (DL4J's ``MultiLayerNetwork``).

    The JVM starts on first need, in this process. Two networks of the same configuration are equal, since its ``seed`` decides on the
    first parameters, on the order of the examples and on all that is random in training.

    Args:
        conf: What the network is.
        normalizer: Applied to all features; fitted to the data of the first ``fit`` unless it is already. It is saved with the network.

    Raises:
        ConfigError: ``conf`` is no configuration, or ``normalizer`` no normalizer, or one of labels too (``fit_labels``).
    """

    def __init__(self, conf: MultiLayerConfiguration, *, normalizer: Normalizer | None = None) -> None:
        if not isinstance(conf, MultiLayerConfiguration):
            raise ConfigError(f"expected a MultiLayerConfiguration. Received: {type(conf).__name__}")
        _check_normalizer(normalizer)
        self.conf = conf
        self.normalizer = normalizer
        self._interface: Interface = interface(conf)
        self._bridge: Gateway | None = None
        self._network: JavaObject = None

    @classmethod
    def _adopt(
        cls, gateway: Gateway, network: JavaObject, conf: MultiLayerConfiguration, normalizer: Normalizer | None
    ) -> Self:
        """A network that already lives in a JVM."""
        self = cls(conf, normalizer=normalizer)
        self._bridge, self._network = gateway, network
        return self

    def __repr__(self) -> str:
        resolution = self.conf.resolve()
        return f"<{type(self).__name__}: {len(resolution.layers)} layers, {resolution.n_params:,} parameters>"

    @property
    def _gateway(self) -> Gateway:
        if self._bridge is None:
            self._bridge = inprocess()
        return self._bridge

    @property
    def _java(self) -> JavaObject:
        if self._network is None:
            self._network = self._gateway.call("nn.Networks.create", self.conf.to_json())
        return self._network

    # -- training ------------------------------------------------------------------------------------------------------------------

    def fit(
        self,
        x: ArrayLike,
        y: ArrayLike,
        *,
        epochs: int | None = None,
        batch_size: int | None = None,
        validation: tuple[ArrayLike, ArrayLike] | None = None,
        early_stopping: EarlyStoppingConfiguration | None = None,
        shuffle: bool = True,
        progress: bool = True,
        callbacks: Sequence[Callable[[Epoch], object]] = (),
        checkpoint: Checkpoint | str | PathLike[str] | None = None,
        resume: bool = False,
    ) -> History:
        """Train on arrays. A second call goes on where the first ended; Ctrl-C ends it early and leaves the network usable.

        Args:
            x: Features, examples along the first axis: [examples, n_in], [examples, channels, height, width], [examples, size, time].
            y: Labels: classes as integers [examples] (one-hot encoded here), or what the loss takes: [examples, n_out].
            epochs: Passes over the data; 1, or with ``early_stopping`` at most so many: by default as many as its conditions allow.
            batch_size: Examples per minibatch; 32 unless there are fewer. The last minibatch of an epoch may be smaller.
            validation: Features and labels to score after each epoch.
            early_stopping: When to end, and by which score of the validation data. Afterwards the network is the best one, that of
                ``best_model_epoch``, with its updater's state; ``early_stopping`` of the history tells why it ended.
            shuffle: Train on the examples in a new order in each epoch (the network's seed decides on it).
            progress: Show a bar with rate, score and time left, or a line per epoch where the output is no terminal.
            callbacks: Each is called with every :class:`~pydl4j.nn.history.Epoch` that ends; an exception in one ends the fit.
            checkpoint: Where and how often to write checkpoints; a path stands for ``Checkpoint(path)``, one after each epoch.
            resume: Go on from the newest whole checkpoint to ``epochs`` in all, and end where the uninterrupted fit would have ended, to the
                last bit. Where there is none, training starts anew, and the log says so. The history has the epochs of this call.

        Raises:
            ConfigError: ``early_stopping`` that would never end, or that has no data to score; or with checkpoints, which do not hold it.
            CheckpointError: a checkpoint that cannot be written, or that is of another network or other data.
            DataError: data that cannot be trained on; see :mod:`pydl4j.data.arrays`.
            ShapeError: arrays that do not fit the network.
            NaNScoreError: the score or the parameters became NaN or infinite; the network is as it was before that epoch.
        """
        last = last_epoch(early_stopping, epochs=epochs, validation=validation)
        checkpoints = Checkpoints.of(self._gateway, checkpoint, resume=resume)
        if checkpoint is not None and early_stopping is not None:
            raise ConfigError("checkpoints do not hold the state of early_stopping: leave one out", path="checkpoint")
        held_out_pair = None if validation is None else arrays.validation_pair(validation)
        with (  # for good once training starts
            checkpoints.applied(self.normalizer),
            fitting(self.normalizer, lambda: arrays.shaped(x, self._interface)),
        ):
            features, labels = self._pair(x, y, "x", "y")
            size = arrays.batch_size(batch_size, len(features))
            held_out = self._pair(*held_out_pair, "validation[0]", "validation[1]") if held_out_pair else (None, None)
            options = {
                "epochs": last or _NO_LIMIT,
                "batch_size": size,
                "shuffle": shuffle,
                "classification": self._interface.classifier,
                "checkpoint": checkpoints.options(self.normalizer, self._interface.dtype),
            }
            put = self._gateway.put
            with described(early_stopping, self.normalizer, self._interface.dtype) as early:
                job = self._gateway.call(
                    "nn.Networks.fit",
                    self._java,
                    put(features),
                    put(labels),
                    *(None if array is None else put(array) for array in held_out),
                    _java.dumps({**options, "early_stopping": early}),
                )
        expected = most_epochs(early_stopping, last)
        with display(progress=progress, epochs=expected, examples=len(features)) as shown:
            history, result = follow(self._gateway, job, shown, callbacks)
        if early_stopping is None:
            return history
        return History(history.epochs, EarlyStoppingResult.of(result, partial(self._kept, job)))

    def _kept(self, job: JavaObject, which: str) -> Self | None:
        """The ``"best"`` or ``"latest"`` network of a fit that early stopping ended."""
        network = self._gateway.call(f"nn.Networks.{which}", job)
        return None if network is None else self._adopt(self._gateway, network, self.conf, self.normalizer)

    def transfer_learning(self, changes: TransferLearning) -> Self:
        """A new network that keeps what this one has learned, changed as ``changes`` say; DL4J's ``TransferLearning`` makes it.

        Layers that stay have their parameters. The updater starts anew, as do schedules. This network stays as it is.

        Raises:
            ConfigError: layers that there are not, nothing that stays, or sizes that do not fit.
        """
        planned = plan(changes, self.conf)
        made = self._gateway.call("nn.Transfer.learn", self._java, planned.document)
        conf = MultiLayerConfiguration.from_json(self._gateway.call("nn.Networks.configuration", made))
        return self._adopt(self._gateway, made, conf.replace(input_type=planned.input_type), self.normalizer)

    # -- looking -------------------------------------------------------------------------------------------------------------------

    def output(self, x: ArrayLike, *, batch_size: int = 128) -> Array:
        """Activations of the last layer: [examples, n_out], or [examples, n_out, time]."""
        size = arrays.check_batch_size(batch_size)
        features = self._features(x, "x")
        parts = [
            self._gateway.get(self._gateway.call("nn.Networks.output", self._java, self._gateway.put(part), size))
            for part in _pieces(size, features)
        ]
        output = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return with_columns(output)

    def predict(self, x: ArrayLike, *, batch_size: int = 128) -> Array:
        """Class indices [examples] (or [examples, time]) for a classifier; what :meth:`output` gives for any other network."""
        return classes_of(self.output(x, batch_size=batch_size), self._interface)

    def evaluate(
        self, x: ArrayLike, y: ArrayLike, *, batch_size: int = 128, labels: Sequence[str] | None = None
    ) -> Evaluation:
        """Accuracy, precision, recall, F1 and the confusion matrix of a classifier.

        Args:
            x: Features, as for :meth:`fit`.
            y: Labels, as for :meth:`fit`.
            batch_size: Examples per forward pass.
            labels: Names of the classes, for the printed form.

        Raises:
            ConfigError: the network is no classifier.
        """
        if not self._interface.classifier:
            raise ConfigError(
                "evaluate needs a classifier: a softmax or sigmoid output with a cross-entropy loss. Use score instead"
            )
        size = arrays.check_batch_size(batch_size)
        features, rows = self._pair(x, y, "x", "y")
        count = arrays.class_count(self._interface, features)
        confusion = np.zeros((count, count), np.int64)
        put = self._gateway.put
        for part_x, part_y in _pieces(size, features, rows):
            counts = self._gateway.call("nn.Networks.confusion", self._java, put(part_x), put(part_y), count, size)
            confusion += np.array(json.loads(counts), np.int64).reshape(count, count)
        return Evaluation.of(confusion, tuple(labels) if labels else None)

    def score(self, x: ArrayLike, y: ArrayLike, *, batch_size: int = 128) -> float:
        """Mean loss per example, regularization included; lower is better."""
        size = arrays.check_batch_size(batch_size)
        features, labels = self._pair(x, y, "x", "y")
        total = 0.0
        put = self._gateway.put
        for part_x, part_y in _pieces(size, features, labels):
            score = self._gateway.call("nn.Networks.score", self._java, put(part_x), put(part_y), size)
            total += score * len(part_x)
        return total / len(features)

    @property
    def params(self) -> Array:
        """All parameters as one vector [n], layer by layer in DL4J's order.

        In this process it is the network's own memory: what is written to it changes the network. From a Spark driver it is a copy.
        """
        return self._gateway.get(self._gateway.call("nn.Networks.params", self._java)).reshape(-1)

    @params.setter
    def params(self, values: ArrayLike) -> None:
        new = np.ascontiguousarray(values, self._interface.dtype)
        if new.shape != self.params.shape:
            raise ShapeError(
                f"params must have the shape {list(self.params.shape)}. Received: {list(new.shape)}", path="params"
            )
        self._gateway.call("nn.Networks.setParams", self._java, self._gateway.put(new))

    def summary(self, *, batch_size: int | None = None) -> str:
        """A table of the layers: names, shapes, parameter counts; and with a batch size the memory needed."""
        return self.conf.summary(batch_size=batch_size)

    # -- files ---------------------------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write DL4J's model file (``ModelSerializer``) with the updater's state and the normalizer; an older file is replaced whole."""
        target = Path(path).absolute()
        with replacing(target) as temporary:
            self._gateway.call("nn.Networks.save", self._java, str(temporary))
            if self.normalizer is not None:
                write_normalizer(temporary, self.normalizer)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read DL4J's model file; training goes on where it ended when the file was saved.

        Raises:
            ModelFileError: no file, a damaged one, or one that holds something else.
            ConfigError: the file's normalizer is one of labels too (``fit_labels``), which a network does not apply.
        """
        source = Path(path).absolute()
        conf = read_configuration(source)
        gateway = inprocess()
        normalizer = read_normalizer(source)
        with told_of_parts(source):
            network = gateway.call("nn.Networks.load", str(source))
        return cls._adopt(gateway, network, conf, normalizer)

    # -- data ----------------------------------------------------------------------------------------------------------------------

    def _features(self, x: ArrayLike, name: str) -> Array:
        if self.normalizer is not None:
            x = self.normalizer.transform(arrays.shaped(x, self._interface, name=name))
        return arrays.features(x, self._interface, name=name)

    def _pair(self, x: ArrayLike, y: ArrayLike, x_name: str, y_name: str) -> tuple[Array, Array]:
        features = self._features(x, x_name)
        return features, arrays.labels(y, self._interface, features=features, name=y_name)


def _check_normalizer(normalizer: object) -> None:
    if normalizer is None:
        return
    if not isinstance(normalizer, Normalizer):
        kind = normalizer.__name__ if isinstance(normalizer, type) else repr(normalizer)
        raise ConfigError(
            f"normalizer must be one of pydl4j.normalizers, as in NormalizerStandardize(). Received: {kind}",
            path="normalizer",
        )
    if getattr(normalizer, "fit_labels", False):
        raise ConfigError(
            "a network's normalizer is applied to features only, but this one has fit_labels=True. Give the network one without, "
            "and normalize the labels yourself: transform_labels before fit, revert_labels after output",
            path="normalizer",
        )


def follow(
    gateway: Gateway,
    job: JavaObject,
    shown: Display,
    callbacks: Sequence[Callable[[Epoch], object]],
    on_epoch_event: Callable[[dict[str, Any]], object] | None = None,
) -> tuple[History, dict[str, Any]]:
    """Wait for a job that trains, telling ``shown`` and the callbacks of what happens; gives the epochs and the job's result."""
    done: list[Epoch] = []

    def on_event(event: dict[str, Any]) -> None:
        if event["type"] == "progress":
            shown.progress(event)
            return
        if event["type"] == "checkpoint":
            return
        if on_epoch_event is not None:
            on_epoch_event(event)
        epoch = Epoch.of(event)
        done.append(epoch)
        shown.epoch(epoch)
        for callback in callbacks:
            callback(epoch)

    result = watch(gateway, job, on_event)
    return History(done), result


def with_columns(output: Array) -> Array:
    """The output as its type has it: DL4J's OCNNOutputLayer gives [examples], not [examples, 1]."""
    return output[:, None] if output.ndim == 1 else output


def classes_of(activations: Array, net: Interface) -> Array:
    """Class indices from a classifier's activations; those of any other network as they are."""
    if not net.classifier:
        return activations
    axis = net.class_axis
    if activations.shape[axis] == 1:
        classes: Array = (np.take(activations, 0, axis=axis) >= 0.5).astype(np.int64)
        return classes
    best: Array = activations.argmax(axis=axis)
    return best


def _pieces(batch_size: int, *joined: Array) -> Iterator[Any]:
    """Arrays with the same first axis in pieces of whole minibatches: each an array, or a tuple of arrays."""
    rows = max(1, _ROWS_PER_CALL // batch_size) * batch_size
    for start in range(0, len(joined[0]), rows):
        part = tuple(array[start : start + rows] for array in joined)
        yield part[0] if len(part) == 1 else part
