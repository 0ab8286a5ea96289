package org.pydl4j.spark.shared;

/** One message, whole. */
final class Message {
    /** the driver as a member: it receives, and applies; workers are counted from 0 */
    static final int DRIVER = -1;

    private static final byte[] NOTHING = {};

    final Kind kind;
    final int sender;
    final long sequence;
    final byte[] body;

    Message(Kind kind, int sender, long sequence, byte[] body) {
        this.kind = kind;
        this.sender = sender;
        this.sequence = sequence;
        this.body = body;
    }

    static Message of(Kind kind, int sender, long sequence) {
        return new Message(kind, sender, sequence, NOTHING);
    }

    /** What it counts for in a queue. */
    long weight() {
        return Header.LENGTH + (long) body.length;
    }
}
