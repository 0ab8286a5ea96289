package org.pydl4j.spark.frame;

/** A value that cannot be trained on; whoever knows the row adds where it is. */
final class BadCell extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadCell(String message) {
        super(message, null, false, false);
    }
}
