package org.pydl4j.tensor;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.nd4j.linalg.api.buffer.DataType;
import org.pydl4j.PydlException;

/** numpy's letters for ND4J's data types. */
final class DTypes {
    private static final Map<String, DataType> BY_CODE = new HashMap<>();
    private static final Map<DataType, String> BY_TYPE = new EnumMap<>(DataType.class);

    static {
        add("f4", DataType.FLOAT);
        add("f8", DataType.DOUBLE);
        add("f2", DataType.FLOAT16);
        add("i1", DataType.INT8);
        add("i2", DataType.INT16);
        add("i4", DataType.INT32);
        add("i8", DataType.INT64);
        add("u1", DataType.UINT8);
        add("u2", DataType.UINT16);
        add("u4", DataType.UINT32);
        add("u8", DataType.UINT64);
        add("b1", DataType.BOOL);
    }

    private DTypes() {}

    private static void add(String code, DataType type) {
        BY_CODE.put(code, type);
        BY_TYPE.put(type, code);
    }

    /** By letter and size in one number, as Python writes it for speed: "f4" is 0x6604. */
    static DataType type(long code) {
        return type(String.valueOf((char) (code >> 8)) + (code & 0xff));
    }

    static DataType type(String code) {
        DataType type = BY_CODE.get(code);
        if (type == null) {
            throw new PydlException("DataError", "no ND4J data type for numpy's " + code + "; supported: " + BY_CODE.keySet());
        }
        return type;
    }

    static String code(DataType type) {
        String code = BY_TYPE.get(type);
        if (code == null) {
            throw new PydlException("DataError", "no numpy dtype for ND4J's " + type + "; supported: " + BY_TYPE.keySet());
        }
        return code;
    }
}
