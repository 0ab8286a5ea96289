"""What networks of layers and graphs have in common."""

from collections.abc import Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from pydl4j.conf import _java
from pydl4j.conf.earlystopping import EarlyStoppingConfiguration
from pydl4j.conf.graph import ComputationGraphConfiguration
from pydl4j.conf.network import MultiLayerConfiguration
from pydl4j.data import arrays
from pydl4j.data.arrays import Array
from pydl4j.data.borders import Interface, OutputInterface
from pydl4j.data.examples import (
    OF_VALIDATION,
    Border,
    Data,
    Given,
    Masks,
    check_normalizer,
    validation_data,
)
from pydl4j.data.files import replacing
from pydl4j.data.interface import interface
from pydl4j.data.model_zip import read_normalizer, write_normalizer
from pydl4j.data.normalizer import Normalizer
from pydl4j.errors import ConfigError, ShapeError
from pydl4j.jvm import gateway as inprocess
from pydl4j.jvm.protocol import Gateway, JavaObject
from pydl4j.nn.checkpoint import Checkpoint, Checkpoints
from pydl4j.nn.earlystopping import EarlyStoppingResult, check_calculator, described, last_epoch, most_epochs
from pydl4j.nn.evaluation.asked import Asked
from pydl4j.nn.history import History
from pydl4j.nn.listener import Callback, follow, listeners
from pydl4j.nn.modelfile import read_configuration, told_of_parts
from pydl4j.nn.progress import display
from pydl4j.nn.verbs import put, with_columns

NO_LIMIT = 2**31 - 1  # of epochs
_ROWS_PER_CALL = 1024  # or one minibatch, if that has more: Ctrl-C is heard between two calls

Conf = TypeVar("Conf", MultiLayerConfiguration, ComputationGraphConfiguration)


class Network(Generic[Conf]):
    """A network that lives in a JVM, and its verbs."""

    conf_type: ClassVar[type[MultiLayerConfiguration] | type[ComputationGraphConfiguration]]
    """The class of its configurations."""

    conf: Conf

    def __init__(self, conf: Conf, *, normalizer: Normalizer | None = None) -> None:
        if not isinstance(conf, self.conf_type):
            raise ConfigError(f"expected a {self.conf_type.__name__}. Received: {type(conf).__name__}")
        self._interface: Interface = interface(conf)
        check_normalizer(normalizer, self._interface)
        self.conf = conf
        self.normalizer = normalizer
        self._bridge: Gateway | None = None
        self._network: JavaObject = None

    @classmethod
    def _adopt(cls, gateway: Gateway, network: JavaObject, conf: Conf, normalizer: Normalizer | None) -> Self:
        """A network that already lives in a JVM."""
        self = cls(conf, normalizer=normalizer)
        self._bridge, self._network = gateway, network
        return self

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

    @property
    def _border(self) -> Border:
        return Border(self._interface, self.normalizer)

    # -- training ------------------------------------------------------------------------------------------------------------------

    def fit(
        self,
        x: Data,
        y: Data,
        *,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        epochs: int | None = None,
        batch_size: int | None = None,
        validation: tuple[Data, Data] | tuple[Data, Data, Masks | None, Masks | None] | None = None,
        early_stopping: EarlyStoppingConfiguration | None = None,
        shuffle: bool = True,
        progress: bool = True,
        callbacks: Sequence[Callback] = (),
        checkpoint: Checkpoint | str | PathLike[str] | None = None,
        resume: bool = False,
    ) -> History:
        """Train on arrays. A second call goes on where the first ended; Ctrl-C ends it early and leaves the network usable.

        A graph with several inputs takes a list of arrays in the order of ``conf.inputs``, or a dict by their names; so it does of
        masks, and with several outputs of labels.

        Args:
            x: Features, examples along the first axis: [examples, n_in], [examples, channels, height, width], [examples, size, time].
            y: Labels: classes as integers [examples] (one-hot encoded here), or what the loss takes: [examples, n_out].
            features_mask: 1 for what counts of the features, 0 for padding: [examples, time], or [examples, height, width] of images.
                Padding may hold anything, NaN too. Where labels have no mask, what becomes of this one at the output is theirs.
            labels_mask: 1 for the labels that count: [examples, time], [examples, height, width], or [examples] where there is one
                label for each; numbers that are no classes may have one each. Labels that do not count may hold anything.
            epochs: Passes over the data; 1, or with ``early_stopping`` at most so many: by default as many as its conditions allow.
            batch_size: Examples per minibatch; 32 unless there are fewer. The last minibatch of an epoch may be smaller.
            validation: Features and labels to score after each epoch: ``(x, y)``, or ``(x, y, features_mask, labels_mask)``.
            early_stopping: When to end, and by which score of the validation data. Afterwards the network is the best one, that of
                ``best_model_epoch``, with its updater's state; ``early_stopping`` of the history tells why it ended.
            shuffle: Train on the examples in a new order in each epoch (the network's seed decides on it).
            progress: Show a bar with minibatches, rate, score and time left, in a terminal or a notebook; elsewhere a line per epoch, and one
                every half minute of a long one.
            callbacks: Each is a :class:`~pydl4j.TrainingListener`, or is called with every :class:`~pydl4j.nn.history.Epoch` that ends; an
                exception in one ends the fit.
            checkpoint: Where and how often to write checkpoints; a path stands for ``Checkpoint(path)``, one after each epoch.
            resume: Go on from the newest whole checkpoint to ``epochs`` in all, and end where the uninterrupted fit would have ended, to the
                last bit. Where there is none, training starts anew, and the log says so. The history has the epochs of this call.

        Raises:
            ConfigError: ``early_stopping`` that would never end, or that has no data to score; or with checkpoints, which do not hold it.
            CheckpointError: a checkpoint that cannot be written, or that is of another network or other data.
            DataError: data that cannot be trained on; see :mod:`pydl4j.data.arrays`.
            ShapeError: arrays that do not fit the network, or masks that do not fit the arrays.
            NaNScoreError: the score or the parameters became NaN or infinite; the network is as it was before that epoch.
        """
        told = listeners(callbacks)
        last = last_epoch(early_stopping, epochs=epochs, validation=validation)
        check_calculator(early_stopping, self._interface)
        checkpoints = Checkpoints.of(self._gateway, checkpoint, resume=resume)
        if checkpoint is not None and early_stopping is not None:
            raise ConfigError("checkpoints do not hold the state of early_stopping: leave one out", path="checkpoint")
        to_validate = None if validation is None else validation_data(validation)
        given, border = Given(x, y, features_mask, labels_mask), self._border
        with checkpoints.applied(self.normalizer), border.fitted(given):  # for good once training starts
            training = border.examples(given)
            size = arrays.batch_size(batch_size, len(training))
            held_out = None if to_validate is None else border.examples(to_validate, OF_VALIDATION)
            options = {
                "epochs": last or NO_LIMIT,
                "batch_size": size,
                "shuffle": shuffle,
                "classifier": only_classifier(self._interface),
                "checkpoint": checkpoints.options(self.normalizer, self._interface.dtype),
            }
            with described(early_stopping, self.normalizer, self._interface.dtype) as early:
                job = self._gateway.call(
                    "nn.Networks.fit",
                    self._java,
                    put(self._gateway, training),
                    None if held_out is None else put(self._gateway, held_out),
                    _java.dumps({**options, "early_stopping": early}),
                )
        expected = most_epochs(early_stopping, last)
        with display(progress=progress, epochs=expected, examples=len(training)) as shown:
            history, result = follow(self._gateway, job, shown, told)
        if early_stopping is None:
            return history
        return History(history.epochs, EarlyStoppingResult.of(result, partial(self._kept, "nn", job)))

    def _kept(self, package: str, job: JavaObject, which: str) -> Self | None:
        """The ``"best"`` or ``"latest"`` network of a fit that early stopping ended."""
        network = self._gateway.call(f"{package}.Networks.{which}", job)
        return None if network is None else self._adopt(self._gateway, network, self.conf, self.normalizer)

    # -- looking -------------------------------------------------------------------------------------------------------------------

    def _outputs(self, x: Data, features_mask: Masks | None, batch_size: int) -> list[Array]:
        """Activations of each output."""
        size = arrays.check_batch_size(batch_size)
        call, parts = self._gateway.call, []
        for piece in self._border.features(Given(x, features_mask=features_mask)).pieces(_rows(size)):
            java = call("nn.Networks.output", self._java, put(self._gateway, piece), size)
            items = [call("nn.Networks.item", java, i) for i in range(len(self._interface.outputs))]
            parts.append([self._gateway.get(item) for item in items])
        outputs = parts[0] if len(parts) == 1 else [np.concatenate(pieces) for pieces in zip(*parts, strict=True)]
        return [with_columns(output) for output in outputs]

    def _evaluate(self, border: OutputInterface, given: Given, evaluation: object, batch_size: int) -> Any:
        asked = Asked.of(evaluation, border)
        size = arrays.check_batch_size(batch_size)
        counts = self._gateway.call("evaluation.Counts.of", asked.to_json())
        for piece in self._border.examples_of(border, given).pieces(_rows(size)):
            java = put(self._gateway, piece)
            self._gateway.call("nn.Networks.evaluate", self._java, java, border.index, counts, size)
        return asked.answered(self._gateway.get(self._gateway.call("evaluation.Counts.numbers", counts)))

    def score(
        self,
        x: Data,
        y: Data,
        *,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        batch_size: int = 128,
    ) -> float:
        """Mean loss per example, regularization included; lower is better. Of several outputs the losses are added up.

        Arguments are those of :meth:`fit`; of masked sequences only the time steps that count are in their examples' loss.
        """
        size = arrays.check_batch_size(batch_size)
        examples = self._border.examples(Given(x, y, features_mask, labels_mask))
        total = 0.0
        for piece in examples.pieces(_rows(size)):
            score = self._gateway.call("nn.Networks.score", self._java, put(self._gateway, piece), size)
            total += score * len(piece)
        return total / len(examples)

    def score_examples(
        self,
        x: Data,
        y: Data,
        *,
        features_mask: Masks | None = None,
        labels_mask: Masks | None = None,
        add_regularization: bool = False,
        batch_size: int = 128,
    ) -> Array:
        """The loss of each example [examples]; lower is better. What fits badly, or is labelled wrongly, stands out.

        Arguments are those of :meth:`fit`; with ``add_regularization`` the network's is added to each, and their mean is :meth:`score`.
        """
        size = arrays.check_batch_size(batch_size)
        examples = self._border.examples(Given(x, y, features_mask, labels_mask))
        call, get = self._gateway.call, self._gateway.get
        parts = [
            get(call("nn.Networks.scoreExamples", self._java, put(self._gateway, piece), add_regularization, size))
            for piece in examples.pieces(_rows(size))
        ]
        return np.concatenate(parts)

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
            ModelFileError: no file, a damaged one, or one that holds something else: the other kind of network, too.
            ConfigError: the file's normalizer is one of labels too (``fit_labels``), which a network does not apply.
        """
        source = Path(path).absolute()
        conf: Any = read_configuration(source, cls.conf_type)
        gateway = inprocess()
        normalizer = read_normalizer(source)
        with told_of_parts(source):
            network = gateway.call("nn.Networks.load", str(source))
        return cls._adopt(gateway, network, conf, normalizer)


def only_classifier(net: Interface) -> int:
    """The number of the output whose accuracy is told of; -1 where none or several classify."""
    return net.classifiers[0].index if len(net.classifiers) == 1 else -1


def _rows(batch_size: int) -> int:
    """How many examples to hand over in a call: whole minibatches."""
    return max(1, _ROWS_PER_CALL // batch_size) * batch_size
