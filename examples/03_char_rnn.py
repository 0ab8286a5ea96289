"""A character model: two GravesLSTM layers read a short story and learn to go on writing it.

python examples/03_char_rnn.py [--text FILE] [--epochs 60]
"""

import argparse
from pathlib import Path

import numpy as np

import pydl4j as dl
from pydl4j.datasets import Vocabulary
from pydl4j.layers import GravesLSTM, RnnOutputLayer

STORY = Path(__file__).with_name("story.txt")
LENGTH = 200  # characters per sequence
START = "The lamp "


def char_model(letters: int) -> dl.MultiLayerConfiguration:
    return dl.MultiLayerConfiguration(
        seed=12345,
        updater=dl.updaters.Adam(learning_rate=5e-3),
        weight_init="xavier",
        layers=[
            GravesLSTM(n_out=128, activation="tanh"),
            GravesLSTM(n_out=128, activation="tanh"),
            RnnOutputLayer(n_out=letters, loss="mcxent", activation="softmax"),
        ],
        backprop_type="truncated_bptt",
        tbptt_fwd_length=50,
        tbptt_back_length=50,
        input_type=dl.InputType.recurrent(letters),
    )


def write(net: dl.MultiLayerNetwork, vocabulary: Vocabulary, start: str, count: int, seed: int = 0) -> str:
    """Let the network go on from ``start``: each character is drawn from the probabilities it gives."""
    rng = np.random.default_rng(seed)
    written = list(vocabulary.encode(start))
    for _ in range(count):
        seen = np.array(written[-LENGTH:])[None, :]
        chances = net.output(vocabulary.one_hot(seen))[0, :, -1].astype(np.float64)
        written.append(rng.choice(len(vocabulary), p=chances / chances.sum()))
    return vocabulary.decode(written)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--text", type=Path, default=STORY)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--characters", type=int, default=300, help="how many to write in the end")
    options = parser.parse_args()

    x, y, vocabulary = dl.datasets.characters(options.text.read_text(encoding="utf-8"), LENGTH)
    print(f"{len(x)} sequences of {LENGTH} characters, {len(vocabulary)} different ones")
    net = dl.MultiLayerNetwork(char_model(len(vocabulary)))
    net.fit(x, y, epochs=options.epochs, batch_size=8)
    print(write(net, vocabulary, START, options.characters))


if __name__ == "__main__":
    main()
