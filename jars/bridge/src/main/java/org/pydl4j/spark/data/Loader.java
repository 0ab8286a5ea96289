package org.pydl4j.spark.data;

import java.io.IOException;
import java.io.Serializable;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Makes the minibatch that a descriptor stands for, on an executor. Features may lie in memory that is looked at again. */
@FunctionalInterface
public interface Loader extends Serializable {
    MultiDataSet load(String descriptor) throws IOException;
}
