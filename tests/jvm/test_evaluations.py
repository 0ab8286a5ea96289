"""Evaluations give DL4J's own figures, and right ones where DL4J's are not."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, r2_score, roc_auc_score

import pydl4j as dl
from pydl4j.errors import ConfigError, DataError, NaNScoreError
from pydl4j.evaluation import (
    ROC,
    Evaluation,
    EvaluationBinary,
    EvaluationCalibration,
    IEvaluation,
    RegressionEvaluation,
    ROCBinary,
    ROCMultiClass,
)
from pydl4j.layers import LSTM, CnnLossLayer, ConvolutionLayer, DenseLayer, OutputLayer, RnnOutputLayer

ROWS = 300
RNG = np.random.default_rng(0)
X = RNG.normal(size=(ROWS, 6)).astype("f4")
CLASSES = (X[:, 0] > 0).astype(int) + (X[:, 1] + 0.3 * X[:, 2] > 0.5) + (X[:, 3] > 1)
ONE_HOT = np.eye(4, dtype="f4")[CLASSES]
SEVERAL = (X @ RNG.normal(size=(6, 3)) > 0).astype("f4")
NUMBERS = (X @ RNG.normal(size=(6, 2)) + [5, -100]).astype("f4")


def network(n_out: int, **output) -> dl.MultiLayerNetwork:
    layers = [DenseLayer(n_out=12, activation="tanh"), OutputLayer(n_out=n_out, **output)]
    updater = dl.updaters.Adam(learning_rate=0.02)
    conf = dl.MultiLayerConfiguration(seed=3, updater=updater, input_type=dl.InputType.feed_forward(6), layers=layers)
    return dl.MultiLayerNetwork(conf)


def trained(n_out: int, y, **output) -> dl.MultiLayerNetwork:
    net = network(n_out, **output)
    net.fit(X, y, epochs=15, progress=False)
    return net


@pytest.fixture(scope="module")
def classifier() -> dl.MultiLayerNetwork:
    return trained(4, ONE_HOT, activation="softmax")


@pytest.fixture(scope="module")
def answers() -> dl.MultiLayerNetwork:
    return trained(3, SEVERAL, loss="xent", activation="sigmoid")


@pytest.fixture(scope="module")
def regression() -> dl.MultiLayerNetwork:
    return trained(2, NUMBERS, loss="mse", activation="identity")


def theirs(jvm, name: str, labels, output, *args):
    """DL4J's own evaluation of the same output, in two parts."""
    import jpype

    evaluation = jpype.JClass(f"org.nd4j.evaluation.{name}")(*args)
    for part in (slice(0, 200), slice(200, None)):
        evaluation.eval(jvm.put(np.ascontiguousarray(labels[part])), jvm.put(np.ascontiguousarray(output[part])))
    return evaluation


def each(method, count: int) -> list[float]:
    import jpype

    return [float(method(jpype.JInt(i))) for i in range(count)]


def boxed(method, count: int) -> list[float]:
    """Of DL4J's methods that take an Integer."""
    import jpype

    integer = jpype.JClass("java.lang.Integer")
    return [float(method(integer(i))) for i in range(count)]


# -- the same as DL4J ------------------------------------------------------------------------------------------------------------------


def test_classes(jvm, classifier) -> None:
    import jpype

    mine = classifier.evaluate(X, CLASSES, Evaluation(top_n=2, labels=list("abcd")), batch_size=77)
    java = theirs(jvm, "classification.Evaluation", ONE_HOT, classifier.output(X), 4)
    two = theirs(jvm, "classification.Evaluation", ONE_HOT, classifier.output(X), None, 2)
    assert mine.accuracy == float(java.accuracy())
    assert mine.top_n_accuracy == float(two.topNAccuracy())
    for name in ("precision", "recall", "f1"):
        assert getattr(mine, name) == pytest.approx(float(getattr(java, name)()))
        assert getattr(mine, f"class_{name}") == pytest.approx(
            boxed(getattr(java, name), 4) if name != "f1" else each(java.f1, 4)
        )
    macro = jpype.JClass("org.nd4j.evaluation.EvaluationAveraging").Macro
    assert mine.g_measure == pytest.approx(float(java.gMeasure(macro)))
    assert mine.matthews_correlation == pytest.approx(float(java.matthewsCorrelation(macro)))
    assert mine.false_alarm_rate == pytest.approx(float(java.falseAlarmRate()))
    assert mine.f_beta(2) == pytest.approx(float(java.fBeta(2.0, macro)))
    assert mine.names == ("a", "b", "c", "d")
    assert "top_2_accuracy=" in repr(mine)


def test_two_classes_with_a_threshold_or_costs(jvm) -> None:
    y = np.eye(2, dtype="f4")[(CLASSES > 1).astype(int)]
    net = trained(2, y, activation="softmax")
    output = net.output(X)
    mine = net.evaluate(X, y, [Evaluation(binary_decision_threshold=0.3), Evaluation(cost_array=[1, 3]), Evaluation()])
    costs = jvm.put(np.array([[1, 3]], "f4"))
    java = [
        theirs(jvm, "classification.Evaluation", y, output, 0.3),
        theirs(jvm, "classification.Evaluation", y, output, costs),
        theirs(jvm, "classification.Evaluation", y, output),
    ]
    for one, other in zip(mine, java, strict=True):
        assert (one.accuracy, one.f1) == pytest.approx((float(other.accuracy()), float(other.f1())))
        assert one.matthews_correlation == pytest.approx(float(other.matthewsCorrelation(1)))
        assert one.false_alarm_rate == pytest.approx(float(other.falseAlarmRate()))
    assert len({one.accuracy for one in mine}) == 3


@pytest.mark.parametrize("threshold", [0.5, [0.2, 0.5, 0.7]])
def test_yes_and_no(jvm, answers, threshold) -> None:
    mine = answers.evaluate(X, SEVERAL, EvaluationBinary(decision_threshold=threshold))
    given = [] if threshold == 0.5 else [jvm.put(np.array([threshold], "f4"))]
    java = theirs(jvm, "classification.EvaluationBinary", SEVERAL, answers.output(X), *given)
    for count in ("truePositives", "falsePositives", "trueNegatives", "falseNegatives"):
        name = count[:4].rstrip("P") if count.startswith("true") else "false"
        mine_counts = getattr(mine, f"{name}_{'positives' if 'Pos' in count else 'negatives'}")
        assert list(mine_counts) == each(getattr(java, count), 3)
    figures = {
        "accuracy": java.accuracy,
        "precision": java.precision,
        "recall": java.recall,
        "f1": java.f1,
        "g_measure": java.gMeasure,
        "matthews_correlation": java.matthewsCorrelation,
        "false_positive_rate": java.falsePositiveRate,
    }
    for name, method in figures.items():
        assert getattr(mine, name) == pytest.approx(each(method, 3), nan_ok=True)
    assert mine.average_f1 == pytest.approx(float(java.averageF1()))
    assert mine.average_accuracy == pytest.approx(float(java.averageAccuracy()))


@pytest.mark.parametrize("steps", [0, 30])
def test_ranks_of_classes(jvm, classifier, steps: int) -> None:
    mine = classifier.evaluate(X, CLASSES, ROCMultiClass(steps))
    output = classifier.output(X)
    java = theirs(jvm, "classification.ROCMultiClass", ONE_HOT, output, steps)
    assert mine.auc == pytest.approx(each(java.calculateAUC, 4))
    assert mine.auprc == pytest.approx(each(java.calculateAUCPR, 4))
    assert mine.average_auc == pytest.approx(float(java.calculateAverageAUC()))
    if steps == 0:
        assert mine.auc == pytest.approx([roc_auc_score(ONE_HOT[:, i], output[:, i]) for i in range(4)])
    else:
        curve = java.getRocCurve(2)
        assert mine.roc_curves[2].thresholds[::-1] == pytest.approx(list(curve.getThreshold()))
        assert mine.roc_curves[2].false_positive_rate[::-1] == pytest.approx(list(curve.getFpr()))
        assert mine.roc_curves[2].true_positive_rate[::-1] == pytest.approx(list(curve.getTpr()))
        precision = java.getPrecisionRecallCurve(2)
        assert mine.roc_curves[2].precision[::-1] == pytest.approx(list(precision.getPrecision()))


@pytest.mark.parametrize("steps", [0, 15])
def test_ranks_of_answers(jvm, answers, steps: int) -> None:
    mine = answers.evaluate(X, SEVERAL, ROCBinary(steps))
    java = theirs(jvm, "classification.ROCBinary", SEVERAL, answers.output(X), steps)
    assert mine.auc == pytest.approx(each(java.calculateAUC, 3))
    assert mine.auprc == pytest.approx(each(java.calculateAUCPR, 3))


@pytest.mark.parametrize("n_out", [1, 2])
def test_ranks_of_one(jvm, n_out: int) -> None:
    classes = (CLASSES > 1).astype(int)
    y = np.eye(2, dtype="f4")[classes] if n_out == 2 else classes[:, None].astype("f4")
    net = trained(n_out, classes, **({} if n_out == 2 else {"loss": "xent", "activation": "sigmoid"}))
    mine, stepped = net.evaluate(X, classes, [ROC(), ROC(threshold_steps=40)])
    output = net.output(X)
    java = theirs(jvm, "classification.ROC", y, output)
    assert (mine.auc, mine.auprc) == pytest.approx((float(java.calculateAUC()), float(java.calculateAUCPR())))
    assert mine.auc == pytest.approx(roc_auc_score(classes, output[:, -1]))
    assert mine.auprc == pytest.approx(
        average_precision_score(classes, output[:, -1]), abs=0.01
    )  # sums, not trapezoids
    java = theirs(jvm, "classification.ROC", y, output, 40)
    assert (stepped.auc, stepped.auprc) == pytest.approx((float(java.calculateAUC()), float(java.calculateAUCPR())))
    assert (mine.roc_curve.positives, mine.roc_curve.negatives) == (classes.sum(), ROWS - classes.sum())


def test_calibration(jvm, classifier) -> None:
    mine = classifier.evaluate(X, CLASSES, EvaluationCalibration(reliability_diag_num_bins=8, histogram_num_bins=20))
    java = theirs(jvm, "classification.EvaluationCalibration", ONE_HOT, classifier.output(X), 8, 20)
    assert list(mine.label_counts) == list(java.getLabelCountsEachClass())
    assert list(mine.prediction_counts) == list(java.getPredictionCountsEachClass())
    assert list(mine.residual_plot().counts) == list(java.getResidualPlotAllClasses().getBinCounts())
    assert list(mine.probability_histogram().counts) == list(java.getProbabilityHistogramAllClasses().getBinCounts())
    for i in range(4):
        diagram, other = mine.reliability_diagram(i), java.getReliabilityDiagram(i)
        assert diagram.mean_predicted_value == pytest.approx(list(other.getMeanPredictedValueX()), rel=1e-5)
        assert diagram.fraction_positives == pytest.approx(list(other.getFractionPositivesY()))
        assert list(mine.residual_plot(i).counts) == list(java.getResidualPlot(i).getBinCounts())
        assert list(mine.probability_histogram(i).counts) == list(java.getProbabilityHistogram(i).getBinCounts())
    assert mine.residual_plot().counts.sum() == 4 * ROWS


def test_numbers(jvm, regression) -> None:
    mine = regression.evaluate(X, NUMBERS, RegressionEvaluation(labels=["near", "far"]))
    output = regression.output(X)
    java = theirs(jvm, "regression.RegressionEvaluation", NUMBERS.astype("f8"), output.astype("f8"))
    figures = {
        "mean_squared_error": java.meanSquaredError,
        "mean_absolute_error": java.meanAbsoluteError,
        "root_mean_squared_error": java.rootMeanSquaredError,
        "relative_squared_error": java.relativeSquaredError,
        "pearson_correlation": java.pearsonCorrelation,
        "r_squared": java.rSquared,
    }
    for name, method in figures.items():
        assert getattr(mine, name) == pytest.approx(each(method, 2))
    assert mine.average_r_squared == pytest.approx(r2_score(NUMBERS, output))
    assert str(mine).splitlines()[0].split() == ["MSE", "MAE", "RMSE", "RSE", "PC", "R^2"]
    assert str(mine).splitlines()[2].split()[0] == "far"


# -- better than DL4J ------------------------------------------------------------------------------------------------------------------


def test_equal_outputs_are_one_point_of_the_curve() -> None:
    net = network(4, activation="softmax")
    net.params = np.zeros_like(net.params)  # all outputs are 0.25
    assert list(net.evaluate(X, CLASSES, ROCMultiClass()).auc) == [0.5] * 4


def test_a_class_without_examples_does_not_hide_the_others(classifier) -> None:
    few = CLASSES < 3
    mine = classifier.evaluate(X[few], CLASSES[few], ROCMultiClass())
    assert np.isnan(mine.auc[3])
    assert mine.average_auc == pytest.approx(mine.auc[:3].mean())


def test_labels_far_from_zero_have_a_correlation(regression) -> None:
    """DL4J's sums of squares have no digits left for it."""
    net = dl.MultiLayerNetwork(regression.conf)
    net.params = regression.params
    far = NUMBERS.astype("f8") + 1e6
    mine = net.evaluate(X, far, RegressionEvaluation())
    output = net.output(X)
    expected = [np.corrcoef(far.astype("f4")[:, j].astype("f8"), output[:, j].astype("f8"))[0, 1] for j in range(2)]
    assert mine.pearson_correlation == pytest.approx(expected, abs=1e-9)


def test_several_places(jvm) -> None:
    conf = dl.MultiLayerConfiguration(
        seed=1,
        layers=[LSTM(n_out=4), RnnOutputLayer(n_out=3)],
        input_type=dl.InputType.recurrent(2, format="nwc"),
    )
    net = dl.MultiLayerNetwork(conf)
    x = RNG.normal(size=(30, 5, 2)).astype("f4")
    y = RNG.integers(0, 3, (30, 5))
    evaluation, roc = net.evaluate(x, y, [Evaluation(), ROCMultiClass()])
    predicted = net.output(x).reshape(-1, 3)
    assert evaluation.accuracy == pytest.approx((predicted.argmax(1) == y.ravel()).mean())
    assert roc.auc == pytest.approx([roc_auc_score(y.ravel() == i, predicted[:, i]) for i in range(3)])


MASKS = [
    ((4, 5), "each time step"),
    ((4, 1), "each example"),
    ((4, 5, 3), "each number"),
]


@pytest.mark.parametrize("data_format", ["ncw", "nwc"])
@pytest.mark.parametrize(("shape", "what"), MASKS, ids=[what for _, what in MASKS])
def test_masks_leave_out_what_they_say(jvm, data_format: str, shape, what: str) -> None:
    """Whatever the format is: DL4J takes masks of NWC for those of NCW."""
    conf = dl.MultiLayerConfiguration(
        seed=1,
        layers=[RnnOutputLayer(n_in=2, n_out=3, activation="sigmoid", loss="xent", data_format=data_format.upper())],
        input_type=dl.InputType.recurrent(2, format=data_format),
    )
    net = dl.MultiLayerNetwork(conf)
    rng = np.random.default_rng(1)
    output, labels = rng.random((4, 5, 3), "f4"), (rng.random((4, 5, 3)) > 0.5).astype("f4")
    mask = (rng.random(shape) > 0.4).astype("f4")
    there = np.broadcast_to(mask.reshape(*shape, *[1] * (3 - len(shape))), (4, 5, 3)) > 0
    moved = [np.ascontiguousarray(a if data_format == "nwc" else a.swapaxes(1, 2)) for a in (labels, output)]
    given = np.ascontiguousarray(mask.swapaxes(1, 2)) if data_format == "ncw" and len(shape) == 3 else mask
    asked: list[IEvaluation] = [EvaluationBinary(), RegressionEvaluation(), ROCBinary()]
    if len(shape) < 3:
        asked += [Evaluation()]
    mine = counted(jvm, net, asked, (*moved, given))
    for j in range(3):
        kept = there[:, :, j]
        assert mine[0].total_count[j] == kept.sum()
        right = (output[:, :, j] > 0.5) == (labels[:, :, j] > 0.5)
        assert mine[0].accuracy[j] == pytest.approx(right[kept].mean())
        error = (output[:, :, j] - labels[:, :, j])[kept]
        assert mine[1].mean_squared_error[j] == pytest.approx((error.astype("f8") ** 2).mean())
        assert mine[2].auc[j] == pytest.approx(roc_auc_score(labels[:, :, j][kept], output[:, :, j][kept]))
    if len(shape) < 3:
        assert mine[3].examples == there[:, :, 0].sum()
    else:
        with pytest.raises(Exception, match="Evaluation looks at whole rows"):
            counted(jvm, net, [Evaluation()], (*moved, given))


def counted(jvm, net, evaluations, given):
    """What is counted of labels, an output, and a mask of the labels."""
    from pydl4j.nn.evaluation.asked import Asked

    asked = Asked.of(evaluations, net._interface.outputs[0])
    counts = jvm.call("evaluation.Counts.of", asked.to_json())
    layer = net._java.getOutputLayer().conf().getLayer()
    counts.add(*(jvm.put(array) for array in given), layer)
    return asked.answered(jvm.get(jvm.call("evaluation.Counts.numbers", counts)))


def test_masks_of_pixels(jvm) -> None:
    """DL4J refuses them."""
    layers = [ConvolutionLayer(n_out=2, kernel_size=1), CnnLossLayer(activation="softmax")]
    conf = dl.MultiLayerConfiguration(
        layers=layers, input_type=dl.InputType.convolutional(height=3, width=4, channels=1)
    )
    net = dl.MultiLayerNetwork(conf)
    rng = np.random.default_rng(1)
    output = rng.random((5, 2, 3, 4), "f4")
    classes = rng.integers(0, 2, (5, 3, 4))
    labels = np.moveaxis(np.eye(2, dtype="f4")[classes], -1, 1).copy()
    mask = (rng.random((5, 1, 3, 4)) > 0.5).astype("f4")
    (mine,) = counted(jvm, net, [Evaluation()], (labels, output, mask))
    kept = mask[:, 0] > 0
    assert mine.examples == kept.sum()
    assert mine.accuracy == pytest.approx((output.argmax(1) == classes)[kept].mean())
    with pytest.raises(DataError, match="masks leave out everything"):
        counted(jvm, net, [Evaluation()], (labels, output, mask * 0))


# -- refusals --------------------------------------------------------------------------------------------------------------------------


def test_an_evaluation_without_figures_says_so() -> None:
    for kind in (
        Evaluation,
        EvaluationBinary,
        EvaluationCalibration,
        RegressionEvaluation,
        ROC,
        ROCBinary,
        ROCMultiClass,
    ):
        assert repr(kind()) == str(kind()) == f"{kind.__name__}()"
        with pytest.raises(DataError, match=rf"no figures yet.*evaluate\(x, y, {kind.__name__}\(\)\)"):
            _ = kind().names
    with pytest.raises(DataError, match="no figures yet"):
        _ = ROC().auc


@pytest.mark.parametrize(
    ("evaluation", "error", "message"),
    [
        (ROC(), ConfigError, "ROC takes an output of one number, or of two.*this one has 4"),
        (Evaluation(binary_decision_threshold=0.4), ConfigError, "tells two classes apart; this network has 4"),
        (Evaluation(cost_array=[1, 2]), ConfigError, "a number for each of the 4 outputs. Received: 2"),
        (EvaluationBinary(decision_threshold=[0.1, 0.2]), ConfigError, "one for each of the 4 outputs. Received: 2"),
        (Evaluation(labels=["a"]), DataError, "expected 4 labels.*Received: 1"),
        (ROC, ConfigError, r"evaluation must be one of pydl4j.evaluation, as in ROC\(\).*Received: the class ROC"),
        ([], ConfigError, "at least one"),
    ],
)
def test_what_does_not_suit_the_output(classifier, evaluation, error, message) -> None:
    with pytest.raises(error, match=message):
        classifier.evaluate(X, CLASSES, evaluation)


def test_a_regression_is_told_what_to_ask_for(regression) -> None:
    with pytest.raises(ConfigError, match=r"evaluate needs a classifier.*evaluate\(x, y, RegressionEvaluation\(\)\)"):
        regression.evaluate(X, NUMBERS)


def test_nan_is_no_class() -> None:
    net = network(4, activation="softmax")
    net.params = np.full_like(net.params, np.nan)
    with pytest.raises(NaNScoreError, match=r"512 of 512 numbers of the network's output are NaN"):
        net.evaluate(X, CLASSES)


# -- scores of examples ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch_size", [128, 7])
def test_each_example_has_a_score(classifier, batch_size: int) -> None:
    scores = classifier.score_examples(X, CLASSES, batch_size=batch_size)
    assert scores == pytest.approx(-np.log(classifier.output(X)[np.arange(ROWS), CLASSES]), rel=1e-4, abs=1e-6)
    assert scores.shape == (ROWS,)


def test_regularization_is_added_to_each_where_it_is_asked_for() -> None:
    net = dl.MultiLayerNetwork(network(4, activation="softmax").conf.replace(l2=0.1))
    plain, added = (net.score_examples(X, CLASSES, add_regularization=flag) for flag in (False, True))
    assert added.mean() == pytest.approx(net.score(X, CLASSES), rel=1e-5)
    assert added - plain == pytest.approx(np.full(ROWS, added[0] - plain[0]), abs=1e-5)
    assert added[0] > plain[0] + 0.1


def test_time_steps_that_are_masked_have_no_score() -> None:
    layers = [RnnOutputLayer(n_in=2, n_out=3)]
    conf = dl.MultiLayerConfiguration(seed=1, layers=layers, input_type=dl.InputType.recurrent(2))
    net = dl.MultiLayerNetwork(conf)
    x = RNG.normal(size=(6, 2, 5)).astype("f4")
    y = RNG.integers(0, 3, (6, 5))
    mask = (np.arange(5) < np.array([5, 4, 3, 2, 1, 1])[:, None]).astype("f4")
    scores = net.score_examples(x, y, labels_mask=mask)
    output = net.output(x)
    loss = -np.log(np.take_along_axis(output, y[:, None], axis=1)[:, 0])
    assert scores == pytest.approx((loss * mask).sum(axis=1), rel=1e-4)
