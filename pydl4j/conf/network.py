"""`MultiLayerConfiguration`: a stack of layers."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from pydl4j.conf import document
from pydl4j.conf._codecs import FrozenMap
from pydl4j.conf._documents import DocumentMethods
from pydl4j.conf._kernel import refuse
from pydl4j.conf._numbers import IntKey
from pydl4j.conf._reading import At
from pydl4j.conf._summary import SummaryMethods
from pydl4j.conf.inputs import InputType
from pydl4j.conf.layers.base import Layer
from pydl4j.conf.older import modern
from pydl4j.conf.options import NetworkOptions, NeuralNetConfiguration, shared_options
from pydl4j.conf.preprocessors import InputPreProcessor
from pydl4j.conf.resolve import Resolution, contradictions, resolve
from pydl4j.errors import ConfigError


class MultiLayerConfiguration(
    DocumentMethods, SummaryMethods, NetworkOptions, keys={"input_preprocessors": "inputPreProcessors"}
):
    """A network of layers, each fed by the one before.

    Options that a layer leaves ``None`` are inherited from here. ``to_json()`` is what DL4J's builders would write for the
    same network, byte for byte, except where these have a defect: a weight decay given here is applied once (DL4J lists it
    twice), ``constrain_all`` is applied, and ``validate_output_layer_config=False`` and ``use_log_std=False`` are kept
    (DL4J loses them).

    >>> from pydl4j.conf.layers import DenseLayer, OutputLayer
    >>> MultiLayerConfiguration(seed=1, layers=[DenseLayer(n_in=4, n_out=8), OutputLayer(n_out=3)]).resolve().n_params
    67
    """

    layers: Sequence[Layer]
    input_type: InputType | None = None
    """Shape of the input; sizes and preprocessors of the layers are inferred from it."""
    input_preprocessors: Mapping[int, InputPreProcessor] = FrozenMap()
    """Preprocessors by layer index, in place of the automatic ones."""
    layer_states: Sequence[NeuralNetConfiguration] = ()
    """What a document says beside each layer, where it is not what the network's options say; empty for a new network."""

    def validate(self, path: str) -> None:
        if not self.layers:
            raise refuse(f"{path}.layers", "must have a layer", self.layers)
        if self.layer_states and len(self.layer_states) != len(self.layers):
            raise refuse(
                f"{path}.layer_states", f"must have {len(self.layers)} items, one per layer", len(self.layer_states)
            )
        if not self.as_written:
            self.check_options(path)
            self.resolve()  # layers that do not fit together are refused here already

    def resolve(self) -> Resolution:
        """Every layer with its inherited options, inferred sizes, preprocessors and parameter shapes.

        Raises:
            ConfigError: Layers that do not fit together, in a document that was read; `path` says where, such as
                ``layers[3].n_in``. Other networks are refused when they are made.
        """
        return self._resolution

    def contradictions(self) -> Mapping[str, ConfigError]:
        return contradictions((place.path, place.layer, place.input_type) for place in self.resolve().layers)

    @cached_property
    def _resolution(self) -> Resolution:
        return resolve(self)

    def to_tree(self) -> dict[str, Any]:
        places = self.resolve().layers
        states = self.layer_states or (NeuralNetConfiguration.of(self),) * len(places)
        tree = document.write_top(self)
        tree["confs"] = [document.write_layer(state, place.layer) for place, state in zip(places, states, strict=True)]
        tree["inputPreProcessors"] = {
            IntKey(place.index): place.preprocessor.to_tree() for place in places if place.preprocessor
        }
        return dict(sorted(tree.items()))

    @classmethod
    def read(cls, tree: Any, at: At) -> Self:
        confs = tree.get("confs") if isinstance(tree, Mapping) else None
        if not isinstance(confs, list) or not confs:
            kind = "a ComputationGraph" if isinstance(tree, Mapping) and "vertices" in tree else "another document"
            raise ConfigError(
                f'{at.path}: expected DL4J\'s document of a multi-layer network, with its layers under "confs"; '
                f"this is {kind}"
            )
        tree = modern(tree)
        values = document.read_top(cls, tree, at, ["confs", "inputPreProcessors"])
        epoch = {"epochCount": tree["epochCount"]} if "epochCount" in tree else {}  # DL4J hands it down
        confs = [{**epoch, **conf} if isinstance(conf, Mapping) else conf for conf in tree["confs"]]
        states = [document.read_layer(conf, At(f"layers[{i}]", at.rules)) for i, conf in enumerate(confs)]
        values |= shared_options(states[0]) | _layers(states)
        preprocessors = tree.get("inputPreProcessors")
        if preprocessors is not None:
            codec = cls.options()["input_preprocessors"].codec
            values["input_preprocessors"] = codec.read(preprocessors, At("input_preprocessors", at.rules))
        conf = cls(**values, as_written=True)
        bare = tuple(state._with(layer=None) for state in states)
        usual = NeuralNetConfiguration.of(conf)
        return conf if all(state == usual for state in bare) else conf._with(layer_states=bare)


def _layers(states: Collection[NeuralNetConfiguration]) -> dict[str, Any]:
    layers = []
    for index, state in enumerate(states):
        if state.layer is None:
            path = f"layers[{index}]"
            raise ConfigError(
                f'{path}: expected DL4J\'s configuration of a layer, with the layer under "layer"', path=path
            )
        layers.append(state.layer)
    return {"layers": layers}
