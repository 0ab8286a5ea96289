package org.pydl4j.spark;

import java.io.IOException;
import org.apache.spark.api.java.function.Function;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.pydl4j.spark.data.Loader;

/** A minibatch by its descriptor, in memory of its own: it outlives the task that read it. */
final class Load implements Function<String, MultiDataSet> {
    private static final long serialVersionUID = 1L;

    private final Loader loader;

    Load(Loader loader) {
        this.loader = loader;
    }

    @Override
    public MultiDataSet call(String descriptor) throws IOException {
        WorkerThreads.limit();
        MultiDataSet read = loader.load(descriptor);
        return new org.nd4j.linalg.dataset.MultiDataSet(copies(read.getFeatures()), copies(read.getLabels()),
                copies(read.getFeaturesMaskArrays()), copies(read.getLabelsMaskArrays()));
    }

    private static INDArray[] copies(INDArray[] arrays) {
        if (arrays == null) {
            return null;
        }
        INDArray[] copies = new INDArray[arrays.length];
        for (int i = 0; i < arrays.length; i++) {
            copies[i] = arrays[i] == null ? null : arrays[i].dup();
        }
        return copies;
    }
}
