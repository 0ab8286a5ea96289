"""MNIST: a perceptron with one hidden layer, or LeNet, trained on real 28 x 28 digits.

python examples/02_mnist.py                        60,000 images to train on, 10,000 to test, fetched once
python examples/02_mnist.py --data DIRECTORY       the same from IDX files
python examples/02_mnist.py --data DIRECTORY --split 8000 --lenet
                                                   the test set alone: 8,000 to train on, the rest to test
"""

import argparse

import numpy as np

import pydl4j as dl
from pydl4j.layers import ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer


def network(layers: list[dl.layers.Layer]) -> dl.MultiLayerConfiguration:
    return dl.MultiLayerConfiguration(
        seed=123,
        updater=dl.updaters.Adam(learning_rate=1e-3),
        weight_init="xavier",
        layers=[*layers, OutputLayer(n_out=10, loss="negativeloglikelihood", activation="softmax")],
        input_type=dl.InputType.convolutional_flat(height=28, width=28, channels=1),
    )


def perceptron() -> dl.MultiLayerConfiguration:
    return network([DenseLayer(n_out=256, activation="relu")])


def lenet() -> dl.MultiLayerConfiguration:
    return network(
        [
            ConvolutionLayer(kernel_size=(5, 5), n_out=20, activation="relu"),
            SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            ConvolutionLayer(kernel_size=(5, 5), n_out=50, activation="relu"),
            SubsamplingLayer(pooling_type="max", kernel_size=(2, 2), stride=(2, 2)),
            DenseLayer(n_out=500, activation="relu"),
        ]
    )


def images(path: str | None, split: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    x_test, y_test = dl.datasets.mnist(path, "test")
    if split is not None:
        return x_test[:split], x_test[split:], y_test[:split], y_test[split:]
    x_train, y_train = dl.datasets.mnist(path, "train")
    return x_train, x_test, y_train, y_test


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS
    )
    parser.add_argument("--data", help="directory with the IDX files; by default they are fetched")
    parser.add_argument("--split", type=int, help="divide the test set: so many images to train on, the rest to test")
    parser.add_argument("--lenet", action="store_true", help="train LeNet instead of the perceptron")
    parser.add_argument("--epochs", type=int, default=3)
    options = parser.parse_args()

    x_train, x_test, y_train, y_test = images(options.data, options.split)
    net = dl.MultiLayerNetwork(lenet() if options.lenet else perceptron())
    print(net.summary())
    net.fit(x_train, y_train, epochs=options.epochs, batch_size=64, validation=(x_test, y_test))
    print(net.evaluate(x_test, y_test))
    net.save("mnist.zip")


if __name__ == "__main__":
    main()
