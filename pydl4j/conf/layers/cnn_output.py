"""Losses on images and volumes, pixel by pixel."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydl4j.conf._codecs import AtLeast
from pydl4j.conf._kernel import guard, refuse
from pydl4j.conf.activations import ActivationName, IActivation
from pydl4j.conf.arrays import NDArray
from pydl4j.conf.inputs import CNN2DFormat, CNN3DFormat, InputType
from pydl4j.conf.layers.base import JAVA, Layer, MaybeSize, SizedLayer
from pydl4j.conf.layers.kinds import IMAGES, VOLUMES, Kind, images
from pydl4j.conf.layers.output import check_loss
from pydl4j.conf.losses import ILossFunction, LossL2, LossName

__all__ = ["Cnn3DLossLayer", "CnnLossLayer", "Yolo2OutputLayer"]


class PixelLoss(SizedLayer, keys={"loss": "lossFn"}, absent={"activation": None, "loss": None}):
    """A loss on each position of the activations of the layer before it; no parameters."""

    computes_loss: ClassVar[bool] = True

    activation: IActivation | ActivationName | None = "identity"
    loss: ILossFunction | LossName | None = "mcxent"
    n_out: MaybeSize = None
    """Not used, as ``n_in``."""

    def validate(self, path: str) -> None:
        for option in ("n_in", "n_out"):
            if getattr(self, option) is not None:
                must = "must be left out: the layer has no parameters, and its size is that of its input"
                raise refuse(f"{path}.{option}", must, getattr(self, option))

    def _learn(self, learned: Mapping[str, Any], path: str) -> Self:
        return super()._learn({name: value for name, value in learned.items() if name != "n_in"}, path)

    def check_complete(self, path: str) -> None:
        """Nothing: the size is that of the layer before."""


class CnnLossLayer(PixelLoss, java=JAVA + "CnnLossLayer", keys={"data_format": "format"}):
    """A loss on each pixel, as in segmentation: input and labels ``[minibatch, channels, height, width]``."""

    takes: ClassVar[Kind] = IMAGES

    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""

    def check_output(self, path: str) -> None:
        check_loss(self, self.loss, path, is_loss_layer=True)


class Cnn3DLossLayer(PixelLoss, java=JAVA + "Cnn3DLossLayer", absent={"data_format": None}):
    """A loss on each position of volumes: input and labels ``[minibatch, channels, depth, height, width]``."""

    takes: ClassVar[Kind] = VOLUMES

    data_format: CNN3DFormat
    """Must be that of the input; DL4J does not take it from the input type."""


class Yolo2OutputLayer(
    Layer,
    java=JAVA + "objdetect.Yolo2OutputLayer",
    keys={"data_format": "format"},
    absent={"lambda_coord": 0.0, "lambda_no_obj": 0.0},
):
    """Object detection (Redmon and Farhadi 2017, YOLOv2): input ``[minibatch, boxes * (5 + classes), height, width]``.

    Labels are ``[minibatch, 4 + classes, height, width]``. Another number of channels than fits the boxes is refused; DL4J
    finds that out with the first minibatch.
    """

    takes: ClassVar[Kind] = IMAGES
    computes_loss: ClassVar[bool] = True

    bounding_boxes: NDArray
    """Height and width of the prior boxes, in cells of the grid: ``[boxes, 2]``."""
    lambda_coord: Annotated[float, AtLeast(0)] = 5.0
    """Weight of the loss of positions and sizes."""
    lambda_no_obj: Annotated[float, AtLeast(0)] = 0.5
    """Weight of the confidence where there is no object."""
    loss_position_scale: ILossFunction = LossL2()
    """Loss of positions and sizes."""
    loss_class_predictions: ILossFunction = LossL2()
    """Loss of the classes."""
    data_format: CNN2DFormat = "nchw"
    """Taken from the input type where there is one."""

    def validate(self, path: str) -> None:
        shape = self.bounding_boxes.shape
        if len(shape) != 2 or shape[1] != 2:
            raise refuse(f"{path}.bounding_boxes", "must have the shape [boxes, 2]", tuple(shape))

    def output_type(self, input_type: InputType, path: str = "") -> InputType:
        image, boxes = images(self, input_type, path), self.bounding_boxes.shape[0]
        if image.channels % boxes or image.channels <= 5 * boxes:
            must = f"must give {boxes} * (5 + classes) channels, as there are {boxes} bounding boxes"
            raise guard(f"{path}'s input", must, image)
        return image

    def labels_for(self, output_type: InputType) -> InputType:
        image = images(self, output_type, "labels")
        return image.replace(channels=image.channels // self.bounding_boxes.shape[0] - 1)

    def derived(self) -> dict[str, Any]:
        return {"gradientNormalization": "None", "gradientNormalizationThreshold": 1.0}
