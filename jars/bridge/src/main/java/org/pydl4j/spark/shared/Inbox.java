package org.pydl4j.spark.shared;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Messages that wait, bounded by whoever fills it: he looks for room first, so that nobody is blocked with a message half delivered. */
final class Inbox {
    private final Queue<Message> messages = new ConcurrentLinkedQueue<>();
    private final AtomicLong weight = new AtomicLong();
    private final long most;

    Inbox(long most) {
        this.most = most;
    }

    boolean hasRoom() {
        return weight.get() < most;
    }

    void add(Message message) {
        weight.addAndGet(message.weight());
        messages.add(message);
    }

    Message peek() {
        return messages.peek();
    }

    Message poll() {
        Message message = messages.poll();
        if (message != null) {
            weight.addAndGet(-message.weight());
        }
        return message;
    }
}
