package org.pydl4j.spark.frame;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.pydl4j.PydlException;

/** Columns of images: Spark's own, and the bytes of files. */
final class ImageColumns {
    private static final List<String> FIELDS = List.of("origin", "height", "width", "nChannels", "mode", "data");

    private ImageColumns() {}

    static boolean are(DataType type) {
        return type instanceof BinaryType || type instanceof StructType && List.of(((StructType) type).fieldNames()).equals(FIELDS);
    }

    static ColumnReader of(StructField field, int ordinal, TensorOptions options) {
        if (options.image == null) {
            throw new PydlException("DataError", "column '" + field.name() + "' is of type " + field.dataType().simpleString()
                    + ", an image, which is no " + options.what() + " of the network; only features of an "
                    + "InputType.convolutional(...) or convolutional_flat(...) are");
        }
        ImageShape wanted = options.image.requireColors(field.name());
        return field.dataType() instanceof BinaryType ? new Encoded(ordinal, wanted) : new Decoded(ordinal, wanted);
    }

    private static final class Encoded extends ColumnReader {
        private final ImageShape wanted;

        Encoded(int ordinal, ImageShape wanted) {
            super(ordinal);
            this.wanted = wanted;
        }

        @Override
        void read(InternalRow row, Cells into) {
            into.add(Decoder.decode(row.getBinary(ordinal), wanted).as(wanted));
        }
    }

    /** As {@code spark.read.format("image")} has them: blue, green, red, and sometimes alpha. */
    private static final class Decoded extends ColumnReader {
        private final ImageShape wanted;

        Decoded(int ordinal, ImageShape wanted) {
            super(ordinal);
            this.wanted = wanted;
        }

        @Override
        void read(InternalRow row, Cells into) {
            InternalRow image = row.getStruct(ordinal, FIELDS.size());
            for (int i = 1; i < FIELDS.size(); i++) {
                if (image.isNullAt(i)) {
                    throw new BadCell("an image without " + FIELDS.get(i));
                }
            }
            int height = image.getInt(1);
            int width = image.getInt(2);
            int channels = image.getInt(3);
            byte[] data = image.getBinary(5);
            if (height <= 0 || width <= 0) {
                throw new BadCell("an image that Spark could not read");
            }
            if (channels != 1 && channels != 3 && channels != 4 || image.getInt(4) != (channels - 1) * 8) {
                throw new BadCell("an image of " + channels + " channels and mode " + image.getInt(4)
                        + "; expected 1, 3 or 4 of bytes: mode 0, 16 or 24");
            }
            if (data.length != (long) height * width * channels) {
                throw new BadCell("an image of " + data.length + " bytes; expected " + (long) height * width * channels);
            }
            wanted.requireSize(height, width);
            into.add(pixels(data, height, width, channels).as(wanted));
        }

        private static Pixels pixels(byte[] data, int height, int width, int channels) {
            int colors = Math.min(channels, 3);
            Pixels pixels = new Pixels(height, width, colors);
            for (int i = 0; i < height * width; i++) {
                for (int color = 0; color < colors; color++) {
                    pixels.set(i, color, data[i * channels + colors - 1 - color] & 255);
                }
                if (channels == 4) {
                    Decoder.requireOpaque(data[i * channels + 3] & 255);
                }
            }
            return pixels;
        }
    }
}
