"""Learn the digits 0 to 4 until it gets no better; then, from what was learned, tell 5 to 9 apart with a few examples of each.

    python examples/04_early_stopping_and_transfer_learning.py [--epochs 30]

Leaves five-to-nine.zip, which any JVM service can load with DL4J's ModelSerializer.
"""

import argparse

import numpy as np

import pydl4j as dl
from pydl4j.earlystopping import (
    ClassificationScoreCalculator,
    EarlyStoppingConfiguration,
    MaxEpochsTerminationCondition,
    ScoreImprovementEpochTerminationCondition,
)
from pydl4j.layers import ConvolutionLayer, DenseLayer, OutputLayer, SubsamplingLayer
from pydl4j.transferlearning import FineTuneConfiguration, TransferLearning

FEW = 20  # examples of the new digits
ADAM = dl.updaters.Adam(learning_rate=3e-3)


def digits(first: int) -> tuple[np.ndarray, ...]:
    """Images and labels of five digits: to train on, and held out."""
    x, y = dl.datasets.digits()
    chosen = (y >= first) & (y < first + 5)
    x_train, x_test, y_train, y_test = dl.datasets.train_test_split(x[chosen], y[chosen] - first, test_size=0.3)
    return x_train, y_train, x_test, y_test


def lenet() -> dl.MultiLayerConfiguration:
    return dl.MultiLayerConfiguration(
        seed=123,
        updater=ADAM,
        convolution_mode="same",
        layers=[
            ConvolutionLayer(kernel_size=(5, 5), n_out=20, activation="relu"),
            SubsamplingLayer(kernel_size=(2, 2), stride=(2, 2)),
            ConvolutionLayer(kernel_size=(5, 5), n_out=50, activation="relu"),
            SubsamplingLayer(kernel_size=(2, 2), stride=(2, 2)),
            DenseLayer(n_out=100, activation="relu", name="features"),
            OutputLayer(n_out=5, activation="softmax"),
        ],
        input_type=dl.InputType.convolutional_flat(height=8, width=8, channels=1),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=30)
    epochs = parser.parse_args().epochs

    until_no_better = EarlyStoppingConfiguration(
        epoch_termination_conditions=[
            MaxEpochsTerminationCondition(max_epochs=epochs),
            ScoreImprovementEpochTerminationCondition(max_epochs_with_no_improvement=3),
        ],
        score_calculator=ClassificationScoreCalculator(metric="f1"),
    )
    shown = {"progress": False, "callbacks": [print]}  # a line per epoch, printed here, in place of a progress bar

    print("0 to 4")
    x, y, x_test, y_test = digits(0)
    net = dl.MultiLayerNetwork(lenet())
    history = net.fit(x, y, validation=(x_test, y_test), early_stopping=until_no_better, **shown)
    stopped = history.early_stopping
    print(f"Best F1 {stopped.best_model_score:.4f} in epoch {stopped.best_model_epoch}; {stopped.termination_details}")

    print(f"\n5 to 9, {FEW} examples: the first convolution frozen, a new output layer")
    x, y, x_test, y_test = digits(5)
    new = net.transfer_learning(
        TransferLearning(
            fine_tune_configuration=FineTuneConfiguration(updater=ADAM, seed=5),
            set_feature_extractor="layer1",
            remove_output_layer=True,
            add_layers=[OutputLayer(n_out=5, activation="softmax")],
        )
    )
    print(new.summary())
    new.fit(x[:FEW], y[:FEW], epochs=epochs, batch_size=10, progress=False)
    from_scratch = dl.MultiLayerNetwork(lenet())
    from_scratch.fit(x[:FEW], y[:FEW], epochs=epochs, batch_size=10, progress=False)
    print(f"Held-out accuracy, transferred:  {new.evaluate(x_test, y_test).accuracy:.4f}")
    print(f"Held-out accuracy, from scratch: {from_scratch.evaluate(x_test, y_test).accuracy:.4f}")
    new.save("five-to-nine.zip")


if __name__ == "__main__":
    main()
