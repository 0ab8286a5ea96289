package org.pydl4j.spark.data;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.pydl4j.Json;

/** A file of a dataset. A task that is tried again writes another one; those in the manifest are the ones that count. */
public final class FilePart implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long UNKNOWN = -1;

    public final String file;
    public final long rows;
    public final long bytes;
    private final long crc32;
    /** of its sequences, where those of a dataset are in buckets of similar lengths; else 0 */
    final int length;

    public FilePart(String file, long rows, long bytes, long crc32) {
        this(file, rows, bytes, crc32, 0);
    }

    private FilePart(String file, long rows, long bytes, long crc32, int length) {
        this.length = length;
        this.file = file;
        this.rows = rows;
        this.bytes = bytes;
        this.crc32 = crc32;
    }

    public FilePart(String file, long rows) {
        this(file, rows, UNKNOWN, UNKNOWN);
    }

    /** The same, of a bucket. */
    public FilePart ofLength(int steps) {
        return new FilePart(file, rows, bytes, crc32, steps);
    }

    public static String name(TaskContext task) {
        return "part-" + task.partitionId() + "-" + task.taskAttemptId() + ".arrow";
    }

    static FilePart of(JsonNode json) {
        return new FilePart(
                json.required("file").asText(),
                json.required("rows").asLong(),
                json.path("bytes").asLong(UNKNOWN),
                json.path("crc32").asLong(UNKNOWN),
                json.path("length").asInt(0));
    }

    ObjectNode toJson() {
        ObjectNode json = Json.object().put("file", file).put("rows", rows).put("bytes", bytes).put("crc32", crc32);
        return length == 0 ? json : json.put("length", length);
    }

    /** Whether it is known what the file has to be, byte for byte. */
    boolean isSealed() {
        return bytes != UNKNOWN;
    }

    void require(long foundBytes, long foundCrc32) {
        if (foundBytes != bytes) {
            throw new ArrowFormatException("it has " + foundBytes + " bytes; expected " + bytes + ": truncated, or overwritten");
        }
        if (foundCrc32 != crc32) {
            throw new ArrowFormatException("its contents are not what was written (CRC-32 " + Long.toHexString(foundCrc32) + "; expected "
                    + Long.toHexString(crc32) + "): damaged, or overwritten");
        }
    }
}
