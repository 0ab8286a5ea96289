package org.pydl4j.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.preprocessor.AbstractDataSetNormalizer;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.dataset.api.preprocessor.ImagePreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerSerializer;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The byte vectors that tests/unit/data reads are what DL4J writes. {@code -Dpydl4j.golden.write=true} writes them anew.
 */
class NormalizerVectorsTest {
    private static final Path FOLDER = Path.of("..", "..", "tests", "golden", "normalizers");

    @Test
    void vectorsAreWhatDl4jWrites() throws IOException {
        Map<String, byte[]> vectors = new LinkedHashMap<>();
        addArrays(vectors);
        addNormalizers(vectors);
        for (Map.Entry<String, byte[]> vector : vectors.entrySet()) {
            Path file = FOLDER.resolve(vector.getKey() + ".bin");
            if (Boolean.getBoolean("pydl4j.golden.write")) {
                Files.createDirectories(FOLDER);
                Files.write(file, vector.getValue());
            }
            assertArrayEquals(Files.readAllBytes(file), vector.getValue(), file.toString());
        }
    }

    private static void addArrays(Map<String, byte[]> vectors) throws IOException {
        INDArray counting = Nd4j.linspace(DataType.FLOAT, -2.5, 1.0, 6).reshape('c', 2, 3);
        for (DataType type : new DataType[] {DataType.FLOAT, DataType.DOUBLE, DataType.FLOAT16,
            DataType.BFLOAT16, DataType.INT64, DataType.INT32, DataType.INT16, DataType.INT8, DataType.BOOL}) {
            vectors.put("array_" + type.name().toLowerCase(java.util.Locale.ROOT), bytes(counting.castTo(type)));
        }
        vectors.put("array_uint8", bytes(counting.add(200).castTo(DataType.UINT8)));
        vectors.put("array_f_order", bytes(counting.dup('f')));
        vectors.put("array_scalar", bytes(Nd4j.scalar(2.5f)));
        vectors.put("array_vector", bytes(Nd4j.createFromArray(1.5f, -2f, 3f)));
        vectors.put("array_empty", bytes(Nd4j.empty(DataType.FLOAT)));
    }

    private static void addNormalizers(Map<String, byte[]> vectors) throws IOException {
        INDArray table = data(7, 4);
        // a column of one value: DL4J raises its spread to 1e-5
        table.putColumn(2, Nd4j.valueArrayOf(7, 1, 3.0f));
        for (DataType type : new DataType[] {DataType.FLOAT, DataType.DOUBLE}) {
            INDArray x = table.castTo(type);
            String suffix = type == DataType.FLOAT ? "" : "_double";
            add(vectors, "standardize" + suffix, new NormalizerStandardize(), x);
            add(vectors, "min_max" + suffix, new NormalizerMinMaxScaler(-1, 1), x);
        }
        add(vectors, "standardize_series", new NormalizerStandardize(), data(3, 2, 5));
        add(vectors, "min_max_series", new NormalizerMinMaxScaler(), data(3, 2, 5));
        add(vectors, "standardize_images", new NormalizerStandardize(), data(2, 3, 4, 5));
        add(vectors, "min_max_images", new NormalizerMinMaxScaler(), data(2, 3, 4, 5));
        add(vectors, "image_scaler", new ImagePreProcessingScaler(), data(2, 3, 4, 5));
        add(vectors, "image_scaler_12_bits", new ImagePreProcessingScaler(-1, 2, 12), data(2, 3, 4, 5));
        addLabelled(vectors, "standardize_labels", new NormalizerStandardize());
        addLabelled(vectors, "min_max_labels", new NormalizerMinMaxScaler());
    }

    private static void addLabelled(Map<String, byte[]> vectors, String name, AbstractDataSetNormalizer<?> normalizer)
            throws IOException {
        DataSet set = new DataSet(data(7, 4), data(7, 2).muli(3));
        normalizer.fitLabel(true);
        normalizer.fit(set);
        vectors.put(name, bytes(normalizer));
        vectors.put(name + "_y", bytes(set.getLabels()));
        normalizer.transform(set);
        vectors.put(name + "_transformed", bytes(set.getLabels()));
    }

    private static void add(Map<String, byte[]> vectors, String name, DataNormalization normalizer, INDArray x)
            throws IOException {
        normalizer.fit(new DataSet(x, null));
        vectors.put(name + "_x", bytes(x));
        vectors.put(name, bytes(normalizer));
        INDArray transformed = x.dup('c');
        normalizer.transform(transformed);
        vectors.put(name + "_transformed", bytes(transformed));
        normalizer.revertFeatures(transformed);
        vectors.put(name + "_reverted", bytes(transformed));
    }

    private static INDArray data(long... shape) {
        long length = 1;
        for (long size : shape) {
            length *= size;
        }
        INDArray x = Nd4j.create(DataType.FLOAT, length);
        for (long i = 0; i < length; i++) {
            // every value differs and is exact in binary
            x.putScalar(i, (i * 37 % 101) * 2.5f - 40);
        }
        return x.reshape('c', shape);
    }

    private static byte[] bytes(INDArray array) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Nd4j.write(array, new DataOutputStream(out));
        return out.toByteArray();
    }

    private static byte[] bytes(DataNormalization normalizer) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        NormalizerSerializer.getDefault().write(normalizer, out);
        return out.toByteArray();
    }
}
