package org.pydl4j;

/** A failure of our own, raised in Python as the class of {@code pydl4j.errors} that {@link #kind()} names. */
public final class PydlException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String kind;
    private final String path;

    public PydlException(String kind, String message) {
        this(kind, message, null, null);
    }

    /**
     * @param kind simple name of a class in pydl4j/errors.py
     * @param path the place in the user's configuration, as in {@code layers[3].n_out}, or null
     * @param cause what made it fail, or null
     */
    public PydlException(String kind, String message, String path, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.path = path;
    }

    public String kind() {
        return kind;
    }

    public String path() {
        return path;
    }
}
