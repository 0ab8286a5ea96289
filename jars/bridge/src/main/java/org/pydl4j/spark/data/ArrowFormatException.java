package org.pydl4j.spark.data;

/** An Arrow file that is damaged, or that holds what we do not read. The message completes "the file ... is unusable:". */
final class ArrowFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ArrowFormatException(String message) {
        super(message);
    }
}
