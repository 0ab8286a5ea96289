"""Labels for each time step, and masks as columns of a DataFrame: the same, bit for bit, as padded arrays with masks."""

import numpy as np
import pandas as pd
import pytest
from local_spark import on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError
from pydl4j.evaluation import RegressionEvaluation
from pydl4j.layers import LSTM, EmbeddingSequenceLayer, GlobalPoolingLayer, OutputLayer, RnnOutputLayer
from pydl4j.normalizers import NormalizerMinMaxScaler, NormalizerStandardize
from pydl4j.spark import ParameterAveragingTrainingMaster, SparkComputationGraph
from pydl4j.vertices import MergeVertex

SIZE, CLASSES, LONGEST = 3, 4, 6
RNG = np.random.default_rng(8)
LENGTHS = np.array([4, 6, 1, 5, 2, 3, 6, 2, 4, 3, 5, 1])
ROWS = len(LENGTHS)
THERE = np.arange(LONGEST) < LENGTHS[:, None]
STEPS = np.where(THERE[..., None], RNG.normal(size=(ROWS, LONGEST, SIZE)), 0).astype("f4")
CLASS = np.where(THERE, RNG.integers(0, CLASSES, (ROWS, LONGEST)), 0)
VALUES = np.where(THERE[..., None], RNG.normal(size=(ROWS, LONGEST, 2)), 0).astype("f4")
KEPT = THERE & (RNG.random((ROWS, LONGEST)) < 0.7)
KEPT[:, 0] = True
COLUMNS = (
    "id int, steps array<array<float>>, kind array<int>, each array<array<float>>, speed array<array<float>>, "
    "first array<double>, kept array<int>"
)


@pytest.fixture(scope="module")
def frame(spark):
    return made(spark)


def made(spark, **other):
    columns = {
        "steps": STEPS, "kind": CLASS, "each": np.eye(CLASSES, dtype="f4")[CLASS], "speed": VALUES, "first": VALUES[..., 0].astype("f8"),
        "kept": KEPT.astype(int),
    } | other  # fmt: skip
    rows = [
        (i, *(column[i, :n].tolist() if isinstance(column, np.ndarray) else column[i] for column in columns.values()))
        for i, n in enumerate(LENGTHS)
    ]
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, 2), COLUMNS)


def features(form="ncw", x=STEPS):
    return x if form == "nwc" else np.ascontiguousarray(x.transpose(0, 2, 1))


def network(output, form="ncw", **options):
    layers = [LSTM(n_out=5, data_format=form), output]
    given = dl.InputType.recurrent(SIZE, format=form)
    return dl.MultiLayerConfiguration(
        seed=3, input_type=given, layers=layers, updater=dl.updaters.Adam(learning_rate=0.01), **options
    )


def classes(form="ncw", **options):
    return network(
        RnnOutputLayer(n_out=CLASSES, loss="mcxent", activation="softmax", data_format=form), form, **options
    )


def regression(n_out=2):
    return network(RnnOutputLayer(n_out=n_out, loss="mse", activation="identity"))


CASES = {
    "classes": (classes, "kind", CLASS),
    "classes, time first": (lambda: classes("nwc"), "kind", CLASS),
    "rows of classes": (classes, "each", np.eye(CLASSES, dtype="f4")[CLASS].transpose(0, 2, 1)),
    "float64": (lambda: classes(data_type="double"), "kind", CLASS),
    "numbers": (regression, "speed", VALUES.transpose(0, 2, 1)),
    "a number": (lambda: regression(1), "first", VALUES[:, None, :, 0]),
    "sparse": (lambda: network(RnnOutputLayer(n_out=CLASSES, loss="sparse_mcxent", activation="softmax")), "kind", CLASS),
    "yes or no": (lambda: network(RnnOutputLayer(n_out=1, loss="xent", activation="sigmoid")), "yes", CLASS % 2),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_labels_of_time_steps_train_as_arrays_do(spark, frame, case):
    make, column, y = CASES[case]
    form = make().input_type.format or "ncw"
    frame = frame.selectExpr("*", "transform(kind, k -> k % 2 = 1) as yes")
    masks = {"features_mask": THERE, "labels_mask": THERE}
    expected, net = (on_spark(spark, make(), batch_size_per_worker=3) for _ in range(2))
    x = features(form)
    expected.fit(x, y, **masks, epochs=2, progress=False)
    net.fit(frame, column, features="steps", epochs=2, validation=frame, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    assert net.counts[-1]["trained"] == ROWS
    assert net.score(frame, column, features="steps") == expected.score(x, y, **masks)
    scores = [row.score for row in net.score_examples(frame, column, features="steps").orderBy("id").collect()]
    np.testing.assert_allclose(scores, expected.score_examples(x, y, **masks), rtol=1e-6)
    if case.startswith("classes"):
        seen = net.evaluate(frame, column, features="steps")
        np.testing.assert_array_equal(seen.confusion, expected.evaluate(x, y, **masks).confusion)
        assert seen.confusion.sum() == LENGTHS.sum()


@pytest.mark.parametrize("form", ["ncw", "nwc"])
def test_outputs_of_time_steps_are_as_long_as_the_row(spark, frame, form):
    net = on_spark(spark, classes(form))
    output, kinds = (look(features(form), features_mask=THERE) for look in (net.output, net.predict))
    output = output if form == "nwc" else output.transpose(0, 2, 1)
    found = net.output(frame, features="steps", batch_size=3)
    predicted = net.predict(frame, features="steps", batch_size=3)
    assert found.schema["output"].dataType.simpleString() == "array<array<float>>"
    assert predicted.schema["prediction"].dataType.simpleString() == "array<int>"
    for row, of_class in zip(found.orderBy("id").collect(), predicted.orderBy("id").collect(), strict=True):
        np.testing.assert_allclose(np.array(row.output), output[row.id, : LENGTHS[row.id]], rtol=1e-5, atol=1e-7)
        assert of_class.prediction == kinds[row.id, : LENGTHS[row.id]].tolist()
    masked = net.output(frame, features="steps", features_mask="kept").where("id = 0").head()
    assert len(masked.output) == LENGTHS[0]


def test_masks_are_columns(spark, frame):
    """What they mask may be anything."""
    rough = np.where(KEPT[..., None], STEPS, np.nan)
    masked = made(spark, steps=rough, kind=np.where(KEPT, CLASS, 99), first=[None] * ROWS)
    x, y = features(x=STEPS * KEPT[..., None]), np.where(KEPT, CLASS, 0)
    masks = {"features_mask": KEPT, "labels_mask": KEPT}
    columns = {"features_mask": "kept", "labels_mask": "kept"}
    expected, net = (on_spark(spark, classes(), batch_size_per_worker=3) for _ in range(2))
    ours = expected.fit(x, y, **masks, validation=(x, y, KEPT, KEPT), progress=False)
    theirs = net.fit(masked, "kind", features="steps", **columns, validation=masked, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    assert theirs[-1].validation_score == ours[-1].validation_score
    assert net.score(masked, "kind", features="steps", **columns) == expected.score(x, y, **masks)
    seen = net.evaluate(masked, "kind", features="steps", **columns).confusion
    np.testing.assert_array_equal(seen, expected.evaluate(x, y, **masks).confusion)
    assert seen.sum() == KEPT.sum()
    scored = net.score_examples(masked, "kind", features="steps", **columns).orderBy("id").collect()
    np.testing.assert_allclose([row.score for row in scored], expected.score_examples(x, y, **masks), rtol=1e-6)
    # one alone: the other is that of what is no padding
    expected, net = (on_spark(spark, classes(), batch_size_per_worker=3) for _ in range(2))
    expected.fit(features(), CLASS, features_mask=THERE, labels_mask=KEPT, progress=False)
    net.fit(frame, "kind", features="steps", labels_mask="kept", progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)


def test_rows_are_masked_where_there_is_a_label_for_each(spark, frame):
    def make():
        layers = [LSTM(n_out=4), GlobalPoolingLayer(pooling_type="max"), OutputLayer(n_out=2)]
        given = dl.InputType.recurrent(SIZE)
        return on_spark(
            spark, dl.MultiLayerConfiguration(seed=1, input_type=given, layers=layers), batch_size_per_worker=3
        )

    kept = np.arange(ROWS) % 3 > 0
    data = frame.selectExpr("steps", "kept", "if(id % 3 > 0, id % 2, null) as y", "id % 3 > 0 as counts")
    expected, net = make(), make()
    expected.fit(
        features(x=STEPS * KEPT[..., None]), np.arange(ROWS) % 2, features_mask=KEPT, labels_mask=kept, progress=False
    )
    net.fit(data, "y", features="steps", features_mask="kept", labels_mask="counts", progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    found = net.output(data, features="steps", features_mask="kept").collect()
    mine = expected.output(features(x=STEPS * KEPT[..., None]), features_mask=KEPT)
    np.testing.assert_array_equal(np.array([row.output for row in found], "f4"), mine)
    assert "score" in net.score_examples(data, "y", features="steps", labels_mask="counts").columns


def test_graphs_have_masks_by_name(spark, frame):
    vertices = {
        "both": (MergeVertex(), "left", "right"),
        "lstm": (LSTM(n_out=4), "both"),
        "kind": (RnnOutputLayer(n_out=CLASSES, loss="mcxent", activation="softmax"), "lstm"),
        "speed": (RnnOutputLayer(n_out=2, loss="mse", activation="identity"), "lstm"),
    }
    conf = dl.ComputationGraphConfiguration(
        seed=2,
        updater=dl.updaters.Adam(learning_rate=0.02),
        inputs={"left": dl.InputType.recurrent(SIZE), "right": dl.InputType.recurrent(2)},
        vertices=vertices,
        outputs=["kind", "speed"],
    )
    master = ParameterAveragingTrainingMaster(batch_size_per_worker=3, averaging_frequency=2, num_workers=2)
    expected, net = (SparkComputationGraph(spark, conf, master) for _ in range(2))
    x = {"left": features(x=STEPS * KEPT[..., None]), "right": features(x=VALUES)}
    y = {"kind": CLASS, "speed": features(x=VALUES)}
    masks = {"features_mask": {"left": KEPT, "right": THERE}, "labels_mask": {"kind": THERE, "speed": KEPT}}
    columns = {"features_mask": {"left": "kept"}, "labels_mask": {"speed": "kept"}}
    named = {"features": {"left": "steps", "right": "speed"}, **columns}
    both = {"kind": "kind", "speed": "speed"}
    expected.fit(x, y, **masks, epochs=2, progress=False)
    net.fit(frame, both, **named, epochs=2, progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)
    assert net.score(frame, both, **named) == expected.score(x, y, **masks)
    seen = net.evaluate(frame, both, RegressionEvaluation(), output="speed", **named)
    mine = expected.evaluate(x, y, RegressionEvaluation(), output="speed", **masks)
    np.testing.assert_array_equal(seen.mean_absolute_error, mine.mean_absolute_error)
    with pytest.raises(DataError, match=r"features_mask: there is no input 'lefd' \(did you mean 'left'\?\)"):
        net.score(frame, both, features=named["features"], features_mask={"lefd": "kept"})


def test_words_and_single_numbers_are_arrays_of_them(spark, frame):
    words = [
        EmbeddingSequenceLayer(n_in=CLASSES, n_out=3),
        LSTM(n_out=4),
        RnnOutputLayer(n_out=2, loss="mse", activation="identity"),
    ]
    single = [LSTM(n_out=4), RnnOutputLayer(n_out=2, loss="mse", activation="identity")]
    for layers, given, column, x in (
        (words, dl.InputType.recurrent(CLASSES), "kind", CLASS),
        (single, dl.InputType.recurrent(1), "first", VALUES[:, None, :, 0]),
    ):
        conf = dl.MultiLayerConfiguration(seed=1, input_type=given, layers=layers)
        expected, net = (on_spark(spark, conf, batch_size_per_worker=3) for _ in range(2))
        expected.fit(x, features(x=VALUES), features_mask=THERE, labels_mask=THERE, progress=False)
        net.fit(frame, "speed", features=column, progress=False)
        np.testing.assert_array_equal(net.network.params, expected.network.params)
    conf = dl.MultiLayerConfiguration(seed=1, input_type=dl.InputType.recurrent(CLASSES), layers=words)
    net, wrong = (
        on_spark(spark, conf, batch_size_per_worker=3),
        frame.selectExpr("transform(kind, k -> 4) as word", "speed"),
    )
    with pytest.raises(DataError, match=r"column 'word' has 4.0 among the features; the embedding expects indices"):
        net.fit(wrong, "speed", features="word", progress=False)


def test_tables_name_their_masks(spark):
    table = pd.DataFrame({"x": features().tolist(), "y": CLASS.tolist(), "kept": KEPT.tolist()})
    expected, net = (on_spark(spark, classes(), batch_size_per_worker=3) for _ in range(2))
    expected.fit(features(), CLASS, features_mask=KEPT, labels_mask=KEPT, progress=False)
    net.fit(table, "y", features="x", features_mask="kept", labels_mask="kept", progress=False)
    np.testing.assert_array_equal(net.network.params, expected.network.params)


@pytest.mark.parametrize("make", [NormalizerStandardize, NormalizerMinMaxScaler])
def test_a_normalizer_learns_from_what_counts(spark, make):
    steps = (STEPS * [1, 20, 300] + [5, -50, 500]).astype("f4")
    data = made(spark, steps=np.where(KEPT[..., None], steps, np.nan))
    x = features(x=np.where(KEPT[..., None], steps, 0))
    expected, net = (
        on_spark(spark, dl.MultiLayerNetwork(classes(), normalizer=make()), batch_size_per_worker=3) for _ in range(2)
    )
    expected.fit(x, CLASS, features_mask=KEPT, labels_mask=THERE, progress=False)
    net.fit(data, "kind", features="steps", features_mask="kept", progress=False)
    counted = steps[KEPT]
    fitted, theirs = net.network.normalizer, expected.network.normalizer
    first, second = ("mean", "std") if make is NormalizerStandardize else ("min", "max")
    np.testing.assert_allclose(getattr(fitted, first), getattr(make().fit(counted), first), rtol=1e-5)
    for name in (first, second):
        np.testing.assert_allclose(getattr(fitted, name), getattr(theirs, name), rtol=1e-6)
    np.testing.assert_allclose(net.network.params, expected.network.params, rtol=1e-4, atol=1e-6)
    found = net.score(data, "kind", features="steps", features_mask="kept")
    assert found == pytest.approx(expected.score(x, CLASS, features_mask=KEPT, labels_mask=THERE), rel=1e-5)


ONE = [[0.5] * SIZE] * 2
BAD = [
    ((ONE, [1, 0, 2], [1, 1, 1]), {}, r"column 'kind' has a sequence of 3 time steps; expected as many as the features have, 2"),
    ((ONE, [1], [1]), {}, r"column 'kind' has a sequence of 1 time steps; expected as many as the features have, 2"),
    ((ONE, [1, 4], [1, 1]), {}, r"column 'kind' has label 4; expected a class from 0 to 3, at time step 1"),
    ((ONE, [1, None], [1, 1]), {}, r"column 'kind' has a null at time step 1"),
    ((ONE, [1, 1], [1, 2]), {"features_mask": "kept"}, r"column 'steps' has 2.0 in its mask, column 'kept', at time step 1; expected 1 where"),
    ((ONE, [1, 1], [1, 0, 0]), {"labels_mask": "kept"}, r"column 'kind' has a sequence of 2 time steps, but 3 in its mask, column 'kept'"),
    ((ONE, [1, 1], None), {"labels_mask": "kept"}, r"column 'kind' has a null in its mask, column 'kept'"),
    ((ONE, [1, 1], [None, 1]), {"labels_mask": "kept"}, r"column 'kind' has a null in its mask, column 'kept', at time step 0"),
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
def test_bad_rows_are_told(spark, bad):
    row, masks, message = bad
    rows = [(ONE, [1, 2], [1, 1]), row]
    data = spark.createDataFrame(rows, "steps array<array<float>>, kind array<int>, kept array<int>").coalesce(1)
    with pytest.raises(DataError, match=message + r".*\(row 1 of partition 0"):
        on_spark(spark, classes(), batch_size_per_worker=1).fit(data, "kind", features="steps", **masks, progress=False)


def test_what_cannot_be(spark, frame, tmp_path):
    net = on_spark(spark, classes())
    with pytest.raises(DataError, match="labels_mask: the DataFrame has no column 'kep'"):
        net.fit(frame, "kind", features="steps", labels_mask="kep", progress=False)
    with pytest.raises(
        DataError, match=r"features_mask and labels_mask of a DataFrame are names of its columns, as in"
    ):
        net.score(frame, "kind", features="steps", labels_mask=KEPT)
    with pytest.raises(
        DataError, match="column 'steps' is of type array<array<float>>; expected a mask: an array of 0 and 1"
    ):
        net.fit(frame, "kind", features="steps", labels_mask="steps", progress=False)
    with pytest.raises(DataError, match=r"column 'id' is of type int; expected sequences: .*, or numbers of classes"):
        net.fit(frame, "id", features="steps", progress=False)
    with pytest.raises(DataError, match=r"column 'first' is of type array<double>; expected sequences: "):
        on_spark(spark, regression()).fit(frame, "first", features="steps", progress=False)
    with pytest.raises(DataError, match=r"features_mask is for columns of sequences.*Received: 'id', int"):
        on_spark(spark).fit(frame, "id", features="id", features_mask="kept", progress=False)
    for form, kept, error, message in (
        ("nwc", "kept", ConfigError, r"a normalizer takes sequences only where features come before time \(ncw\)"),
        ("ncw", "none", DataError, "no time step of the features counts: their mask is 0 everywhere"),
    ):
        net = on_spark(spark, dl.MultiLayerNetwork(classes(form), normalizer=NormalizerStandardize()))
        data = frame.selectExpr("*", "transform(kept, k -> 0) as none")
        with pytest.raises(error, match=message):
            net.fit(data, "kind", features="steps", features_mask=kept, progress=False)
        assert not net.network.normalizer.is_fitted
