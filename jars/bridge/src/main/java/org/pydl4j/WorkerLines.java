package org.pydl4j;

/** Not thrown: travels as a suppressed exception with the failure of a task, and says where it happened and what was logged there before. */
public final class WorkerLines extends Exception {
    private static final long serialVersionUID = 1L;

    private final String place;
    private final String lines;

    public WorkerLines(String place, String lines) {
        super(place, null, false, false);
        this.place = place;
        this.lines = lines;
    }

    /** With the causes of a failure, to where it is shown; null where none has any. */
    static String of(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            for (Throwable attached : t.getSuppressed()) {
                if (attached instanceof WorkerLines) {
                    WorkerLines found = (WorkerLines) attached;
                    return found.place + (found.lines.isEmpty() ? " logged nothing" : ":\n" + found.lines);
                }
            }
        }
        return null;
    }
}
