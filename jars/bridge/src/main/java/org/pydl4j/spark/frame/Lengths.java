package org.pydl4j.spark.frame;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** How long the sequences of some rows are, so that they are padded to the longest of them and not of all. */
final class Lengths {
    private final List<TensorOptions> tensors;
    private final StructType schema;
    private final int[] features;

    Lengths(List<TensorOptions> tensors, StructType schema) {
        this.tensors = tensors;
        this.schema = schema;
        features = tensors.stream()
                .filter(tensor -> tensor.isFeatures() && tensor.sequence != null)
                .mapToInt(tensor -> schema.fieldIndex(tensor.columns[0]))
                .toArray();
    }

    /** Whether tensors differ from batch to batch. */
    boolean vary() {
        return tensors.stream().anyMatch(tensor -> tensor.sequence != null && tensor.sequence.open);
    }

    /** Of a row's features: the time steps of an output that has one for each. */
    int steps(InternalRow row) {
        int most = 0;
        for (int column : features) {
            most = Math.max(most, steps(row, column));
        }
        return most;
    }

    /** The tensors as these rows need them. Labels are as long as features. */
    List<TensorOptions> fitting(List<InternalRow> rows) {
        return tensors.stream().map(tensor -> fitting(tensor, rows)).collect(Collectors.toList());
    }

    private TensorOptions fitting(TensorOptions tensor, List<InternalRow> rows) {
        if (tensor.sequence == null || !tensor.sequence.open) {
            return tensor;
        }
        List<String> columns = tensor.sequence.like.isEmpty() ? List.of(tensor.columns) : tensor.sequence.like;
        int longest = columns.stream()
                .map(schema::fieldIndex)
                .flatMap(column -> rows.stream().map(row -> steps(row, column)))
                .reduce(1, Math::max);
        return tensor.ofLength(longest);
    }

    /** Nothing is said here of a null: the reader of the row does. */
    private static int steps(InternalRow row, int column) {
        return row.isNullAt(column) ? 0 : row.getArray(column).numElements();
    }
}
