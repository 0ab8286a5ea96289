package org.pydl4j.spark.shared;

import org.agrona.DirectBuffer;
import org.pydl4j.PydlException;

/** Makes messages of frames; those of one sender come in order. Their headers were checked. */
final class Assembly {
    private byte[] body;
    private long sequence;
    private int filled;

    /** The message that the frame completes, or null. */
    Message add(DirectBuffer buffer, int at, int length) {
        int offset = Header.offset(buffer, at);
        int total = Header.total(buffer, at);
        long number = Header.sequence(buffer, at);
        int sender = Header.sender(buffer, at);
        if (offset == 0 && filled == 0) {
            body = new byte[total];
            sequence = number;
        }
        if (body == null || number != sequence || offset != filled || body.length != total) {
            throw new PydlException("CountMismatchError", "updates of worker " + sender + " were lost on the network: bytes " + offset
                    + " and on of message " + number + " came where bytes " + filled + " of message " + sequence + " were expected.");
        }
        int part = length - Header.LENGTH;
        buffer.getBytes(at + Header.LENGTH, body, filled, part);
        filled += part;
        if (filled < total) {
            return null;
        }
        Message message = new Message(Header.kind(buffer, at), sender, number, body);
        body = null;
        filled = 0;
        return message;
    }
}
