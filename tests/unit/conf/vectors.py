"""The networks of `ConfigurationVectors.java`, built in Python; each function's result has the document of the key."""

from functools import partial

from pydl4j import InputType, MultiLayerConfiguration
from pydl4j.activations import (
    ActivationELU,
    ActivationGELU,
    ActivationLReLU,
    ActivationReLU,
    ActivationRReLU,
    ActivationThresholdedReLU,
)
from pydl4j.constraints import MaxNormConstraint, MinMaxNormConstraint, NonNegativeConstraint, UnitNormConstraint
from pydl4j.dropout import AlphaDropout, Dropout, GaussianDropout, GaussianNoise, SpatialDropout
from pydl4j.initializers import (
    BinomialDistribution,
    ConstantDistribution,
    GaussianDistribution,
    LogNormalDistribution,
    NormalDistribution,
    OrthogonalDistribution,
    TruncatedNormalDistribution,
    UniformDistribution,
    WeightInitConstant,
    WeightInitIdentity,
    WeightInitVarScalingNormalFanIn,
)
from pydl4j.layers import (
    LSTM,
    ActivationLayer,
    BatchNormalization,
    ConvolutionLayer,
    DenseLayer,
    DropoutLayer,
    GlobalPoolingLayer,
    GravesLSTM,
    LocalResponseNormalization,
    LossLayer,
    OutputLayer,
    RnnOutputLayer,
    SubsamplingLayer,
)
from pydl4j.losses import LossBinaryXENT, LossFMeasure, LossMCXENT, LossMixtureDensity, LossMultiLabel
from pydl4j.noise import DropConnect, WeightNoise
from pydl4j.preprocessors import (
    CnnToFeedForwardPreProcessor,
    CnnToRnnPreProcessor,
    FeedForwardToCnnPreProcessor,
    FeedForwardToRnnPreProcessor,
    RnnToCnnPreProcessor,
    RnnToFeedForwardPreProcessor,
)
from pydl4j.regularization import L1Regularization, L2Regularization, WeightDecay
from pydl4j.schedules import (
    CycleSchedule,
    ExponentialSchedule,
    FixedSchedule,
    InverseSchedule,
    MapSchedule,
    PolySchedule,
    SigmoidSchedule,
    StepSchedule,
)
from pydl4j.updaters import (
    AdaDelta,
    AdaGrad,
    Adam,
    AdaMax,
    AMSGrad,
    Nadam,
    Nesterovs,
    NoOp,
    RmsProp,
    Sgd,
)

VECTORS = {}

ROWS = InputType.feed_forward(3)
IMAGES = InputType.convolutional(height=13, width=11, channels=2)
dense = partial(DenseLayer, n_in=3, n_out=3)
output = partial(OutputLayer, n_out=2)
rnn_output = partial(RnnOutputLayer, n_out=2)
conv = partial(ConvolutionLayer, n_out=4)

SCHEDULES = (
    ExponentialSchedule(schedule_type="iteration", initial_value=0.1, gamma=0.99),
    MapSchedule(schedule_type="iteration", values={0: 0.1, 200: 0.05, 1000: 0.01}),
    StepSchedule(schedule_type="epoch", initial_value=0.1, decay_rate=0.5, step=10),
    PolySchedule(schedule_type="epoch", initial_value=0.1, power=2, max_iter=100),
    InverseSchedule(schedule_type="iteration", initial_value=0.1, gamma=0.9, power=2),
    SigmoidSchedule(schedule_type="epoch", initial_value=0.1, gamma=0.9, step_size=2),
    CycleSchedule(
        schedule_type="iteration",
        initial_learning_rate=0.001,
        max_learning_rate=0.1,
        cycle_length=100,
        annealing_length=11,
        annealing_decay=0.1,
    ),
    FixedSchedule(value=0.3),
)


def stack(name, input_type, layers, **options):
    options = {"seed": 42, **options}
    VECTORS[name] = partial(MultiLayerConfiguration, input_type=input_type, layers=layers, **options)


def add_updaters():
    moments = {"learning_rate": 0.002, "beta1": 0.8, "beta2": 0.99, "epsilon": 1e-7}
    kinds = (Sgd, Adam, AdaMax, Nadam, AMSGrad, AdaGrad, AdaDelta, RmsProp, Nesterovs, NoOp)
    groups = {
        "default": [kind() for kind in kinds],
        "set": [
            Sgd(learning_rate=0.5),
            *(kind(**moments) for kind in (Adam, AdaMax, Nadam, AMSGrad)),
            AdaGrad(learning_rate=0.02, epsilon=1e-5),
            AdaDelta(rho=0.9, epsilon=1e-5),
            RmsProp(learning_rate=0.02, rms_decay=0.9, epsilon=1e-5),
            Nesterovs(learning_rate=0.02, momentum=0.8),
        ],
        "scheduled": [
            *(
                kind(learning_rate=SCHEDULES[i])
                for i, kind in enumerate((Sgd, Adam, AdaMax, Nadam, AMSGrad, Sgd, RmsProp, RmsProp))
            ),
            Nesterovs(learning_rate=SCHEDULES[0]),
            Nesterovs(learning_rate=SCHEDULES[1], momentum=SCHEDULES[2]),
            Nesterovs(learning_rate=0.1, momentum=SCHEDULES[7]),
        ],
    }
    for name, updaters in groups.items():
        stack(f"updaters_{name}", None, [dense(updater=updater) for updater in updaters])
    layers = [dense(), dense(updater="none"), dense(bias_updater=Nesterovs(momentum=0.3)), output()]
    stack("updaters_inherited", ROWS, layers, updater=Adam(learning_rate=0.01), bias_updater=Sgd(learning_rate=0.2))


def add_functions():
    names = [
        "CUBE",
        "ELU",
        "HARDSIGMOID",
        "HARDTANH",
        "IDENTITY",
        "LEAKYRELU",
        "RATIONALTANH",
        "RELU",
        "RELU6",
        "RRELU",
        "SIGMOID",
        "SOFTMAX",
        "SOFTPLUS",
        "SOFTSIGN",
        "TANH",
        "RECTIFIEDTANH",
        "SELU",
        "SWISH",
        "THRESHOLDEDRELU",
        "GELU",
        "MISH",
    ]
    stack("activations_by_name", None, [dense(activation=name, name=name) for name in names])
    activations = [
        ActivationELU(alpha=0.5),
        ActivationGELU(precise=True),
        ActivationLReLU(alpha=0.3),
        ActivationRReLU(l=0.1, u=0.2),
        ActivationReLU(max=6, threshold=0.5, negative_slope=0.25),
        ActivationThresholdedReLU(theta=0.75),
    ]
    stack("activations_set", None, [dense(activation=activation) for activation in activations])
    layers = [
        dense(),
        ActivationLayer(),
        ActivationLayer(activation="relu"),
        ActivationLayer(activation=ActivationLReLU(alpha=0.2)),
        output(),
    ]
    stack("activation_layers", ROWS, layers, activation="tanh")

    losses = [
        "MSE",
        "L1",
        "XENT",
        "MCXENT",
        "SPARSE_MCXENT",
        "SQUARED_LOSS",
        "RECONSTRUCTION_CROSSENTROPY",
        "NEGATIVELOGLIKELIHOOD",
        "COSINE_PROXIMITY",
        "HINGE",
        "SQUARED_HINGE",
        "KL_DIVERGENCE",
        "MEAN_ABSOLUTE_ERROR",
        "L2",
        "MEAN_ABSOLUTE_PERCENTAGE_ERROR",
        "MEAN_SQUARED_LOGARITHMIC_ERROR",
        "POISSON",
        "WASSERSTEIN",
    ]
    layers = [
        OutputLayer(n_in=3, n_out=3, loss=loss, name=loss, activation="sigmoid" if loss == "XENT" else "softmax")
        for loss in losses
    ]
    stack("losses_by_name", None, layers)
    objects = [
        LossMCXENT(softmax_clip_eps=0.01),
        LossBinaryXENT(clip_eps=0.25),
        LossFMeasure(beta=2),
        LossMultiLabel(),
        LossMixtureDensity(mixtures=2, label_width=3),
    ]
    layers = [
        OutputLayer(n_in=10, n_out=10, loss=loss, activation="softmax" if isinstance(loss, LossMCXENT) else "sigmoid")
        for loss in objects
    ]
    stack("losses_set", None, layers)
    stack("loss_layer", ROWS, [dense(activation="softmax"), LossLayer(loss="mse")])
    layers = [LSTM(n_out=4), LossLayer(loss="mcxent", activation="softmax")]
    stack("loss_layer_on_sequences", InputType.recurrent(3, time_series_length=7), layers)


def add_weight_inits():
    names = [
        "ZERO",
        "ONES",
        "SIGMOID_UNIFORM",
        "NORMAL",
        "LECUN_NORMAL",
        "UNIFORM",
        "XAVIER",
        "XAVIER_UNIFORM",
        "XAVIER_FAN_IN",
        "XAVIER_LEGACY",
        "RELU",
        "RELU_UNIFORM",
        "IDENTITY",
        "LECUN_UNIFORM",
        "VAR_SCALING_NORMAL_FAN_IN",
        "VAR_SCALING_NORMAL_FAN_OUT",
        "VAR_SCALING_NORMAL_FAN_AVG",
        "VAR_SCALING_UNIFORM_FAN_IN",
        "VAR_SCALING_UNIFORM_FAN_OUT",
        "VAR_SCALING_UNIFORM_FAN_AVG",
    ]
    stack("weight_inits_by_name", None, [dense(weight_init=name, name=name) for name in names])
    distributions = [
        NormalDistribution(mean=0, std=0.01),
        GaussianDistribution(mean=1, std=0.5),
        UniformDistribution(lower=-1, upper=1),
        TruncatedNormalDistribution(mean=0, std=0.1),
        LogNormalDistribution(mean=0, std=1),
        BinomialDistribution(number_of_trials=3, probability_of_success=0.5),
        OrthogonalDistribution(gain=1.5),
        ConstantDistribution(value=0.125),
    ]
    stack("distributions", None, [dense(weight_init=distribution) for distribution in distributions])
    inits = [WeightInitConstant(value=0.5), WeightInitIdentity(scale=2), WeightInitVarScalingNormalFanIn(scale=0.5)]
    stack("weight_inits_set", None, [dense(weight_init=init) for init in inits])
    layers = [
        dense(),
        dense(weight_init="relu", bias_init=-1, gain_init=2, has_layer_norm=True),
        dense(has_bias=False),
        output(),
    ]
    stack("weight_init_inherited", ROWS, layers, weight_init=UniformDistribution(lower=-0.1, upper=0.1), bias_init=0.5)


def add_regularization():
    layers = [
        dense(),
        dense(l1=0.1),
        dense(l2=0.2),
        dense(l1=0.1, l2=0.2),
        dense(l1_bias=0.3),
        dense(l2_bias=0.4, l2=0.5),
        output(),
    ]
    stack("regularization_none", ROWS, layers)
    stack("regularization_l1", ROWS, layers, l1=0.01)
    stack("regularization_l2", ROWS, layers, l2=1e-4)
    stack("regularization_l1_l2", ROWS, layers, l1=0.01, l2=1e-4)
    stack("regularization_bias", ROWS, layers, l1_bias=0.01, l2_bias=0.02)
    stack("regularization_all", ROWS, layers, l1=0.01, l2=0.02, l1_bias=0.03, l2_bias=0.04)
    decayed = [
        dense(weight_decay=0.1),
        dense(weight_decay_bias=0.2),
        dense(regularization=[WeightDecay(coeff=0.3, apply_lr=False)]),
        output(),
    ]
    stack("weight_decay_in_layers", ROWS, decayed)
    stack("weight_decay_in_network", ROWS, [dense(), dense(l2=0.2), output()], weight_decay=0.01)
    scheduled = [
        dense(regularization=[L2Regularization(l2=SCHEDULES[0]), L1Regularization(l1=SCHEDULES[2])]),
        dense(regularization_bias=[WeightDecay(coeff=SCHEDULES[7], apply_lr=False)]),
        output(),
    ]
    stack("regularization_scheduled", ROWS, scheduled)
    norms = [
        UnitNormConstraint(dimensions=[1], params=["W"]),
        MinMaxNormConstraint(min=0.1, max=2, rate=0.5, dimensions=[1], params=["W"]),
    ]
    constrained = [
        dense(constraints=[MaxNormConstraint(max_norm=2, dimensions=[1], params=["W"])]),
        dense(constraints=[NonNegativeConstraint(params=["b"])]),
        dense(constraints=norms),
        output(),
    ]
    stack("constraints", ROWS, constrained)


def add_dropout():
    kinds = [
        Dropout(p=0.8),
        Dropout(p=SCHEDULES[2]),
        AlphaDropout(p=0.9),
        GaussianDropout(rate=0.25),
        GaussianDropout(rate=SCHEDULES[0]),
        GaussianNoise(stddev=0.5),
        GaussianNoise(stddev=SCHEDULES[1]),
        SpatialDropout(p=0.75),
        SpatialDropout(p=SCHEDULES[7]),
    ]
    stack("dropout_kinds", None, [dense(dropout=kind) for kind in kinds])
    layers = [dense(), dense(dropout=0.9), ActivationLayer(activation="relu"), output()]
    stack("dropout_inherited", ROWS, layers, dropout=0.5)
    layers = [dense(), DropoutLayer(dropout=0.5), dense(), DropoutLayer(dropout=GaussianNoise(stddev=0.1)), output()]
    stack("dropout_layers", ROWS, layers)
    layers = [
        dense(),
        dense(weight_noise=DropConnect(weight_retain_prob=SCHEDULES[7], apply_to_biases=True)),
        dense(weight_noise=WeightNoise(distribution=NormalDistribution(mean=0, std=0.1))),
        dense(
            weight_noise=WeightNoise(
                distribution=NormalDistribution(mean=1, std=0.1), apply_to_bias=True, additive=False
            )
        ),
        output(),
    ]
    stack("weight_noise", ROWS, layers, weight_noise=DropConnect(weight_retain_prob=0.9))


def add_globals():
    layers = [dense(), output()]
    stack("global_none", ROWS, layers)
    stack(
        "global_all",
        ROWS,
        layers,
        seed=-7,
        activation="relu",
        weight_init="xavier_uniform",
        updater=Adam(),
        mini_batch=False,
        minimize=False,
        optimization_algo="lbfgs",
        max_num_line_search_iterations=9,
        cache_mode="device",
        data_type="double",
        training_workspace_mode="none",
        inference_workspace_mode="none",
        convolution_mode="same",
    )
    for algorithm in ("line_gradient_descent", "conjugate_gradient", "lbfgs", "stochastic_gradient_descent"):
        stack(f"optimization_{algorithm}", ROWS, layers, optimization_algo=algorithm)
    kinds = [
        "None",
        "RenormalizeL2PerLayer",
        "RenormalizeL2PerParamType",
        "ClipElementWiseAbsoluteValue",
        "ClipL2PerLayer",
        "ClipL2PerParamType",
    ]
    for kind in kinds:
        clipped = dense(gradient_normalization="clip_l2_per_layer", gradient_normalization_threshold=2)
        options = {"gradient_normalization": kind, "gradient_normalization_threshold": 0.5}
        stack(f"gradient_{kind.lower()}", ROWS, [dense(), clipped, output()], **options)
    stack("data_type_half", ROWS, layers, data_type="half")
    stack("data_type_double", ROWS, layers, data_type="double")
    stack("cache_host", ROWS, layers, cache_mode="host")
    stack("names", ROWS, [dense(name='first "quoted" \u00e9\t'), output(name="last")])


def add_convolutions():
    lenet = [
        ConvolutionLayer(kernel_size=(5, 5), n_out=20, activation="relu"),
        SubsamplingLayer(pooling_type="max", kernel_size=2, stride=2),
        ConvolutionLayer(kernel_size=5, n_out=50, activation="relu"),
        SubsamplingLayer(kernel_size=(2, 2), stride=(2, 2)),
        DenseLayer(n_out=500, activation="relu"),
        OutputLayer(n_out=10, loss="negativeloglikelihood", activation="softmax"),
    ]
    flat = InputType.convolutional_flat(height=28, width=28, channels=1)
    stack("lenet", flat, lenet, updater=Adam(learning_rate=1e-3))
    layers = [
        conv(kernel_size=3),
        conv(kernel_size=(3, 2), convolution_mode="truncate", stride=(2, 1), padding=(1, 0)),
        conv(kernel_size=2, has_bias=False, dilation=2),
        conv(
            kernel_size=1,
            cudnn_algo_mode="user_specified",
            cudnn_fwd_algo="gemm",
            cudnn_bwd_filter_algo="algo_3",
            cudnn_bwd_data_algo="fft_tiling",
            cudnn_allow_fallback=False,
        ),
        output(),
    ]
    stack("convolution_options", IMAGES, layers, convolution_mode="same", cudnn_algo_mode="no_workspace")
    for pooling in ("max", "avg", "sum", "pnorm"):
        options = {"pnorm": 3} if pooling == "pnorm" else {}
        subsampling = SubsamplingLayer(
            pooling_type=pooling,
            kernel_size=3,
            stride=2,
            padding=1,
            eps=1e-6,
            avg_pool_include_pad_in_divisor=True,
            cudnn_allow_fallback=False,
            dilation=2,
            **options,
        )
        stack(f"pooling_{pooling}", IMAGES, [conv(kernel_size=3), subsampling, output()])
        layers = [conv(kernel_size=3), GlobalPoolingLayer(pooling_type=pooling), output()]
        stack(f"global_pooling_{pooling}", IMAGES, layers)
    stack("pooling_defaults", IMAGES, [SubsamplingLayer(), SubsamplingLayer(kernel_size=2, stride=1), output()])
    kept = GlobalPoolingLayer(pooling_type="pnorm", pnorm=3, collapse_dimensions=False)
    stack("global_pooling_kept", IMAGES, [conv(kernel_size=3), kept, output()])
    nhwc = IMAGES.replace(format="nhwc")
    layers = [
        conv(kernel_size=3),
        SubsamplingLayer(kernel_size=2),
        BatchNormalization(),
        LocalResponseNormalization(),
        DenseLayer(n_out=3),
        output(),
    ]
    stack("images_nhwc", nhwc, layers)
    stack("images_nhwc_pooled", nhwc, [conv(kernel_size=3), GlobalPoolingLayer(pooling_type="avg"), output()])
    stack("lrn", IMAGES, [conv(kernel_size=3), LocalResponseNormalization(k=1, n=3, alpha=0.5, beta=0.25), output()])
    layers = [
        BatchNormalization(),
        BatchNormalization(decay=0.5, eps=1e-3, gamma=2, beta=0.5, minibatch=False, cudnn_allow_fallback=False),
        BatchNormalization(lock_gamma_beta=True),
        conv(kernel_size=3),
        BatchNormalization(gamma=0.8, beta=1e-4),
        DenseLayer(n_out=3),
        BatchNormalization(),
        output(),
    ]
    stack("batch_norm_options", IMAGES, layers, updater=Adam())
    stack("convolution_without_input_type", None, [conv(kernel_size=3, n_in=2), SubsamplingLayer(kernel_size=2)])
    flat = InputType.convolutional_flat(height=6, width=5, channels=2)
    stack("two_channels_flat", flat, [conv(kernel_size=2), output()])


def add_recurrent():
    char_model = [
        GravesLSTM(n_in=77, n_out=200, activation="tanh"),
        GravesLSTM(n_in=200, n_out=200, activation="tanh"),
        RnnOutputLayer(n_in=200, n_out=77, loss="mcxent", activation="softmax"),
    ]
    options = {"seed": 12345, "l2": 0.001, "weight_init": "xavier", "updater": RmsProp(learning_rate=0.1)}
    stack("char_model", None, char_model, **options, backprop_type="truncated_bptt", tbptt_length=50)
    small = [LSTM(n_in=3, n_out=4), rnn_output()]
    stack("tbptt_lengths", None, small, backprop_type="truncated_bptt", tbptt_fwd_length=30, tbptt_back_length=10)
    stack("tbptt_default", None, small, backprop_type="TruncatedBPTT")
    layers = [
        LSTM(
            n_out=4,
            activation="tanh",
            forget_gate_bias_init=2,
            gate_activation="hardsigmoid",
            weight_init_recurrent="relu",
            helper_allow_fallback=False,
        ),
        LSTM(n_out=5, weight_init_recurrent=UniformDistribution(lower=-0.1, upper=0.1)),
        GravesLSTM(n_out=3, forget_gate_bias_init=0.5),
        rnn_output(),
    ]
    sequences = InputType.recurrent(3)
    nwc = InputType.recurrent(3, format="nwc")
    lstm = LSTM(n_out=4)
    stack("lstm_options", sequences, layers)
    stack("lstm_nwc", nwc.replace(time_series_length=7), [lstm, rnn_output()])
    stack("lstm_length", sequences.replace(time_series_length=7), [lstm, rnn_output()])
    stack("lstm_dense", sequences, [lstm, DenseLayer(n_out=3), rnn_output()])
    stack("lstm_dense_nwc", nwc, [lstm, DenseLayer(n_out=3), rnn_output()])
    stack("lstm_without_input_type", None, [LSTM(n_in=3, n_out=4), GravesLSTM(n_out=4), rnn_output()])
    stack("lstm_nwc_without_input_type", None, [LSTM(n_in=3, n_out=4, data_format="nwc"), rnn_output()])
    for pooling in ("max", "avg", "sum", "pnorm"):
        layers = [lstm, GlobalPoolingLayer(pooling_type=pooling), output()]
        stack(f"sequence_pooling_{pooling}", sequences, layers)
    stack("sequence_batch_norm", sequences, [lstm, BatchNormalization(), rnn_output()])
    layers = [
        LSTM(n_out=4, dropout=SpatialDropout(p=0.5)),
        DropoutLayer(dropout=0.5),
        ActivationLayer(activation="tanh"),
        rnn_output(),
    ]
    stack("sequence_dropout", sequences, layers)


def add_input_types():
    size = {"height": 5, "width": 3, "channels": 2}
    types = {
        "rows": InputType.feed_forward(30),
        "sequences": InputType.recurrent(30),
        "sequences_nwc": InputType.recurrent(30, time_series_length=4, format="nwc"),
        "images": InputType.convolutional(**size),
        "images_nhwc": InputType.convolutional(**size, format="nhwc"),
        "images_flat": InputType.convolutional_flat(**size),
    }
    lstm = LSTM(n_out=4)
    stacks = {
        "dense": [DenseLayer(n_out=3), output()],
        "output": [output()],
        "lstm": [lstm, rnn_output()],
        "rnn_output": [rnn_output()],
        "batch_norm": [BatchNormalization(), output()],
        "dropout": [DropoutLayer(dropout=0.5), ActivationLayer(activation="relu"), output()],
        "pooling": [GlobalPoolingLayer(), output()],
        "convolution": [conv(kernel_size=2), output()],
        "subsampling": [SubsamplingLayer(kernel_size=2, stride=1), output()],
        "lrn": [LocalResponseNormalization(), output()],
        "convolution_lstm": [conv(kernel_size=2), lstm, rnn_output()],
    }
    for type_name, input_type in types.items():
        for name, layers in stacks.items():
            pools_features = (type_name, name) == ("sequences_nwc", "pooling")  # what Python refuses
            if not pools_features and (type_name.startswith("images") or name in list(stacks)[:7]):
                stack(f"input_{type_name}_{name}", input_type, layers)


def add_preprocessors():
    rows = InputType.feed_forward(30)
    images = InputType.convolutional(height=5, width=3, channels=2)
    small = {"input_height": 5, "input_width": 3, "num_channels": 2}
    inside = {"input_height": 4, "input_width": 2, "num_channels": 4}
    lstm = LSTM(n_out=3)
    two = [conv(kernel_size=2), output()]
    given = {
        "rows_to_images": (rows, [conv(kernel_size=2, n_in=2), output()], {0: FeedForwardToCnnPreProcessor(**small)}),
        "images_to_rows": (images, two, {1: CnnToFeedForwardPreProcessor(**inside)}),
        "sequences_to_images": (InputType.recurrent(30), two, {0: RnnToCnnPreProcessor(**small)}),
        "images_to_sequences": (images, [conv(kernel_size=2), lstm, rnn_output()], {1: CnnToRnnPreProcessor(**inside)}),
        "rows_to_sequences": (
            ROWS,
            [dense(), lstm, rnn_output()],
            {1: FeedForwardToRnnPreProcessor(data_format="nwc")},
        ),
        "sequences_to_rows": (InputType.recurrent(3), [dense(), output()], {0: RnnToFeedForwardPreProcessor()}),
    }
    for name, (input_type, layers, preprocessors) in given.items():
        stack(f"given_{name}", input_type, layers, input_preprocessors=preprocessors)


add_updaters()
add_functions()
add_weight_inits()
add_regularization()
add_dropout()
add_globals()
add_convolutions()
add_recurrent()
add_input_types()
add_preprocessors()


UNTRAINABLE = {
    "input_images_flat_lrn",
    "input_images_lrn",
    "input_images_nhwc_convolution_lstm",
    "input_images_nhwc_lrn",
    "input_images_nhwc_lstm",
    "input_images_nhwc_rnn_output",
}
"""Networks that DL4J makes and cannot train: see test_untrainable.py. Their documents are read."""
BUILT = sorted(set(VECTORS) - UNTRAINABLE)
