package org.pydl4j.spark;

/** Not thrown: the cause of an error that tells of a lost executor, by which its log is found. */
public final class LostExecutor extends Exception {
    private static final long serialVersionUID = 1L;

    final String id;

    /** @param cause may be null */
    public LostExecutor(String id, Throwable cause) {
        super("executor " + id, cause, false, false);
        this.id = id;
    }

    /** Among the causes of a failure; null for none. */
    static LostExecutor of(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof LostExecutor) {
                return (LostExecutor) t;
            }
        }
        return null;
    }
}
