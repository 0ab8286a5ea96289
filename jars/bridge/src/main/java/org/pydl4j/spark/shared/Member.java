package org.pydl4j.spark.shared;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.pydl4j.PydlException;

/** A worker, or the driver, in the mesh. Used by one thread; others may ask for its counts. */
final class Member implements AutoCloseable {
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    final int id;
    final Inbox inbox;
    private final Node node;
    private final Map<Integer, Sender> senders = new ConcurrentHashMap<>();
    private long sent;

    /** What came from a worker. */
    private static final class Sender {
        volatile long received;
        volatile boolean ended;
    }

    Member(Node node, int id, long most) {
        this.node = node;
        this.id = id;
        inbox = new Inbox(most);
    }

    String name() {
        return id == Message.DRIVER ? "the driver" : "worker " + id;
    }

    /**
     * Sends an update to all other members, when they have room for it.
     *
     * @param meanwhile what to do until then; it must take what comes in, or two members that wait for each other would wait for ever
     * @param patience how long that may last
     */
    void publish(byte[] update, long patience, Runnable meanwhile) {
        if (update.length > node.longest) {
            throw new IllegalArgumentException(update.length + " bytes, longer than the longest update of " + node.longest);
        }
        long began = System.nanoTime();
        for (String full = node.full(this); full != null; full = node.full(this)) {
            if (System.nanoTime() - began > patience) {
                throw new PydlException("ExecutorLostError", full + " took no updates of " + name() + " for "
                        + TimeUnit.NANOSECONDS.toSeconds(patience) + " s (update_timeout)");
            }
            meanwhile.run();
            node.check();
            nap();
        }
        node.check();
        node.send(this, new Message(Kind.UPDATE, id, sent, update));
        sent++;
    }

    /** Says that all updates were sent. */
    void end() {
        node.send(this, Message.of(Kind.END, id, sent));
    }

    /** The next update of another worker, or null; updates come whole and in their order, or not at all. */
    Message poll() {
        Message message = inbox.poll();
        if (message == null) {
            return null;
        }
        Sender sender = senders.computeIfAbsent(message.sender, number -> new Sender());
        if (sender.ended || message.sequence != sender.received) {
            throw new PydlException("CountMismatchError", name() + " received update " + message.sequence + " of worker " + message.sender
                    + " where " + sender.received + " was expected: updates were lost on the network.");
        }
        if (message.kind == Kind.END) {
            sender.ended = true;
            return poll();
        }
        sender.received++;
        return message;
    }

    long sent() {
        return sent;
    }

    long received(int sender) {
        Sender from = senders.get(sender);
        return from == null ? 0 : from.received;
    }

    long received() {
        return senders.values().stream().mapToLong(sender -> sender.received).sum();
    }

    /** Whether a worker has ended, and all that it sent has come. */
    boolean hasAll(int sender) {
        Sender from = senders.get(sender);
        return from != null && from.ended;
    }

    /** Whether all others of so many workers have. */
    boolean hasAllOf(int workers) {
        for (int worker = 0; worker < workers; worker++) {
            if (worker != id && !hasAll(worker)) {
                return false;
            }
        }
        return true;
    }

    static void nap() {
        LockSupport.parkNanos(NAP_NANOS);
    }

    @Override
    public void close() {
        node.leave(this);
    }
}
