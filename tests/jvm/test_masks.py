"""Masked time steps, pixels and examples do not count: in training, scores, evaluations and normalizers, of both kinds of network."""

import numpy as np
import pytest

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError, ShapeError
from pydl4j.layers import (
    LSTM,
    CnnLossLayer,
    ConvolutionLayer,
    DenseLayer,
    GlobalPoolingLayer,
    LastTimeStep,
    OutputLayer,
    RnnOutputLayer,
)
from pydl4j.normalizers import NormalizerStandardize
from pydl4j.vertices import MergeVertex

RNG = np.random.default_rng(0)
LENGTHS = np.array([4, 1, 6, 3, 6, 2, 5, 4])
KEPT = np.arange(6) < LENGTHS[:, None]
STEPS = RNG.integers(0, 2, KEPT.shape)
PARITY = STEPS.cumsum(axis=1) % 2
BOTH = pytest.mark.parametrize("kind", ["layers", "graph"])


def padded(*, nwc: bool = False, with_: float = 0.0) -> np.ndarray:
    x = np.where(KEPT, STEPS, with_).astype("f4")
    return x[..., None] if nwc else x[:, None]


def network(kind: str, layers, input_type, normalizer=None, seed: int = 1):
    updater = dl.updaters.Adam(learning_rate=0.02)
    if kind == "layers":
        conf = dl.MultiLayerConfiguration(seed=seed, updater=updater, input_type=input_type, layers=layers)
        return dl.MultiLayerNetwork(conf, normalizer=normalizer)
    x = y = dl.Input(input_type, name="in")
    for i, layer in enumerate(layers):
        y = layer.replace(name=f"layer_{i}")(y)
    conf = dl.ComputationGraphConfiguration(seed=seed, updater=updater, inputs=[x], outputs=[y])
    return dl.ComputationGraph(conf, normalizer=normalizer)


def counter(kind: str, *, nwc: bool = False, loss: str = "mcxent"):
    """A classifier of each time step."""
    data_format = "nwc" if nwc else "ncw"
    layers = [
        LSTM(n_out=4, data_format=data_format),
        RnnOutputLayer(n_out=2, loss=loss, activation="softmax", data_format=data_format),
    ]
    return network(kind, layers, dl.InputType.recurrent(1, format=data_format))


@BOTH
@pytest.mark.parametrize("nwc", [False, True])
def test_padding_may_hold_anything(kind: str, nwc: bool) -> None:
    runs = []
    for x, y in (
        (padded(nwc=nwc), PARITY),
        (padded(nwc=nwc, with_=np.nan), np.where(KEPT, PARITY, -1)),
        (padded(nwc=nwc, with_=7.0), np.where(KEPT, PARITY, 99)),
    ):
        net = counter(kind, nwc=nwc)
        options = {"features_mask": KEPT, "labels_mask": KEPT}
        history = net.fit(x, y, **options, epochs=3, batch_size=3, validation=(x, y, KEPT, KEPT), progress=False)
        assert history[-1].validation_score == pytest.approx(net.score(x, y, **options))
        evaluation = net.evaluate(x, y, **options)
        assert evaluation.confusion.sum() == KEPT.sum()
        assert history[-1].validation_accuracy == evaluation.accuracy
        runs.append((net.params.copy(), history["score"], evaluation.confusion, net.output(x, features_mask=KEPT)))
    for run in runs[1:]:
        for ours, first in zip(run, runs[0], strict=True):
            np.testing.assert_array_equal(ours, first)


@BOTH
def test_masked_sequences_are_what_they_are_without_padding(kind: str) -> None:
    net = counter(kind)
    together = net.output(padded(), features_mask=KEPT)
    score = net.score(padded(), PARITY, features_mask=KEPT)
    confusion = np.zeros((2, 2), int)
    alone = 0.0
    for i, length in enumerate(LENGTHS):
        x, y = padded()[i : i + 1, :, :length], PARITY[i : i + 1, :length]
        np.testing.assert_allclose(net.output(x)[0], together[i, :, :length], atol=1e-6)
        alone += net.score(x, y)
        np.add.at(confusion, (y, net.predict(x)), 1)
    assert score == pytest.approx(alone / len(LENGTHS), rel=1e-5)
    np.testing.assert_array_equal(net.evaluate(padded(), PARITY, features_mask=KEPT).confusion, confusion)


@BOTH
def test_the_mask_of_features_is_that_of_labels_where_these_have_none(kind: str) -> None:
    with_one, with_both = counter(kind), counter(kind)
    scores = [
        net.fit(padded(), PARITY, features_mask=KEPT, labels_mask=mask, epochs=2, progress=False)["score"]
        for net, mask in ((with_one, None), (with_both, KEPT))
    ]
    assert scores[0] == scores[1]  # DL4J's own score of a graph counts all
    np.testing.assert_array_equal(with_one.params, with_both.params)


@BOTH
def test_masks_stay_with_their_examples_when_these_are_shuffled(kind: str) -> None:
    shuffled, plain = counter(kind), counter(kind)
    for net, shuffle in ((shuffled, True), (plain, False)):
        net.fit(padded(), PARITY, features_mask=KEPT, epochs=3, batch_size=8, shuffle=shuffle, progress=False)
    np.testing.assert_allclose(shuffled.params, plain.params, atol=1e-5)


@BOTH
def test_a_mask_is_forgotten_afterwards(kind: str) -> None:
    net = counter(kind)
    x, y = padded(), PARITY
    before = net.output(x), net.score(x, y), net.evaluate(x, y).confusion
    net.score(x, y, features_mask=KEPT, labels_mask=KEPT)
    net.evaluate(x, y, features_mask=KEPT)
    net.output(x, features_mask=KEPT)
    after = net.output(x), net.score(x, y), net.evaluate(x, y).confusion
    for first, second in zip(before, after, strict=True):
        np.testing.assert_array_equal(first, second)


@BOTH
@pytest.mark.parametrize("last", ["sparse", "rows", "one"])
def test_labels_in_every_form(kind: str, last: str) -> None:
    if last == "one":
        layers = [LSTM(n_out=4), RnnOutputLayer(n_out=1, loss="xent", activation="sigmoid")]
        net = network(kind, layers, dl.InputType.recurrent(1))
    else:
        net = counter(kind, loss="sparse_mcxent" if last == "sparse" else "mcxent")
    y = np.moveaxis(np.eye(2)[PARITY], -1, 1) * KEPT[:, None] if last == "rows" else np.where(KEPT, PARITY, -7)
    net.fit(padded(), y, features_mask=KEPT, labels_mask=KEPT, progress=False)
    confusion = np.zeros((2, 2), int)
    np.add.at(confusion, (PARITY[KEPT], net.predict(padded(), features_mask=KEPT)[KEPT]), 1)
    np.testing.assert_array_equal(net.evaluate(padded(), y, labels_mask=KEPT, features_mask=KEPT).confusion, confusion)


@BOTH
def test_one_label_for_a_sequence_or_none(kind: str) -> None:
    layers = [LastTimeStep(layer=LSTM(n_out=4)), OutputLayer(n_out=2)]
    y, counted = PARITY[np.arange(8), LENGTHS - 1], np.arange(8) % 3 != 0
    runs = []
    for labels in (y, np.where(counted, y, 5)):
        net = network(kind, layers, dl.InputType.recurrent(1))
        net.fit(padded(), labels, features_mask=KEPT, labels_mask=counted, batch_size=1, epochs=2, progress=False)
        runs.append(net.params.copy())
        assert net.evaluate(padded(), labels, features_mask=KEPT, labels_mask=counted, batch_size=1).examples == 5
        assert net.evaluate(padded(), y, features_mask=KEPT).examples == 8
    np.testing.assert_array_equal(*runs)
    for i, length in enumerate(LENGTHS):  # the last step is that of the sequence, not of the padding
        alone = net.output(padded()[i : i + 1, :, :length])
        np.testing.assert_allclose(net.output(padded(), features_mask=KEPT)[i], alone[0], atol=1e-6)


@BOTH
def test_single_numbers_of_a_regression(kind: str) -> None:
    x, y = RNG.random((10, 3), "f4"), RNG.random((10, 2)).astype("f4")
    counted = RNG.integers(0, 2, y.shape)
    net = network(kind, [OutputLayer(n_out=2, loss="mse", activation="identity")], dl.InputType.feed_forward(3))
    expected = (((net.output(x) - y) ** 2) * counted).sum() / 2 / 10  # DL4J divides by the width
    assert net.score(x, np.where(counted, y, np.nan), labels_mask=counted) == pytest.approx(expected, rel=1e-4)


def segmenter(kind: str, data_format: str = "nchw"):
    """A classifier of each pixel."""
    layers = [
        ConvolutionLayer(n_out=3, kernel_size=1, activation="identity"),
        CnnLossLayer(loss="mcxent", activation="softmax", data_format=data_format),
    ]
    return network(kind, layers, dl.InputType.convolutional(height=4, width=5, channels=2, format=data_format))


@BOTH
def test_pixels(kind: str) -> None:
    x, y, counted = RNG.random((6, 2, 4, 5), "f4"), RNG.integers(0, 3, (6, 4, 5)), RNG.integers(0, 2, (6, 4, 5))
    runs = []
    for labels in (y, np.where(counted, y, -1)):
        net = segmenter(kind)
        (epoch,) = net.fit(x, labels, labels_mask=counted, validation=(x, labels, None, counted), progress=False)
        runs.append(net.params.copy())
        confusion = np.zeros((3, 3), int)
        np.add.at(confusion, (y[counted == 1], net.predict(x)[counted == 1]), 1)
        np.testing.assert_array_equal(net.evaluate(x, labels, labels_mask=counted).confusion, confusion)
        assert epoch.validation_accuracy == pytest.approx(np.trace(confusion) / counted.sum())
        chances = np.take_along_axis(net.output(x), y[:, None], axis=1)[:, 0]
        score = -(np.log(chances) * counted).sum() / 6
        assert net.score(x, labels, labels_mask=counted) == pytest.approx(score, rel=1e-4)
    np.testing.assert_array_equal(*runs)


@BOTH
def test_pixels_with_channels_last_cannot_be_masked(kind: str) -> None:
    net = segmenter(kind, "nhwc")
    with pytest.raises(
        ConfigError, match=r"labels_mask: DL4J cannot mask pixels with channels last; give the .* data_format"
    ):
        net.score(np.zeros((6, 4, 5, 2)), np.zeros((6, 4, 5)), labels_mask=np.ones((6, 4, 5)))


@BOTH
def test_images_of_several_sizes(kind: str) -> None:
    sizes = [(3, 5), (4, 2), (1, 1)]
    kept = np.zeros((3, 4, 5), bool)
    for i, (height, width) in enumerate(sizes):
        kept[i, :height, :width] = True
    x = np.where(kept[:, None], RNG.random((3, 2, 4, 5)), np.nan).astype("f4")
    layers = [GlobalPoolingLayer(pooling_type="avg"), OutputLayer(n_out=2)]
    net = network(kind, layers, dl.InputType.convolutional(height=4, width=5, channels=2))
    together = net.output(x, features_mask=kept)
    for i, (height, width) in enumerate(sizes):
        mean = x[i, :, :height, :width].mean(axis=(1, 2))
        alike = np.broadcast_to(mean[None, :, None, None], (1, 2, 4, 5))
        np.testing.assert_allclose(net.output(alike)[0], together[i], atol=1e-5)
    net.fit(x, [0, 1, 0], features_mask=kept, progress=False)
    assert np.isfinite(net.params).all()


@BOTH
def test_a_normalizer_learns_of_what_counts(kind: str) -> None:
    net = counter(kind)
    scaled = type(net)(net.conf, normalizer=NormalizerStandardize())
    scaled.fit(padded(with_=1e6), PARITY, features_mask=KEPT, progress=False)
    np.testing.assert_allclose(scaled.normalizer.mean, [STEPS[KEPT].mean()], rtol=1e-5)
    np.testing.assert_allclose(scaled.normalizer.std, [STEPS[KEPT].std()], rtol=1e-5)
    net = counter(kind, nwc=True)
    scaled = type(net)(net.conf, normalizer=NormalizerStandardize())
    with pytest.raises(ConfigError, match="a normalizer can be fitted to masked features only where these come before"):
        scaled.fit(padded(nwc=True), PARITY, features_mask=KEPT)
    assert not scaled.normalizer.is_fitted


@BOTH
@pytest.mark.parametrize(
    ("masks", "error", "message"),
    [
        (
            {"features_mask": KEPT[:, :5]},
            ShapeError,
            r"features_mask must have the shape \[examples, time\]: \[8, 6\]. Re",
        ),
        ({"features_mask": KEPT[:7]}, ShapeError, r"features_mask must .* Received: \[7, 6\]"),
        ({"labels_mask": KEPT[:, :, None]}, ShapeError, r"labels_mask must .* \[8, 6\]. Received: \[8, 6, 1\]"),
        ({"labels_mask": KEPT * 2}, DataError, r"1 where something counts and 0 .* Received: 2 at labels_mask\[0, 0\]"),
        ({"features_mask": KEPT * 0.5}, DataError, r"Received: 0.5 at features_mask\[0, 0\]"),
        ({"labels_mask": KEPT & False}, DataError, "labels_mask leaves nothing that counts: all of it is 0"),
        ({"features_mask": "none"}, DataError, "features_mask must be numbers"),
    ],
)
def test_masks_that_cannot_be(kind: str, masks, error, message: str) -> None:
    net = counter(kind)
    for verb in (net.fit, net.score, net.evaluate):
        with pytest.raises(error, match=message) as caught:
            verb(padded(), PARITY, **masks)
        assert caught.value.path == next(iter(masks))
    with pytest.raises(
        error, match=message.replace("features_mask", r"validation\[2\]").replace("labels_mask", r"validation\[3\]")
    ):
        net.fit(
            padded(),
            PARITY,
            validation=(padded(), PARITY, masks.get("features_mask"), masks.get("labels_mask")),
            progress=False,
        )


@BOTH
def test_rows_have_nothing_to_mask_but_themselves(kind: str) -> None:
    net = network(kind, [DenseLayer(n_out=3), OutputLayer(n_out=2)], dl.InputType.feed_forward(3))
    x = RNG.random((4, 3))
    with pytest.raises(
        ShapeError, match=r"neither time steps nor pixels .*: \[4, 3\]. labels_mask leaves whole examples"
    ):
        net.output(x, features_mask=np.ones((4, 3)))
    with pytest.raises(ShapeError, match=r"labels_mask must have the shape \[examples\]: \[4\]. Received: \[4, 2\]"):
        net.score(x, [0, 1, 0, 1], labels_mask=np.ones((4, 2)))
    assert net.evaluate(x, [0, 1, 0, 1], labels_mask=[[1], [0], [1], [1]]).examples == 3


def two_sided() -> dl.ComputationGraph:
    vertices = {
        "a": (LSTM(n_out=3), "left"),
        "b": (LSTM(n_out=3), "right"),
        "both": (MergeVertex(), "a", "b"),
        "each": (RnnOutputLayer(n_out=2, loss="mcxent", activation="softmax"), "both"),
        "pool": (GlobalPoolingLayer(pooling_type="max"), "both"),
        "whole": (OutputLayer(n_out=2), "pool"),
    }
    conf = dl.ComputationGraphConfiguration(
        seed=2,
        updater=dl.updaters.Adam(learning_rate=0.02),
        inputs={"left": dl.InputType.recurrent(1), "right": dl.InputType.recurrent(1)},
        vertices=vertices,
        outputs=["each", "whole"],
    )
    return dl.ComputationGraph(conf)


@pytest.mark.parametrize("both", [True, False])
def test_masks_of_a_graph_come_by_name_or_in_order(both: bool) -> None:
    x = {"left": padded(with_=np.nan), "right": padded(with_=np.nan if both else 0)}
    y = {"each": PARITY, "whole": PARITY[:, 0]}
    by_name = {"left": KEPT} | ({"right": KEPT} if both else {})
    in_order = [KEPT, KEPT if both else None]
    nets = [two_sided(), two_sided()]
    histories = [
        net.fit(x, y, features_mask=mask, labels_mask={"each": KEPT}, epochs=2, batch_size=3, progress=False)
        for net, mask in zip(nets, (by_name, in_order), strict=True)
    ]
    np.testing.assert_array_equal(nets[0].params, nets[1].params)
    assert histories[0]["score"] == histories[1]["score"]
    seen = nets[0].evaluate(x, y, output="each", features_mask=by_name, labels_mask={"each": KEPT})
    assert seen.examples == KEPT.sum()
    assert nets[0].evaluate(x, PARITY, output="each", features_mask=by_name, labels_mask=KEPT).examples == KEPT.sum()
    assert nets[0].evaluate(x, y, output="whole", features_mask=by_name).examples == 8
    if both:  # a merge of masked sequences is masked where all of them are
        assert nets[0].evaluate(x, y, output="each", features_mask=by_name).examples == KEPT.sum()
    with pytest.raises(DataError, match=r"features_mask: the graph has no input 'lef' \(did you mean 'left'\?\)"):
        nets[0].output(x, features_mask={"lef": KEPT})
    with pytest.raises(ShapeError, match=r"features_mask\['left'\] must have the shape"):
        nets[0].output(x, features_mask={"left": KEPT[:, :2]})
    with pytest.raises(
        ShapeError, match=r"labels_mask\['whole'\] must have the shape \[examples\]: \[8\]. Received: \[8, 6\]"
    ):
        nets[0].score(x, y, features_mask=by_name, labels_mask=[KEPT, KEPT])


@BOTH
def test_scores_of_examples_do_not_depend_on_the_batch_size(kind: str) -> None:
    net = network(kind, [OutputLayer(n_out=2)], dl.InputType.feed_forward(3))
    x, y, counted = RNG.random((5, 3), "f4"), [0, 1, 0, 1, 1], [1, 0, 1, 1, 1]
    together = net.score_examples(x, y, labels_mask=counted)
    assert together[1] == 0
    for size in (1, 2):  # DL4J fails on a mask of one number
        np.testing.assert_allclose(net.score_examples(x, y, labels_mask=counted, batch_size=size), together, atol=1e-6)
        assert net.score(x, y, labels_mask=counted, batch_size=size) == pytest.approx(together.mean(), rel=1e-5)
