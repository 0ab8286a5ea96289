package org.pydl4j.spark.frame;

import java.io.Serializable;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;

/** What images a network takes, and whether those of other sizes are resized. */
final class ImageShape implements Serializable {
    private static final long serialVersionUID = 1L;

    final int height;
    final int width;
    /** 1 for gray, 3 for red, green and blue */
    final int channels;
    final boolean channelsLast;
    final boolean resize;

    ImageShape(JsonNode json) {
        height = json.required("height").asInt();
        width = json.required("width").asInt();
        channels = json.required("channels").asInt();
        channelsLast = json.required("channels_last").asBoolean();
        resize = json.required("resize").asBoolean();
    }

    /** Refuses networks whose channels are no colors. */
    ImageShape requireColors(String column) {
        if (channels != 1 && channels != 3) {
            throw new PydlException("DataError", "column '" + column + "' holds images, of 1 channel (gray) or of 3; the network takes "
                    + channels);
        }
        return this;
    }

    /** Refuses an image before it is decoded, where its size is told by then. */
    void requireSize(int imageHeight, int imageWidth) {
        if (!resize && (imageHeight != height || imageWidth != width)) {
            throw new BadCell("an image of " + imageHeight + " x " + imageWidth + " pixels; expected " + height + " x " + width
                    + " (height x width). Name the column as Resized(...) to have images resized");
        }
    }
}
