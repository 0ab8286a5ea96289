package org.pydl4j.spark.shared;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.pydl4j.PydlException;

/** What waits to be sent to another node on one stream. Filled by any thread, emptied by the network's. */
final class Outlet {
    private static final int AT_ONCE = 16;
    private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(30);

    final NodeAddress to;
    private final Epoch epoch;
    private final int longest;
    private final Inbox waiting;
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[Header.LENGTH]);
    private final UnsafeBuffer body = new UnsafeBuffer(0, 0);
    private ExclusivePublication publication;
    private int offset;
    private volatile boolean reached;
    private long connected;

    Outlet(NodeAddress to, Epoch epoch, int longest, long most) {
        this.to = to;
        this.epoch = epoch;
        this.longest = longest;
        waiting = new Inbox(most);
    }

    void open(ExclusivePublication publication) {
        this.publication = publication;
    }

    boolean hasRoom() {
        return waiting.hasRoom();
    }

    boolean isEmpty() {
        return waiting.peek() == null;
    }

    void add(Message message) {
        waiting.add(message);
    }

    /** Whether it was connected once. */
    boolean reached() {
        return reached;
    }

    int flush(long now) {
        if (publication == null) {
            return 0;
        }
        if (publication.isConnected()) {
            reached = true;
            connected = now;
        } else if (reached && now - connected > GONE_NANOS) {
            throw new PydlException("ExecutorLostError", "the connection to " + to + " was lost and did not come back for "
                    + TimeUnit.NANOSECONDS.toSeconds(GONE_NANOS) + " s");
        }
        int sent = 0;
        while (sent < AT_ONCE && send()) {
            sent++;
        }
        return sent;
    }

    private boolean send() {
        Message message = waiting.peek();
        if (message == null) {
            return false;
        }
        int part = Math.min(publication.maxMessageLength() - Header.LENGTH, message.body.length - offset);
        Header.write(header, epoch, message, offset, longest);
        body.wrap(message.body);
        long position = publication.offer(header, 0, Header.LENGTH, body, offset, part);
        if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
            throw new IllegalStateException("the connection to " + to + " cannot be used any more (" + position + ")");
        }
        if (position < 0) {
            return false; // not now
        }
        offset += part;
        if (offset == message.body.length) {
            waiting.poll();
            offset = 0;
        }
        return true;
    }
}
