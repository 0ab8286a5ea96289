"""Columns of images: Spark's own, and the bytes of files."""

import io

import numpy as np
import pytest
from local_spark import on_spark
from PIL import Image

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError
from pydl4j.layers import ConvolutionLayer, OutputLayer
from pydl4j.normalizers import ImagePreProcessingScaler
from pydl4j.spark import Resized, load_dataset, save_dataset

HEIGHT, WIDTH = 6, 5
RNG = np.random.default_rng(3)
COLORS = RNG.integers(0, 256, (24, HEIGHT, WIDTH, 3), dtype=np.uint8)
GRAY = RNG.integers(0, 256, (24, HEIGHT, WIDTH, 1), dtype=np.uint8)
LABELS = np.arange(24) % 2
SPARK_IMAGE = "struct<origin: string, height: int, width: int, nChannels: int, mode: int, data: binary>"


def encoded(image, kind="PNG", **options):
    file = io.BytesIO()
    Image.fromarray(image.squeeze()).save(file, kind, **options)
    return bytearray(file.getvalue())


def spark_image(image):
    height, width, channels = image.shape
    return ("", height, width, channels, (channels - 1) * 8, bytearray(image[:, :, ::-1].tobytes()))


def frame(spark, cells, kind="binary"):
    rows = [(i, cell, int(LABELS[i])) for i, cell in enumerate(cells)]
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, 2), f"id int, photo {kind}, y int")


def network(channels=3, form="nchw", **options):
    sizes = {"height": HEIGHT, "width": WIDTH, "channels": channels} | options
    flat = form == "flat"
    given = dl.InputType.convolutional_flat(**sizes) if flat else dl.InputType.convolutional(**sizes, format=form)
    conv = {} if flat else {"data_format": form}
    layers = [
        ConvolutionLayer(n_out=3, kernel_size=2, activation="tanh", **conv),
        OutputLayer(n_out=2, loss="mcxent", activation="softmax"),
    ]
    return dl.MultiLayerConfiguration(
        seed=5, input_type=given, layers=layers, updater=dl.updaters.Sgd(learning_rate=0.01)
    )


def as_taken(images, form):
    if form == "nhwc":
        return images.astype("f4")
    planes = np.ascontiguousarray(np.moveaxis(images, -1, 1)).astype("f4")
    return planes.reshape(len(planes), -1) if form == "flat" else planes


@pytest.mark.parametrize("form", ["nchw", "nhwc", "flat"])
@pytest.mark.parametrize(
    ("images", "make", "kind"),
    [(COLORS, spark_image, SPARK_IMAGE), (GRAY, encoded, "binary")],
    ids=["decoded", "encoded"],
)
def test_trains_as_arrays_do(spark, form, images, make, kind):
    conf = network(images.shape[-1], form)
    expected, net = (on_spark(spark, conf, batch_size_per_worker=6) for _ in range(2))
    for one in (expected, net):
        one.network.normalizer = ImagePreProcessingScaler()
    expected.fit(as_taken(images, form), LABELS, progress=False)
    data = frame(spark, [make(image) for image in images], kind)
    net.fit(data, "y", features="photo", progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    found = [row["output"] for row in net.output(data, features="photo").orderBy("id").collect()]
    np.testing.assert_array_equal(np.array(found, "f4"), expected.output(as_taken(images, form)))
    assert (
        net.evaluate(data, "y", features="photo").accuracy == expected.evaluate(as_taken(images, form), LABELS).accuracy
    )


def saved(data, directory, features="photo", **conf):
    options = {"network": network(**conf), "batch_size": 8, "progress": False, "overwrite": True}
    save_dataset(data, directory, "y", features=features, **options)
    return load_dataset(directory).to_numpy()["features"]


@pytest.mark.parametrize("kind", ["PNG", "BMP", "GIF", "JPEG"])
def test_files_are_decoded(spark, tmp_path, kind):
    files = [encoded(image, kind) for image in COLORS]
    expected = np.stack([np.asarray(Image.open(io.BytesIO(file)).convert("RGB")) for file in files])
    # decoders of JPEG round differently
    tolerance = 4 if kind == "JPEG" else 0
    np.testing.assert_allclose(
        saved(frame(spark, files), tmp_path / "d"), as_taken(expected, "nchw"), atol=tolerance, rtol=0
    )


def test_colors_become_gray_and_gray_becomes_colors(spark, tmp_path):
    grays = [np.asarray(Image.fromarray(image).convert("L")) for image in COLORS]
    found = saved(frame(spark, map(encoded, COLORS)), tmp_path / "gray", channels=1)
    np.testing.assert_allclose(found[:, 0], grays, atol=1, rtol=0)  # 0.299 has fewer digits there
    assert (found[:, 0] == grays).mean() > 0.95
    found = saved(frame(spark, map(encoded, GRAY)), tmp_path / "colors")
    np.testing.assert_array_equal(found, as_taken(GRAY.repeat(3, axis=3), "nchw"))


def test_sparks_own_reader(spark, tmp_path):
    for i, image in enumerate(COLORS[:3]):
        Image.fromarray(image).save(tmp_path / f"{i}.png")
    data = (
        spark.read.format("image")
        .load(str(tmp_path))
        .selectExpr("image", "int(0) as y", "image.origin as o")
        .orderBy("o")
    )
    np.testing.assert_array_equal(saved(data, tmp_path / "d", "image"), as_taken(COLORS[:3], "nchw"))


def test_resizes_where_asked(spark, tmp_path):
    data = frame(spark, map(spark_image, GRAY), SPARK_IMAGE)
    sizes = {"height": 2 * HEIGHT, "width": 2 * WIDTH, "channels": 1}
    expected = [
        Image.fromarray(image[:, :, 0].astype("f4")).resize((2 * WIDTH, 2 * HEIGHT), Image.Resampling.BILINEAR)
        for image in GRAY
    ]
    found = saved(data, tmp_path / "d", Resized("photo"), **sizes)
    np.testing.assert_allclose(found[:, 0], np.stack(expected), atol=1e-3)
    message = (
        r"column 'photo' has an image of 6 x 5 pixels; expected 12 x 10 \(height x width\). Name the column as Resized"
    )
    for one in (data, frame(spark, map(encoded, GRAY))):
        with pytest.raises(DataError, match=message):
            saved(one, tmp_path / "d", **sizes)


def clear(image):
    return np.concatenate([image, np.full((HEIGHT, WIDTH, 1), 254, np.uint8)], axis=2)


BAD = {
    "a text": (bytearray(b"no image"), "8 bytes that are no image; expected PNG, JPEG, BMP or GIF"),
    "a truncated PNG": (encoded(COLORS[0])[:-60], "an image that cannot be decoded"),
    "a truncated JPEG": (encoded(COLORS[0], "JPEG")[:-40], "an image that cannot be decoded"),
    "transparent": (encoded(clear(COLORS[0])), "an image with transparent pixels"),
    "deep": (encoded(GRAY[0].astype(np.uint16) * 257), "an image of 16 bits for each channel; expected 8"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_files_are_told(spark, tmp_path, kind):
    cell, message = BAD[kind]
    data = frame(spark, [encoded(COLORS[1]), cell]).coalesce(1)
    with pytest.raises(DataError, match=rf"column 'photo' has {message}.*\(row 1 of partition 0"):
        saved(data, tmp_path / "d")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (("", -1, -1, -1, -1, bytearray()), "an image that Spark could not read"),
        (("", HEIGHT, WIDTH, 3, 16, bytearray(5)), "an image of 5 bytes; expected 90"),
        (("", HEIGHT, WIDTH, 2, 8, bytearray(60)), "an image of 2 channels and mode 8; expected 1, 3 or 4"),
        (("", HEIGHT, WIDTH, 3, 16, None), "an image without data"),
        (("", HEIGHT, WIDTH, 4, 24, bytearray(clear(COLORS[0]).tobytes())), "transparent"),
    ],
)
def test_bad_images_are_told(spark, tmp_path, cell, message):
    with pytest.raises(DataError, match=rf"column 'photo' has .*{message}"):
        saved(frame(spark, [cell], SPARK_IMAGE), tmp_path / "d")


def test_networks_that_take_no_images(spark, tmp_path):
    data = frame(spark, map(encoded, COLORS))
    with pytest.raises(DataError, match=r"of type binary, an image, which is no features of the network"):
        on_spark(spark).fit(data, "y", features="photo", progress=False)
    with pytest.raises(DataError, match=r"of 1 channel \(gray\) or of 3; the network takes 2"):
        saved(data, tmp_path / "d", channels=2)
    with pytest.raises(ConfigError, match="the network says what becomes of images"):
        save_dataset(data, tmp_path / "d", "y", features="photo", progress=False)
