"""Evaluation, score, output and predictions on executors: the figures of one process, in the order of the rows."""

import zipfile

import numpy as np
import pytest
from local_spark import IRIS, X, Y, frame, iris, on_spark

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError
from pydl4j.evaluation import (
    Evaluation,
    EvaluationBinary,
    EvaluationCalibration,
    RegressionEvaluation,
    ROCBinary,
    ROCMultiClass,
)
from pydl4j.layers import (
    LSTM,
    ActivationLayer,
    Bidirectional,
    CnnLossLayer,
    Convolution1DLayer,
    ConvolutionLayer,
    DenseLayer,
    EmbeddingLayer,
    OutputLayer,
    RnnOutputLayer,
)


@pytest.fixture(scope="module")
def trained(spark):
    net = on_spark(spark)
    net.fit(X, Y, epochs=5, progress=False)
    return net


def test_evaluation_is_that_of_one_process(trained, spark):
    expected = trained.network.evaluate(X, Y)
    arrays = trained.evaluate(X, Y, Evaluation(labels=list(IRIS.target_names)), batch_size=11)
    frames = trained.evaluate(frame(spark, partitions=4), "y", features="x")
    np.testing.assert_array_equal(arrays.confusion, expected.confusion)
    np.testing.assert_array_equal(frames.confusion, expected.confusion)
    assert arrays.labels == ("setosa", "versicolor", "virginica")
    assert arrays.f1 == expected.f1


EVERYTHING = [
    Evaluation(top_n=2),
    EvaluationBinary(),
    ROCBinary(20),
    ROCMultiClass(),
    EvaluationCalibration(),
    RegressionEvaluation(),
]


@pytest.mark.parametrize("partitions", [1, 3])
def test_all_evaluations_in_one_pass_are_those_of_one_process(trained, spark, partitions):
    expected = trained.network.evaluate(X, Y, EVERYTHING)
    seen = trained.evaluate(frame(spark, partitions=partitions), "y", EVERYTHING, features="x", batch_size=16)
    classes, binary, steps, ranks, calibration, numbers = zip(seen, expected, strict=True)
    np.testing.assert_array_equal(*(one.confusion for one in classes))
    assert classes[0].top_n_accuracy == classes[1].top_n_accuracy > classes[0].accuracy
    np.testing.assert_array_equal(*(one.true_positives for one in binary))
    np.testing.assert_allclose(*(one.auc for one in steps))
    np.testing.assert_allclose(*(one.auc for one in ranks))
    np.testing.assert_allclose(*(one.auprc for one in ranks))
    np.testing.assert_array_equal(*(one.residual_plot().counts for one in calibration))
    np.testing.assert_array_equal(*(one.label_counts for one in calibration))
    np.testing.assert_allclose(*(one.expected_calibration_error for one in calibration), rtol=1e-5)
    np.testing.assert_allclose(*(one.r_squared for one in numbers), rtol=1e-6)
    np.testing.assert_allclose(*(one.pearson_correlation for one in numbers), rtol=1e-6)
    assert numbers[0].examples[0] == len(X)


def test_score_is_that_of_one_process(trained, spark):
    expected = trained.network.score(X, Y)
    assert trained.score(X, Y, batch_size=7) == pytest.approx(expected, rel=1e-5)
    assert trained.score(frame(spark, partitions=2), "y", features="x") == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("rows", [150, 2, 1])
def test_output_and_predictions_of_arrays(trained, rows):
    x = X[:rows]
    output = trained.output(x, batch_size=np.int64(4))
    assert output.flags.writeable
    np.testing.assert_allclose(output, trained.network.output(x), rtol=1e-6)
    np.testing.assert_array_equal(trained.predict(x), trained.network.predict(x))


def test_predictions_of_a_dataframe_stand_beside_their_rows(trained, spark):
    data = frame(spark, partitions=3)
    predicted = trained.predict(data, features="x", batch_size=8)
    assert predicted.columns == ["x", "y", "prediction"]
    rows = predicted.collect()
    assert len(rows) == len(X)
    x = np.array([row.x for row in rows], "f4")
    np.testing.assert_array_equal([row.prediction for row in rows], trained.network.predict(x))
    # it is a DataFrame like any other, computed again wherever it is used
    accuracy = predicted.selectExpr("avg(int(prediction = y)) as accuracy").first().accuracy
    assert accuracy == pytest.approx(trained.evaluate(X, Y).accuracy)


def test_output_of_a_dataframe(trained, spark):
    rows = trained.output(frame(spark, partitions=2), features="x", column="p").collect()
    x = np.array([row.x for row in rows], "f4")
    np.testing.assert_allclose([row.p for row in rows], trained.network.output(x), rtol=1e-5)


def test_a_column_that_is_there_already_is_not_overwritten(trained, spark):
    with pytest.raises(DataError, match="has a column 'y' already"):
        trained.predict(frame(spark), features="x", column="y")


def test_one_sigmoid_unit_tells_two_classes_apart(spark):
    layers = [DenseLayer(n_out=8, activation="tanh"), OutputLayer(n_out=1, loss="xent", activation="sigmoid")]
    net = on_spark(spark, iris(layers=layers))
    two = (Y > 0).astype("i8")
    net.fit(frame(spark, y=two), "y", features="x", epochs=10, progress=False)
    assert net.evaluate(X, two).confusion.shape == (2, 2)
    assert net.evaluate(frame(spark, y=two), "y", features="x").accuracy > 0.9
    found = [row.prediction for row in net.predict(frame(spark), features="x").collect()]
    np.testing.assert_array_equal(found, net.predict(X))


def test_regression_has_a_score_and_no_classes(spark):
    layers = [OutputLayer(n_out=1, loss="mse", activation="identity")]
    net = on_spark(spark, iris(layers=layers))
    target = (X @ [1, 2, 3, 4]).astype("f4")
    before = net.score(X, target)
    net.fit(X, target, epochs=20, progress=False)
    assert net.score(X, target) < before / 4
    assert net.predict(X).shape == (150, 1)
    with pytest.raises(ConfigError, match="evaluate needs a classifier"):
        net.evaluate(X, target)


def test_a_normalizer_works_on_dataframes_as_on_arrays(spark):
    normalizer = dl.normalizers.NormalizerStandardize().fit(X)
    nets = [on_spark(spark, dl.MultiLayerNetwork(iris(), normalizer=normalizer)) for _ in range(2)]
    nets[0].fit(X, Y, epochs=3, progress=False)
    nets[1].fit(frame(spark), "y", features="x", epochs=3, progress=False)
    np.testing.assert_allclose(nets[0].network.params, nets[1].network.params, rtol=1e-3, atol=1e-5)
    found = [row.prediction for row in nets[1].predict(frame(spark), features="x").collect()]
    np.testing.assert_array_equal(found, nets[1].predict(X))


def test_images_keep_their_shape(spark):
    from pydl4j.layers import GlobalPoolingLayer

    conf = dl.MultiLayerConfiguration(
        seed=3,
        input_type=dl.InputType.convolutional(height=6, width=5, channels=2),
        layers=[
            ConvolutionLayer(kernel_size=(3, 3), n_out=4, activation="relu"),
            GlobalPoolingLayer(),
            OutputLayer(n_out=2, loss="mcxent", activation="softmax"),
        ],
    )
    images = np.random.default_rng(0).random((20, 2, 6, 5), "f4")
    net = on_spark(spark, conf, batch_size_per_worker=4)
    net.fit(images, np.arange(20) % 2, progress=False)
    rows = net.output(frame(spark, images.reshape(20, -1), np.zeros(20)), features="x").collect()
    np.testing.assert_allclose([row.output for row in rows], net.network.output(images), rtol=1e-5)


def test_the_model_file_is_loaded_without_spark(trained, tmp_path):
    path = tmp_path / "iris.zip"
    trained.network.save(path)
    loaded = dl.MultiLayerNetwork.load(path)  # by DL4J's ModelSerializer, in a JVM that has no Spark
    np.testing.assert_array_equal(loaded.params, trained.network.params)
    np.testing.assert_allclose(loaded.output(X), trained.output(X), rtol=1e-6)
    assert "updaterState.bin" in zipfile.ZipFile(path).namelist()


def sequences(n_out, data_format="NCW"):
    width, steps = 4, 6
    loss, activation = ("xent", "sigmoid") if n_out == 1 else ("mcxent", "softmax")
    return dl.MultiLayerConfiguration(
        seed=3,
        input_type=dl.InputType.recurrent(width, time_series_length=steps, format=data_format),
        layers=[LSTM(n_out=5), RnnOutputLayer(n_out=n_out, loss=loss, activation=activation)],
    )


@pytest.mark.parametrize("data_format", ["NCW", "NWC"])
def test_output_of_sequences_is_that_of_one_process(spark, data_format):
    net = on_spark(spark, sequences(3, data_format))
    x = np.random.default_rng(0).random((10, 6, 4) if data_format == "NWC" else (10, 4, 6), "f4")
    output = net.output(x, batch_size=4)
    np.testing.assert_allclose(output.sum(axis=2 if data_format == "NWC" else 1), 1, rtol=1e-5)
    np.testing.assert_allclose(output, net.network.output(x), rtol=1e-5)
    classes = np.random.default_rng(1).integers(0, 3, (10, 6))
    predicted = net.network.predict(x)
    seen = net.evaluate(x, classes)
    assert seen.examples == 60
    assert seen.accuracy == pytest.approx((predicted == classes).mean())
    np.testing.assert_array_equal(seen.confusion, net.network.evaluate(x, classes).confusion)


@pytest.mark.parametrize("n_out", [1, 3])
def test_classes_of_time_steps_do_not_fit_a_column(spark, n_out):
    net = on_spark(spark, sequences(n_out))
    x = np.random.default_rng(0).random((10, 4, 6), "f4")
    data = frame(spark, x.reshape(10, -1), np.zeros(10))
    with pytest.raises(ConfigError, match=r"one class per row.*Use predict on arrays, or output"):
        net.predict(data, features="x")
    rows = net.output(data, features="x").collect()
    np.testing.assert_allclose([row.output for row in rows], net.network.output(x).reshape(10, -1), rtol=1e-5)


def test_output_in_half_precision(spark):
    net = on_spark(spark, iris(data_type="half", weight_init="ones"))
    output = net.output(X / 10)
    assert output.dtype == np.float16
    np.testing.assert_array_equal(output, net.network.output(X / 10))


def test_looking_leaves_the_data_as_they_are(spark):
    """An ActivationLayer works in place where it does not train, here on the features themselves."""
    layers = [ActivationLayer(activation="cube"), OutputLayer(n_out=3, loss="mcxent", activation="softmax")]
    net = on_spark(spark, iris(layers=layers))
    expected = net.network.evaluate(X, Y)
    np.testing.assert_array_equal(net.evaluate(X, Y, batch_size=150).confusion, expected.confusion)
    history = net.fit(X[:32], Y[:32], epochs=2, validation=(X, Y), shuffle=False, progress=False)
    assert history[-1].validation_score == pytest.approx(net.network.score(X, Y), rel=1e-5)
    np.testing.assert_allclose(net.output(X), net.network.output(X), rtol=1e-5)


@pytest.mark.parametrize("kind", ["NormalizerStandardize", "NormalizerMinMaxScaler"])
def test_large_features_are_normalized_before_they_lose_digits(spark, kind):
    large = X.astype("f8")
    large[:, 0] = 1.7e9 + 10 * np.arange(len(X))
    normalizer = getattr(dl.normalizers, kind)().fit(large)
    nets = [on_spark(spark, dl.MultiLayerNetwork(iris(), normalizer=normalizer)) for _ in range(2)]
    rows = [(row.tolist(), int(label)) for row, label in zip(large, Y, strict=True)]
    data = spark.createDataFrame(spark.sparkContext.parallelize(rows, 1), "x array<double>, y int")
    found = [row.output for row in nets[0].output(data, features="x").collect()]
    np.testing.assert_allclose(found, nets[0].network.output(large), atol=1e-5)
    nets[0].fit(large, Y, epochs=2, progress=False)
    nets[1].fit(data, "y", features="x", epochs=2, progress=False)
    np.testing.assert_allclose(nets[1].network.params, nets[0].network.params, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(
    ("layers", "input_type", "places"),
    [
        (
            [Convolution1DLayer(n_out=3, kernel_size=2), Bidirectional(layer=LSTM(n_out=2)), RnnOutputLayer(n_out=3)],
            dl.InputType.recurrent(4, time_series_length=6),
            (5,),
        ),
        (
            [ConvolutionLayer(n_out=3, kernel_size=2), CnnLossLayer(activation="softmax")],
            dl.InputType.convolutional(height=5, width=4, channels=2, format="nhwc"),
            (4, 3),
        ),
    ],
    ids=["sequences", "pixels"],
)
def test_a_class_for_each_place(spark, layers, input_type, places):
    net = on_spark(spark, dl.MultiLayerConfiguration(seed=3, input_type=input_type, layers=layers))
    rng = np.random.default_rng(0)
    x, y = rng.random((40, *input_type.shape), "f4"), rng.integers(0, 3, (40, *places))
    (epoch,) = net.fit(x, y, validation=(x, y), progress=False)
    predicted = net.predict(x)
    assert predicted.shape == y.shape
    assert epoch.validation_accuracy == pytest.approx((predicted == y).mean())
    np.testing.assert_array_equal(net.evaluate(x, y).confusion, net.network.evaluate(x, y).confusion)
    data = frame(spark, x.reshape(40, -1), np.zeros(40))
    with pytest.raises(ConfigError, match=r"one class per row; this network has one for each (time step|pixel)"):
        net.predict(data, features="x")
    refused = r"labels for each pixel cannot come from a DataFrame|column 'y' is of type int; expected sequences"
    with pytest.raises((ConfigError, DataError), match=refused):
        net.fit(data, "y", features="x")


def test_words_come_from_a_column(spark):
    conf = dl.MultiLayerConfiguration(seed=3, layers=[EmbeddingLayer(n_in=5, n_out=2), OutputLayer(n_out=3)])
    net = on_spark(spark, conf)
    words = np.arange(40) % 5
    data = frame(spark, words[:, None].astype("f4"), words % 3)
    net.fit(data, "y", features="x", progress=False)
    rows = net.predict(data, features="x").collect()
    np.testing.assert_array_equal([row.prediction for row in rows], net.predict(words))


# -- scores of examples, keys --------------------------------------------------------------------------------------------------------------


def with_ids(spark, data):
    """The DataFrame with a column that is not looked at, and with a name that needs quotes."""
    return data.selectExpr("*", "concat('row ', y) as `the.key`")


def test_each_example_has_a_score(trained, spark):
    expected = trained.network.score_examples(X, Y)
    np.testing.assert_allclose(trained.score_examples(X, Y, batch_size=11), expected, rtol=1e-5, atol=1e-6)
    scored = trained.score_examples(with_ids(spark, frame(spark, partitions=3)), "y", features="x", batch_size=7)
    assert scored.columns == ["x", "y", "the.key", "score"]
    assert dict(scored.dtypes)["score"] == "double"
    rows = scored.collect()
    np.testing.assert_allclose([row.score for row in rows], expected, rtol=1e-5, atol=1e-6)
    assert rows[0]["the.key"] == f"row {Y[0]}"


def test_regularization_of_the_scores_of_examples(spark):
    net = on_spark(spark, iris(l2=0.1))
    added = net.score_examples(frame(spark, partitions=2), "y", features="x", add_regularization=True, column="loss")
    mean = added.selectExpr("avg(loss) as mean").first().mean
    assert mean == pytest.approx(net.score(X, Y), rel=1e-5)
    assert net.score_examples(X, Y).mean() < mean - 0.1
    np.testing.assert_allclose(net.score_examples(X, Y, add_regularization=True).mean(), mean, rtol=1e-5)


def test_activations_keep_the_keys_of_their_rows(trained, spark):
    data = with_ids(spark, frame(spark, partitions=3))
    found = trained.feed_forward_with_key(data, key="the.key", features="x", column="p")
    assert found.columns == ["the.key", "p"]
    rows = found.collect()
    np.testing.assert_allclose([row.p for row in rows], trained.network.output(X), rtol=1e-5)
    assert [row[0] for row in rows] == [f"row {y}" for y in Y]
    several = trained.feed_forward_with_key(data, key=["y", "the.key"], features=["x"])
    assert several.columns == ["y", "the.key", "output"]


def test_a_stream_is_looked_at_batch_by_batch(trained, spark, tmp_path):
    frame(spark).write.parquet(str(tmp_path / "rows"))
    stream = spark.readStream.schema("x array<float>, y int").parquet(str(tmp_path / "rows"))
    with pytest.raises(DataError, match=r"a streaming DataFrame has no rows yet.*foreachBatch"):
        trained.predict(stream, features="x")
    seen = []

    def look(batch, _):
        seen.extend(row.prediction for row in trained.predict(batch, features="x").collect())

    query = stream.writeStream.foreachBatch(look).trigger(availableNow=True).start()
    assert query.awaitTermination(60)
    np.testing.assert_array_equal(seen, trained.predict(X))
