"""What the verbs of networks have in common, in this process and on Spark."""

from collections.abc import Sequence

import numpy as np

from pydl4j.data.arrays import Array
from pydl4j.data.borders import Interface, OutputInterface
from pydl4j.data.examples import Examples
from pydl4j.jvm.protocol import Gateway, JavaObject


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


def by_name(net: Interface, outputs: Sequence[Array]) -> Array | dict[str, Array]:
    """What comes out: an array of one output, of several a dict by their names."""
    if len(outputs) == 1:
        return outputs[0]
    return {str(border.name): array for border, array in zip(net.outputs, outputs, strict=True)}
