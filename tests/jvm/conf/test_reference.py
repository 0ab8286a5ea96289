"""The harness itself: it follows recipes, tells refusals from recipes it cannot follow, and shows what differs."""

import pytest
from recipes import recipe
from reference import Made, agree, difference, draft, made_by_dl4j

from pydl4j import InputType
from pydl4j.layers import ConvolutionLayer, DenseLayer, OutputLayer, RnnOutputLayer

IMAGES = InputType.convolutional(height=9, width=8, channels=2)


def test_agreement_is_told(capsys):
    agree(
        layers=[ConvolutionLayer(n_out=3, kernel_size=3, cudnn_fwd_algo="fft", l2=0.1), OutputLayer(n_out=2, loss="mse")],
        input_type=IMAGES, dropout=0.5, backprop_type="truncated_bptt", tbptt_length=7,
    )  # fmt: skip
    assert capsys.readouterr().out.startswith("both write the same ")


def test_refusals_are_told(capsys):
    agree(layers=[ConvolutionLayer(n_out=3, kernel_size=3), OutputLayer(n_out=2)], input_type=InputType.feed_forward(4))
    assert capsys.readouterr().out.startswith("both refuse: java.lang.IllegalStateException: Invalid input for Conv")


def test_differences_are_shown():
    assert difference(Made(json="a\nb"), Made(json="a\nc")) == "--- Python\n+++ DL4J\n@@ -1,2 +1,2 @@\n a\n-b\n+c"
    assert difference(Made(json="a"), Made(json="a")) == ""
    assert difference(Made(refused="ConfigError: no"), Made(refused="X")) == ""
    assert difference(Made(refused="ConfigError: no"), Made(json="a")) == "only Python refuses: ConfigError: no"
    assert difference(Made(refused="GuardError: no"), Made(json="a")) == ""
    assert difference(Made(json="a"), Made(refused="X: no")) == "only DL4J refuses: X: no"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_outs": 3}, r"has none of \[nOuts, setNOuts\] for 3"),
        ({"n_out": "three"}, r'has none of \[nOut, setNOut\] for "three"'),
        ({"updater": {"@class": "org.nd4j.linalg.learning.config.Nope"}}, "ClassNotFoundException"),
    ],
)
def test_a_recipe_that_cannot_be_followed_is_an_error(changes, message):
    answer = recipe(draft(layers=[DenseLayer(n_in=4, n_out=3)]))
    answer["layers"][0]["options"] |= changes
    with pytest.raises(ValueError, match=message):
        made_by_dl4j([answer])


def test_answers_are_in_the_order_of_the_recipes():
    sizes = [DenseLayer(n_out=2), RnnOutputLayer(n_out=3), ConvolutionLayer(n_out=4)]
    answers = made_by_dl4j([recipe(draft(layers=[layer], input_type=IMAGES)) for layer in sizes])
    assert [str(answer.json).count(f'"nout" : {n}') for answer, n in zip(answers, (2, 3, 4), strict=True)] == [1, 1, 1]


def test_documents_are_read_and_written_back():
    conf = draft(layers=[DenseLayer(n_in=4, n_out=3)]).replace()
    made, broken = made_by_dl4j([{"kind": "multilayer", "document": text} for text in (conf.to_json(), "{}")])
    assert made.json == conf.to_json()
    assert broken.refused


def test_yaml_is_given_on_request():
    conf = draft(layers=[DenseLayer(n_in=4, n_out=3)]).replace()
    (made,) = made_by_dl4j([recipe(conf) | {"yaml": True}])
    assert made.yaml == conf.to_yaml()
