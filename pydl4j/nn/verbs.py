"""What the verbs of networks have in common, in this process and on Spark."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pydl4j.data.arrays import Array
from pydl4j.data.borders import OutputInterface
from pydl4j.data.examples import Examples
from pydl4j.jvm.jobs import watch
from pydl4j.jvm.protocol import Gateway, JavaObject
from pydl4j.nn.history import Epoch, History
from pydl4j.nn.progress import Display


def put(gateway: Gateway, examples: Examples) -> JavaObject:
    """The examples in the JVM: ``org.pydl4j.nn.Examples``."""

    def array(values: Array | None) -> JavaObject:
        return None if values is None else gateway.put(values)

    java = gateway.call("nn.Examples.create")
    for features, mask in zip(examples.features, examples.features_masks, strict=True):
        gateway.call("nn.Examples.addFeatures", java, array(features), array(mask))
    for labels, mask in zip(examples.labels, examples.labels_masks, strict=True):
        gateway.call("nn.Examples.addLabels", java, array(labels), array(mask))
    return java


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


def classes_of(activations: Array, border: OutputInterface) -> Array:
    """Class indices from a classifier's activations; those of any other output as they are."""
    if not border.classifier:
        return activations
    axis = border.class_axis
    if activations.shape[axis] == 1:
        classes: Array = (np.take(activations, 0, axis=axis) >= 0.5).astype(np.int64)
        return classes
    best: Array = activations.argmax(axis=axis)
    return best
