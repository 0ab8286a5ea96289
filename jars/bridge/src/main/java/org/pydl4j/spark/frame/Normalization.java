package org.pydl4j.spark.frame;

import java.io.ByteArrayInputStream;
import java.io.Serializable;
import java.util.Base64;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerSerializer;

/** A fitted normalizer, sent to executors as DL4J's own bytes. */
final class Normalization implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;
    private transient DataNormalization normalizer;

    Normalization(String base64) {
        bytes = Base64.getDecoder().decode(base64);
    }

    /** In place. */
    synchronized void transform(INDArray features) {
        if (normalizer == null) {
            try {
                normalizer = NormalizerSerializer.getDefault().restore(new ByteArrayInputStream(bytes));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException("the normalizer cannot be read", e);
            }
        }
        normalizer.transform(features);
    }
}
