"""Networks of the convolution family, for comparison with DL4J."""

from pydl4j import InputType
from pydl4j.constraints import MaxNormConstraint, NonNegativeConstraint, UnitNormConstraint
from pydl4j.layers import (
    CapsuleLayer,
    CapsuleStrengthLayer,
    Cnn3DLossLayer,
    CnnLossLayer,
    Convolution1DLayer,
    Convolution3D,
    ConvolutionLayer,
    Cropping1D,
    Cropping2D,
    Cropping3D,
    Deconvolution2D,
    Deconvolution3D,
    DepthwiseConvolution2D,
    GlobalPoolingLayer,
    IdentityLayer,
    LocallyConnected1D,
    LocallyConnected2D,
    LossLayer,
    OutputLayer,
    PrimaryCapsules,
    RnnOutputLayer,
    SeparableConvolution2D,
    SpaceToBatchLayer,
    SpaceToDepthLayer,
    Subsampling1DLayer,
    Subsampling3DLayer,
    SubsamplingLayer,
    Upsampling1D,
    Upsampling2D,
    Upsampling3D,
    Yolo2OutputLayer,
    ZeroPadding1DLayer,
    ZeroPadding3DLayer,
    ZeroPaddingLayer,
)
from pydl4j.noise import DropConnect
from pydl4j.updaters import Sgd

_SERIES = {"size": 5, "time_series_length": 20}
_IMAGE = {"height": 12, "width": 10, "channels": 3}
_VOLUME = {"depth": 6, "height": 8, "width": 10, "channels": 2}
INPUTS = {
    "vectors": InputType.feed_forward(30),
    "ncw": InputType.recurrent(**_SERIES),
    "nwc": InputType.recurrent(**_SERIES, format="nwc"),
    "any_length": InputType.recurrent(5),
    "nchw": InputType.convolutional(**_IMAGE),
    "nhwc": InputType.convolutional(**_IMAGE, format="nhwc"),
    "flat": InputType.convolutional_flat(**_IMAGE),
    "ncdhw": InputType.convolutional_3d(**_VOLUME),
    "ndhwc": InputType.convolutional_3d(**_VOLUME, format="ndhwc"),
}

_CUDNN = {
    "cudnn_algo_mode": "no_workspace", "cudnn_fwd_algo": "gemm", "cudnn_bwd_filter_algo": "fft",
    "cudnn_bwd_data_algo": "algo_1", "cudnn_allow_fallback": False,
}  # fmt: skip
_SHARED = {
    "l1": 0.1, "l2": 0.2, "l1_bias": 0.3, "weight_decay_bias": 0.4, "updater": "adam", "dropout": 0.4, "name": "me",
    "bias_updater": Sgd(learning_rate=0.1), "weight_init": "relu", "activation": "relu",
}  # fmt: skip
_BASE = _SHARED | {
    "bias_init": 0.1, "gain_init": 0.5, "weight_noise": DropConnect(weight_retain_prob=0.5),
    "gradient_normalization": "clip_l2_per_layer", "gradient_normalization_threshold": 2.5,
}  # fmt: skip
_BOUNDED = [MaxNormConstraint(max_norm=1.0, dimensions=[1])]
_POSITIVE = [NonNegativeConstraint()]
_WIDE = {"kernel_size": 3, "stride": 2, "padding": 1, "dilation": 2, "convolution_mode": "truncate", "has_bias": False}

LAYERS = {
    "conv1d": Convolution1DLayer(n_out=4, kernel_size=3),
    "conv1d_full": Convolution1DLayer(n_out=4, **_WIDE, **_CUDNN, **_BASE, data_format="nwc", constrain_all=_BOUNDED),
    "conv1d_same": Convolution1DLayer(n_out=4, kernel_size=3, stride=3, convolution_mode="same"),
    "conv1d_causal": Convolution1DLayer(n_out=4, kernel_size=3, dilation=2, convolution_mode="causal"),
    "conv2d": ConvolutionLayer(n_out=4, kernel_size=3),
    "conv2d_full": ConvolutionLayer(n_out=4, **_WIDE, **_CUDNN, **_BASE, data_format="nhwc", constrain_weights=_BOUNDED),
    "deconv2d": Deconvolution2D(n_out=4),
    "deconv2d_full": Deconvolution2D(n_out=4, **_WIDE, **_CUDNN, **_BASE, data_format="nhwc", constrain_all=_BOUNDED),
    "deconv2d_same": Deconvolution2D(n_out=4, stride=(2, 3), convolution_mode="same", padding=1),
    "separable": SeparableConvolution2D(n_out=4),
    "separable_full": SeparableConvolution2D(
        n_out=4, depth_multiplier=2, **(_WIDE | {"has_bias": True}), **_CUDNN, **_BASE, data_format="nhwc",
        constrain_weights=_BOUNDED, constrain_bias=_POSITIVE, constrain_point_wise=[UnitNormConstraint(dimensions=[1])],
    ),
    "separable_point_wise": SeparableConvolution2D(n_out=4, kernel_size=2, constrain_point_wise=_BOUNDED),
    "depthwise": DepthwiseConvolution2D(),
    "depthwise_full": DepthwiseConvolution2D(
        depth_multiplier=2, **_WIDE, **_CUDNN, **_BASE, data_format="nhwc", constrain_all=_BOUNDED
    ),
    "conv3d": Convolution3D(n_out=4),
    "conv3d_full": Convolution3D(n_out=4, **_WIDE, **_CUDNN, **_BASE, data_format="ndhwc", constrain_bias=_POSITIVE),
    "conv3d_same": Convolution3D(n_out=4, kernel_size=(1, 2, 3), convolution_mode="same"),
    "conv3d_strict": Convolution3D(n_out=4, convolution_mode="strict", data_format="ndhwc"),
    "deconv3d": Deconvolution3D(n_out=4),
    "deconv3d_full": Deconvolution3D(n_out=4, **_WIDE, **_CUDNN, **_BASE, data_format="ndhwc", constrain_all=_BOUNDED),
    "pooling": SubsamplingLayer(),
    "pooling_full": SubsamplingLayer(
        kernel_size=(2, 3), stride=1, padding=1, dilation=2, pooling_type="pnorm", pnorm=2, eps=1e-3, dropout=0.5,
        avg_pool_include_pad_in_divisor=True, cudnn_allow_fallback=False, convolution_mode="strict", data_format="nhwc",
    ),
    "pooling1d": Subsampling1DLayer(),
    "pooling1d_full": Subsampling1DLayer(
        kernel_size=3, stride=3, padding=1, pooling_type="pnorm", pnorm=2, eps=1e-3, convolution_mode="truncate",
        avg_pool_include_pad_in_divisor=True, cudnn_allow_fallback=False, data_format="nwc",
    ),
    "pooling3d": Subsampling3DLayer(),
    "pooling3d_full": Subsampling3DLayer(
        kernel_size=2, stride=1, padding=1, pooling_type="avg", convolution_mode="truncate", data_format="ndhwc",
        cudnn_allow_fallback=False, dropout=0.5, name="pool",
    ),
    "global": GlobalPoolingLayer(),
    "global_full": GlobalPoolingLayer(pooling_type="pnorm", pnorm=3, dropout=0.5),
    "global_kept": GlobalPoolingLayer(pooling_type="avg", collapse_dimensions=False),
    "global_nwc": GlobalPoolingLayer(pooling_type="sum", pooling_dimensions=(1,)),
    "global_ndhwc": GlobalPoolingLayer(pooling_dimensions=(1, 2, 3)),
    "upsampling1d": Upsampling1D(size=2),
    "upsampling2d": Upsampling2D(size=(2, 3)),
    "upsampling3d": Upsampling3D(size=(2, 3, 1)),
    "upsampling3d_full": Upsampling3D(size=2, data_format="ndhwc", name="up"),
    "padding1d": ZeroPadding1DLayer(padding=(1, 2)),
    "padding2d": ZeroPaddingLayer(padding=(1, 2, 3, 4)),
    "padding2d_full": ZeroPaddingLayer(padding=2, data_format="nhwc", name="pad"),
    "padding3d": ZeroPadding3DLayer(padding=(1, 2, 3, 4, 5, 6)),
    "cropping1d": Cropping1D(cropping=(1, 2)),
    "cropping2d": Cropping2D(cropping=(1, 2, 3, 4)),
    "cropping2d_full": Cropping2D(cropping=1, data_format="nhwc", name="crop"),
    "cropping3d": Cropping3D(cropping=(1, 1, 2, 1, 1, 2)),
    "space_to_depth": SpaceToDepthLayer(block_size=2),
    "space_to_depth_full": SpaceToDepthLayer(block_size=2, data_format="nhwc", name="space"),
    "space_to_batch": SpaceToBatchLayer(blocks=2),
    "space_to_batch_full": SpaceToBatchLayer(blocks=(3, 2), padding=((1, 2), (0, 2)), data_format="nhwc"),
    "local1d": LocallyConnected1D(n_out=4),
    "local1d_full": LocallyConnected1D(
        n_out=4, kernel_size=3, stride=2, padding=1, convolution_mode="truncate", has_bias=False, **_SHARED
    ),
    "local1d_inheriting": LocallyConnected1D(n_out=4, convolution_mode=None, activation=None),
    "local2d": LocallyConnected2D(n_out=4),
    "local2d_full": LocallyConnected2D(
        n_out=4, kernel_size=3, stride=2, padding=1, convolution_mode="truncate", has_bias=False, data_format="nhwc", **_SHARED
    ),
    "local2d_inheriting": LocallyConnected2D(n_out=4, convolution_mode=None, activation=None),
    "local2d_wide": LocallyConnected2D(n_out=4, kernel_size=(4, 1), stride=(3, 2)),
    "primary_capsules": PrimaryCapsules(capsule_dimensions=4, channels=2, kernel_size=3),
    "primary_capsules_full": PrimaryCapsules(
        capsule_dimensions=4, channels=2, kernel_size=3, stride=1, padding=1, dilation=2, has_bias=False, use_relu=True,
        leak=0.1, dropout=0.4, l2=0.1, updater="adam", weight_init="relu", name="me",
    ),
    "primary_capsules_same": PrimaryCapsules(capsule_dimensions=4, channels=2, kernel_size=3, convolution_mode="same"),
    "capsules": CapsuleLayer(capsules=3, capsule_dimensions=4),
    "capsules_full": CapsuleLayer(capsules=3, capsule_dimensions=4, routings=2, has_bias=True, l1=0.1, updater="adam"),
    "capsule_strength": CapsuleStrengthLayer(),
    "identity": IdentityLayer(),
}  # fmt: skip

CHAINS = {
    "images": (
        INPUTS["nchw"],
        [
            ConvolutionLayer(n_out=4, kernel_size=3),
            Deconvolution2D(n_out=3),
            SeparableConvolution2D(n_out=5, kernel_size=2),
            DepthwiseConvolution2D(kernel_size=2),
            SubsamplingLayer(stride=1),
            Upsampling2D(size=2),
            ZeroPaddingLayer(padding=1),
            Cropping2D(cropping=1),
            SpaceToDepthLayer(block_size=2),
            LocallyConnected2D(n_out=3),
            CnnLossLayer(loss="mse"),
        ],
    ),
    "segmentation": (INPUTS["flat"], [ConvolutionLayer(n_out=4), CnnLossLayer(activation="softmax", l2=0.1)]),
    "images_nhwc": (
        INPUTS["nhwc"],
        [
            DepthwiseConvolution2D(kernel_size=2, depth_multiplier=2, convolution_mode="same"),
            SpaceToBatchLayer(blocks=(1, 2)),
            Deconvolution2D(n_out=3),
            CnnLossLayer(activation="sigmoid", loss="xent", data_format="nhwc"),
        ],
    ),
    "detection": (
        INPUTS["flat"],
        [
            ConvolutionLayer(n_out=14, kernel_size=3),
            Yolo2OutputLayer(
                bounding_boxes=[[1, 2], [3, 4.5]], lambda_coord=1, lambda_no_obj=2, loss_position_scale="l1"
            ),
        ],
    ),
    "detection_minimal": (
        INPUTS["nchw"],
        [ConvolutionLayer(n_out=6), Yolo2OutputLayer(bounding_boxes=[[1, 1]])],
    ),
    "sequences": (
        INPUTS["ncw"],
        [
            Convolution1DLayer(n_out=4, kernel_size=3),
            Subsampling1DLayer(),
            ZeroPadding1DLayer(padding=2),
            Cropping1D(cropping=1),
            Upsampling1D(size=2),
            LocallyConnected1D(n_out=3),
            RnnOutputLayer(n_out=3),
        ],
    ),
    "volumes": (
        INPUTS["ncdhw"],
        [
            Convolution3D(n_out=4, kernel_size=3, convolution_mode="same"),
            Deconvolution3D(n_out=3, convolution_mode="same"),
            Subsampling3DLayer(),
            Upsampling3D(size=2),
            Cropping3D(cropping=1),
            ZeroPadding3DLayer(padding=1),
            Cnn3DLossLayer(data_format="ncdhw", loss="mse"),
        ],
    ),
    "volumes_ndhwc": (
        INPUTS["ndhwc"],
        [
            Convolution3D(n_out=4, data_format="ndhwc"),
            Subsampling3DLayer(data_format="ndhwc"),
            Cnn3DLossLayer(data_format="ndhwc", activation="softmax", l2=0.1),
        ],
    ),
    "capsules": (
        INPUTS["nchw"],
        [
            PrimaryCapsules(capsule_dimensions=4, channels=2, kernel_size=3),
            CapsuleLayer(capsules=3, capsule_dimensions=4, has_bias=True),
            CapsuleStrengthLayer(),
            LossLayer(loss="mse"),
        ],
    ),
}
GLOBALS = {
    "plain": {},
    "penalties": {"l1": 0.1, "l2_bias": 0.2},
    "updaters": {"updater": "adam", "bias_updater": Sgd(learning_rate=0.3)},
    "gradients": {"gradient_normalization": "clip_l2_per_layer", "gradient_normalization_threshold": 3.0},
    "defaults": {"activation": "relu", "weight_init": "relu", "bias_init": 0.1, "gain_init": 2.0, "dropout": 0.5},
    "noise": {"weight_noise": DropConnect(weight_retain_prob=0.5)},
    "modes": {"convolution_mode": "same", "cudnn_algo_mode": "no_workspace"},
    "types": {"data_type": "double", "cache_mode": "host", "mini_batch": False},
}
CONSTRAINED = {"constrain_weights": _BOUNDED, "constrain_bias": _POSITIVE}


def ends(layer: object) -> list[object]:
    """A network of one layer, and an output."""
    return [layer, OutputLayer(n_out=3)]
