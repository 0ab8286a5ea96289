package org.pydl4j;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.ExecutionException;
import org.deeplearning4j.exception.DL4JInvalidConfigException;
import org.deeplearning4j.exception.DL4JInvalidInputException;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.databind.node.ObjectNode;

/** Turns any Throwable into the JSON from which Python raises its own exception. */
public final class Failures {
    private Failures() {}

    /** {@code {kind, class, message, path, stack, worker_log}}; {@code kind} names a class of pydl4j/errors.py. */
    public static String describe(Throwable thrown) {
        return toJson(thrown).toString();
    }

    public static ObjectNode toJson(Throwable thrown) {
        Throwable failure = cause(thrown);
        ObjectNode json = Json.object();
        json.put("kind", kind(failure));
        json.put("class", failure.getClass().getName());
        json.put("message", message(failure));
        json.put("path", failure instanceof PydlException ? ((PydlException) failure).path() : null);
        json.put("stack", stack(thrown));
        json.put("worker_log", WorkerLines.of(thrown));
        return json;
    }

    /** The failure worth showing: our own wherever it is in the chain, else the first that is not a mere wrapper. */
    private static Throwable cause(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof PydlException || t instanceof JsonProcessingException) {
                return t;
            }
        }
        Throwable failure = thrown;
        while (isWrapper(failure) && failure.getCause() != null) {
            failure = failure.getCause();
        }
        return failure;
    }

    private static boolean isWrapper(Throwable t) {
        return t instanceof ExecutionException
                || t.getClass() == RuntimeException.class
                || t instanceof ExceptionInInitializerError;
    }

    private static String kind(Throwable failure) {
        if (failure instanceof PydlException) {
            return ((PydlException) failure).kind();
        }
        if (failure instanceof DL4JInvalidInputException) {
            return "ShapeError";
        }
        if (failure instanceof DL4JInvalidConfigException || failure instanceof JsonProcessingException) {
            return "ConfigError";
        }
        if (failure instanceof OutOfMemoryError || failure instanceof UnsatisfiedLinkError) {
            return "NativeError";
        }
        if (failure instanceof NoClassDefFoundError || failure instanceof ClassNotFoundException) {
            return "JarError";
        }
        return "JvmError";
    }

    private static String message(Throwable failure) {
        String text = failure.getMessage() == null ? "no message" : failure.getMessage();
        if (failure instanceof PydlException || failure instanceof DL4JInvalidConfigException) {
            return text;
        }
        if (failure instanceof OutOfMemoryError) {
            return "out of memory in the JVM: " + text
                    + ". Use a smaller batch_size, or more memory: pydl4j.configure_jvm(heap=..., off_heap=...)";
        }
        return failure.getClass().getSimpleName() + ": " + text;
    }

    private static String stack(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
