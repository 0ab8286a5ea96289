package org.pydl4j.spark.data;

import java.io.IOException;
import org.deeplearning4j.core.loader.DataSetLoader;
import org.nd4j.common.loader.Source;
import org.nd4j.linalg.dataset.DataSet;

/** Makes the minibatch that a {@link Descriptor} stands for. The source's stream is never opened: the file is mapped. */
public final class ArrowDataSetLoader implements DataSetLoader {
    private static final long serialVersionUID = 1L;

    @Override
    public DataSet load(Source source) throws IOException {
        Descriptor wanted = Descriptor.parse(source.getPath());
        return ArrowDataset.open(wanted.manifest).minibatch(wanted.from, wanted.rows, wanted.order);
    }
}
