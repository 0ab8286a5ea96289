package org.pydl4j.spark.data;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.Json;

/** Reads the columns out of an Arrow schema: numbers, and tensors of fixed shape ({@code arrow.fixed_shape_tensor}). */
final class ArrowSchema {
    static final String EXTENSION_NAME = "ARROW:extension:name";
    static final String EXTENSION_METADATA = "ARROW:extension:metadata";
    static final String TENSOR = "arrow.fixed_shape_tensor";

    private ArrowSchema() {}

    static List<Column> columns(Schema schema) {
        if (schema.endianness() != Endianness.Little) {
            throw new ArrowFormatException("its numbers are big-endian; expected little-endian");
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            columns.add(column(schema.fields(i)));
        }
        return columns;
    }

    private static Column column(Field field) {
        if (field.typeType() != Type.FixedSizeList) {
            return new Column(field.name(), number(field));
        }
        FixedSizeList list = (FixedSizeList) field.type(new FixedSizeList());
        Column column = new Column(field.name(), number(field.children(0)), shape(field, list.listSize()));
        if (column.rowElements() != list.listSize()) {
            throw new ArrowFormatException("a row of column '" + field.name() + "' has " + list.listSize() + " elements, but its shape says "
                    + column.rowElements());
        }
        return column;
    }

    private static long[] shape(Field field, int size) {
        String metadata = metadata(field, EXTENSION_METADATA);
        if (!TENSOR.equals(metadata(field, EXTENSION_NAME)) || metadata == null) {
            return new long[] {size};
        }
        JsonNode json = Json.parse(metadata);
        JsonNode permutation = json.path("permutation");
        for (int i = 0; i < permutation.size(); i++) {
            if (permutation.get(i).asInt() != i) {
                throw new ArrowFormatException("column '" + field.name() + "' is stored with permuted axes; expected C order");
            }
        }
        JsonNode dims = json.required("shape");
        long[] shape = new long[dims.size()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = dims.get(i).asLong();
        }
        return shape;
    }

    private static String metadata(Field field, String key) {
        for (int i = 0; i < field.customMetadataLength(); i++) {
            KeyValue pair = field.customMetadata(i);
            if (key.equals(pair.key())) {
                return pair.value();
            }
        }
        return null;
    }

    private static DataType number(Field field) {
        if (field.typeType() == Type.FloatingPoint) {
            return floating(((FloatingPoint) field.type(new FloatingPoint())).precision());
        }
        if (field.typeType() == Type.Int) {
            Int type = (Int) field.type(new Int());
            return integer(type.bitWidth(), type.isSigned());
        }
        throw new ArrowFormatException("column '" + field.name() + "' is of Arrow type " + Type.name(field.typeType())
                + "; expected numbers or tensors of fixed shape");
    }

    private static DataType floating(short precision) {
        switch (precision) {
            case Precision.HALF:
                return DataType.FLOAT16;
            case Precision.SINGLE:
                return DataType.FLOAT;
            default:
                return DataType.DOUBLE;
        }
    }

    private static DataType integer(int bits, boolean signed) {
        switch (bits) {
            case 8:
                return signed ? DataType.INT8 : DataType.UINT8;
            case 16:
                return signed ? DataType.INT16 : DataType.UINT16;
            case 32:
                return signed ? DataType.INT32 : DataType.UINT32;
            default:
                return signed ? DataType.INT64 : DataType.UINT64;
        }
    }
}
