"""A character model: two GravesLSTM layers read a short story and learn to go on writing it.

python examples/03_char_rnn.py [--text FILE] [--epochs 30]
"""

import argparse
from pathlib import Path

import numpy as np

import pydl4j as dl
from pydl4j.datasets import Vocabulary
from pydl4j.layers import GravesLSTM, RnnOutputLayer

STORY = Path(__file__).with_name("story.txt")
LENGTH = 100  # characters per sequence
MEMORY = 50  # characters that gradients go back through, and that writing looks back on
START = "The lamp "


def char_model(letters: int) -> dl.MultiLayerConfiguration:
    return dl.MultiLayerConfiguration(
        seed=12345,
        updater=dl.updaters.Adam(learning_rate=1e-2),
        weight_init="xavier",
        layers=[
            GravesLSTM(n_out=128, activation="tanh"),
            GravesLSTM(n_out=128, activation="tanh"),
            RnnOutputLayer(n_out=letters, loss="mcxent", activation="softmax"),
        ],
        backprop_type="truncated_bptt",
        tbptt_fwd_length=MEMORY,
        tbptt_back_length=MEMORY,
        input_type=dl.InputType.recurrent(letters),
    )


def write(net: dl.MultiLayerNetwork, vocabulary: Vocabulary, start: str, count: int, seed: int = 0) -> str:
    """Let the network go on from ``start``: each character is drawn from the probabilities it gives."""
    rng = np.random.default_rng(seed)
    written = list(vocabulary.encode(start))
    for _ in range(count):
        seen = np.array(written[-MEMORY:])[None, :]
        chances = net.output(vocabulary.one_hot(seen))[0, :, -1].astype(np.float64)
        written.append(rng.choice(len(vocabulary), p=chances / chances.sum()))
    return vocabulary.decode(written)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--text", type=Path, default=STORY)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--characters", type=int, default=200, help="how many to write in the end")
    options = parser.parse_args()

    x, y, vocabulary = dl.datasets.characters(options.text.read_text(encoding="utf-8"), LENGTH)
    print(f"{len(x)} sequences of {LENGTH} characters, {len(vocabulary)} different ones")
    net = dl.MultiLayerNetwork(char_model(len(vocabulary)))
    net.fit(x, y, epochs=options.epochs, batch_size=min(16, len(x)))
    print(write(net, vocabulary, START, options.characters))


if __name__ == "__main__":
    main()
