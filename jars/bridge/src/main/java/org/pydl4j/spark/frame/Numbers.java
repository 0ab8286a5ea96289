package org.pydl4j.spark.frame;

import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.NumericType;

/** Spark's numbers as double; true is 1. */
final class Numbers {
    private Numbers() {}

    static boolean is(DataType type) {
        return type instanceof NumericType || type instanceof BooleanType;
    }

    static double toDouble(Object value) {
        if (value instanceof Boolean) {
            return (Boolean) value ? 1 : 0;
        }
        return value instanceof Decimal ? ((Decimal) value).toDouble() : ((Number) value).doubleValue();
    }
}
