package org.pydl4j.spark.data;

import java.io.Serializable;

/** Some rows of a dataset as an Arrow IPC file in memory, for clusters without storage that all see. */
public final class Block implements Serializable {
    private static final long serialVersionUID = 1L;

    /** So much at a time goes into one: an element of an RDD is held in memory where it is written and read. */
    public static final int BYTES = 8 << 20;

    public final long rows;
    public final byte[] file;

    public Block(long rows, byte[] file) {
        this.rows = rows;
        this.file = file;
    }
}
