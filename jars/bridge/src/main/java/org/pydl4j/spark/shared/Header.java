package org.pydl4j.spark.shared;

import java.nio.ByteOrder;
import java.util.UUID;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The front of each frame: {@code magic, version, kind, fit, epoch, sender, sequence, total, offset}, little endian. A message longer than what
 * the transport takes at once travels in several frames; {@code total} is the length of its body, {@code offset} where the frame's part begins.
 */
final class Header {
    static final int LENGTH = 56;

    private static final int MAGIC = 0x344C4450;
    private static final int VERSION = 1;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private static final int VERSION_AT = 4;
    private static final int KIND_AT = 6;
    private static final int FIT_AT = 8;
    private static final int EPOCH_AT = 24;
    private static final int SENDER_AT = 28;
    private static final int SEQUENCE_AT = 32;
    private static final int TOTAL_AT = 40;
    private static final int OFFSET_AT = 44;
    private static final int LONGEST_AT = 48;

    private Header() {}

    /** @param longest body that the sender may send, which must be the receiver's, too */
    static void write(UnsafeBuffer buffer, Epoch epoch, Message message, int offset, int longest) {
        buffer.putInt(0, MAGIC, ORDER);
        buffer.putShort(VERSION_AT, (short) VERSION, ORDER);
        buffer.putShort(KIND_AT, (short) message.kind.ordinal(), ORDER);
        buffer.putLong(FIT_AT, epoch.fit.getMostSignificantBits(), ORDER);
        buffer.putLong(FIT_AT + 8, epoch.fit.getLeastSignificantBits(), ORDER);
        buffer.putInt(EPOCH_AT, epoch.number, ORDER);
        buffer.putInt(SENDER_AT, message.sender, ORDER);
        buffer.putLong(SEQUENCE_AT, message.sequence, ORDER);
        buffer.putInt(TOTAL_AT, message.body.length, ORDER);
        buffer.putInt(OFFSET_AT, offset, ORDER);
        buffer.putLong(LONGEST_AT, longest, ORDER);
    }

    /** Why a frame cannot be taken, or null. Nothing is allocated for one that cannot. */
    static String refuse(DirectBuffer buffer, int at, int length, Epoch epoch, int longest) {
        if (length < LENGTH) {
            return length + " bytes, shorter than a header";
        }
        if (buffer.getInt(at, ORDER) != MAGIC) {
            return "not one of ours";
        }
        if (buffer.getShort(at + VERSION_AT, ORDER) != VERSION) {
            return "of version " + buffer.getShort(at + VERSION_AT, ORDER) + " where " + VERSION + " is spoken";
        }
        UUID fit = new UUID(buffer.getLong(at + FIT_AT, ORDER), buffer.getLong(at + FIT_AT + 8, ORDER));
        int number = buffer.getInt(at + EPOCH_AT, ORDER);
        if (!fit.equals(epoch.fit) || number != epoch.number) {
            return "of epoch " + fit + "/" + number + " where " + epoch + " is trained";
        }
        if (Kind.of(buffer.getShort(at + KIND_AT, ORDER)) == null) {
            return "of unknown kind " + buffer.getShort(at + KIND_AT, ORDER);
        }
        return refuseSizes(buffer, at, length, longest);
    }

    private static String refuseSizes(DirectBuffer buffer, int at, int length, int longest) {
        if (buffer.getLong(at + LONGEST_AT, ORDER) != longest) {
            return "for a network of other size";
        }
        int total = total(buffer, at);
        int offset = offset(buffer, at);
        if (total < 0 || total > longest || offset < 0 || offset > total || length - LENGTH > total - offset) {
            return "with " + (length - LENGTH) + " bytes at " + offset + " of " + total + ", at most " + longest;
        }
        return null;
    }

    static Kind kind(DirectBuffer buffer, int at) {
        return Kind.of(buffer.getShort(at + KIND_AT, ORDER));
    }

    static int sender(DirectBuffer buffer, int at) {
        return buffer.getInt(at + SENDER_AT, ORDER);
    }

    static long sequence(DirectBuffer buffer, int at) {
        return buffer.getLong(at + SEQUENCE_AT, ORDER);
    }

    static int total(DirectBuffer buffer, int at) {
        return buffer.getInt(at + TOTAL_AT, ORDER);
    }

    static int offset(DirectBuffer buffer, int at) {
        return buffer.getInt(at + OFFSET_AT, ORDER);
    }
}
