"""What it costs to import pydl4j, to describe networks, and to come to a first fit."""

import subprocess
import sys
import time

from common import Data, clock, in_turn, report

import pydl4j as dl
from pydl4j.layers import BatchNormalization, ConvolutionLayer, DenseLayer, OutputLayer


def start_up(_data: Data) -> None:
    """Import time, what an import loads, and a first fit from the start of the process."""
    heavy = ("jpype", "py4j", "pyspark", "pyarrow", "pandas", "numpy")
    bare, with_import = in_turn(9, lambda: child("pass"), lambda: child("import pydl4j"))
    report("import pydl4j, beyond starting Python", (with_import - bare) * 1000, "ms", "<= 100")
    script = f"import pydl4j, sys; print([m for m in {heavy} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    print(f"  loaded by it: {loaded}")
    (first,) = in_turn(5, first_fit)
    report("start of Python to end of a first fit, warm caches", first, "s", "<= 2")


def fifty_layers() -> dl.MultiLayerConfiguration:
    """24 convolutions with their batch normalizations, two dense layers: 95,000 characters of JSON."""
    block = (ConvolutionLayer(n_out=16, kernel_size=3, activation="relu"), BatchNormalization())
    return dl.MultiLayerConfiguration(
        seed=1,
        updater=dl.updaters.Adam(learning_rate=1e-3),
        l2=1e-4,
        convolution_mode="same",
        input_type=dl.InputType.convolutional(height=32, width=32, channels=3),
        layers=[*block * 24, DenseLayer(n_out=100), OutputLayer(n_out=10)],
    )


def configurations(_data: Data) -> None:
    """What describing networks costs: no JVM is started."""
    plain, layers = in_turn(9, lambda: child("import pydl4j"), lambda: child("import pydl4j.layers"))
    report("import pydl4j.layers, beyond import pydl4j", (layers - plain) * 1000, "ms", "<= 100")
    text = fifty_layers().to_json()
    write, read = in_turn(
        20,
        lambda: clock(lambda: fifty_layers().to_json()),
        lambda: clock(lambda: dl.MultiLayerConfiguration.from_json(text)),
    )
    report("50 layers: made, validated and written as JSON", write * 1000, "ms", "<= 20")
    report("50 layers: read from JSON", read * 1000, "ms")
    (first,) = in_turn(5, lambda: seconds_of_child(FIFTY_LAYERS))
    report("50 layers: made and written for the first time in a process", first * 1000, "ms")
    (resnet,) = in_turn(5, lambda: clock(lambda: dl.zoo.ResNet50(1000).to_json()))
    report("zoo.ResNet50: made, validated and written as JSON", resnet * 1000, "ms")


FIFTY_LAYERS = """
import time, pydl4j as dl
from pydl4j.layers import BatchNormalization, ConvolutionLayer, DenseLayer, OutputLayer
start = time.perf_counter()
block = (ConvolutionLayer(n_out=16, kernel_size=3, activation="relu"), BatchNormalization())
dl.MultiLayerConfiguration(layers=[*block * 24, DenseLayer(n_out=100), OutputLayer(n_out=10)], convolution_mode="same",
    updater="adam", l2=1e-4, input_type=dl.InputType.convolutional(height=32, width=32, channels=3)).to_json()
print(time.perf_counter() - start)
"""


FIRST_FIT = """
import numpy as np, pydl4j as dl
from pydl4j.layers import DenseLayer, OutputLayer
conf = dl.MultiLayerConfiguration(seed=1, input_type=dl.InputType.feed_forward(20),
    layers=[DenseLayer(n_out=32, activation="relu"), OutputLayer(n_out=3, loss="mcxent", activation="softmax")])
dl.MultiLayerNetwork(conf).fit(np.random.rand(500, 20), np.arange(500) % 3, progress=False)
import time
print(time.time())
"""


def first_fit() -> float:
    start = time.time()
    done = subprocess.run([sys.executable, "-c", FIRST_FIT], capture_output=True, text=True, check=True)
    return float(done.stdout) - start


def child(script: str) -> float:
    return clock(lambda: subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL))


def seconds_of_child(script: str) -> float:
    """What a script that measures itself prints."""
    return float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
