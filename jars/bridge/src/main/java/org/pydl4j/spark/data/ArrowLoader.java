package org.pydl4j.spark.data;

import java.io.IOException;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Minibatches of Arrow files, by {@link Descriptor}. */
public final class ArrowLoader implements Loader {
    private static final long serialVersionUID = 1L;

    @Override
    public MultiDataSet load(String descriptor) throws IOException {
        Descriptor wanted = Descriptor.parse(descriptor);
        return ArrowDataset.open(wanted.manifest).minibatch(wanted);
    }
}
