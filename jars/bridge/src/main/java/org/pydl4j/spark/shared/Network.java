package org.pydl4j.spark.shared;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;

/** A node's connections to the nodes of other JVMs, all on one thread. */
final class Network implements Runnable, AutoCloseable {
    private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_MILLIS = 10_000;
    private static final int POLL = 10;
    /** what every network carries in one piece, and what a machine does within itself */
    private static final int MTU = 1408;
    private static final int LOOPBACK_MTU = 8 << 10;
    /** so that a few updates wait for each node while it is busy */
    private static final int WAITING = 4;
    private static final long LEAST_WAITING = 1 << 20;

    private final Node node;
    private final Wire wire;
    private final Subscription data;
    private final Subscription control;
    private final String host;
    private final int stream;
    private final long most;
    private final List<Outlet> dataOut = new CopyOnWriteArrayList<>();
    private final List<Outlet> controlOut = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Assembly> dataIn = new HashMap<>();
    private final Map<Integer, Assembly> controlIn = new HashMap<>();
    private final AtomicLong refused = new AtomicLong();
    private final Thread thread;
    private volatile String lastRefused = "none";
    private volatile boolean closing;
    private long heartbeat;

    /** @param peers how many nodes may send at the same time */
    Network(Node node, Place place, String host, String ip, Ports ports, int stream, int peers) {
        this.node = node;
        this.host = host;
        this.stream = stream;
        most = Math.max(LEAST_WAITING, (long) WAITING * node.longest);
        wire = new Wire(place, peers, node::fail);
        try {
            data = wire.listen(ip, ports, stream);
            control = wire.listenToo(stream + 1);
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
        thread = new Thread(this, "pydl4j-mesh-" + node.id);
        thread.setDaemon(true);
    }

    int port() {
        return Wire.port(data);
    }

    void start() {
        thread.start();
    }

    /** Updates go to the nodes of {@code receivers}, everything else to those of {@code controllers}. */
    void connect(List<NodeAddress> receivers, List<NodeAddress> controllers, int term) {
        receivers.forEach(to -> dataOut.add(outlet(to, stream, term)));
        controllers.forEach(to -> controlOut.add(outlet(to, stream + 1, Plan.CONTROL_TERM)));
        LockSupport.unpark(thread);
    }

    private Outlet outlet(NodeAddress to, int stream, int term) {
        int mtu = to.host.equals(host) ? LOOPBACK_MTU : MTU;
        Outlet outlet = new Outlet(to, node.epoch, node.longest, most);
        commands.add(() -> {
            outlet.open(wire.publish(to, stream, term, mtu));
            heartbeat = 0; // at once
        });
        return outlet;
    }

    /** Those that were not reached yet. */
    List<NodeAddress> unreached() {
        List<NodeAddress> unreached = new ArrayList<>();
        for (List<Outlet> outlets : List.of(dataOut, controlOut)) {
            for (Outlet outlet : outlets) {
                if (!outlet.reached() && !unreached.contains(outlet.to)) {
                    unreached.add(outlet.to);
                }
            }
        }
        return unreached;
    }

    /** The node that has no room for another update, or null. */
    NodeAddress full() {
        for (Outlet outlet : dataOut) {
            if (!outlet.hasRoom()) {
                return outlet.to;
            }
        }
        return null;
    }

    void send(Message message) {
        for (Outlet outlet : dataOut) {
            outlet.add(message);
        }
        LockSupport.unpark(thread);
    }

    void say(Message message) {
        for (Outlet outlet : controlOut) {
            outlet.add(message);
        }
        LockSupport.unpark(thread);
    }

    long refused() {
        return refused.get();
    }

    String lastRefused() {
        return lastRefused;
    }

    Throwable trouble() {
        return wire.trouble();
    }

    @Override
    public void run() {
        BackoffIdleStrategy idle = new BackoffIdleStrategy(10, 10, TimeUnit.MICROSECONDS.toNanos(10), TimeUnit.MILLISECONDS.toNanos(1));
        FragmentAssembler toData = new FragmentAssembler(receiver(true));
        FragmentAssembler toControl = new FragmentAssembler(receiver(false));
        try {
            while (!closing) {
                idle.idle(turn(toData, toControl));
            }
        } catch (Throwable t) { // whoever waits for this node hears of it
            node.fail(t);
        } finally {
            wire.close();
        }
    }

    private int turn(FragmentHandler toData, FragmentHandler toControl) {
        int work = wire.work();
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        work += control.poll(toControl, POLL);
        if (node.full() == null) { // else the senders wait
            work += data.poll(toData, POLL);
        }
        long now = System.nanoTime();
        if (now - heartbeat > HEARTBEAT_NANOS) {
            heartbeat = now;
            beat();
        }
        for (Outlet outlet : controlOut) {
            work += outlet.flush(now);
        }
        for (Outlet outlet : dataOut) {
            work += outlet.flush(now);
        }
        return work;
    }

    private void beat() {
        for (Outlet outlet : controlOut) {
            if (outlet.isEmpty()) {
                outlet.add(node.heartbeat());
            }
        }
    }

    private FragmentHandler receiver(boolean updates) {
        return (buffer, at, length, header) -> {
            try {
                receive(updates, buffer, at, length);
            } catch (RuntimeException e) {
                node.fail(e);
            }
        };
    }

    private void receive(boolean updates, DirectBuffer buffer, int at, int length) {
        String reason = Header.refuse(buffer, at, length, node.epoch, node.longest);
        if (reason == null && (Header.kind(buffer, at) == Kind.UPDATE || Header.kind(buffer, at) == Kind.END) != updates) {
            reason = "on the wrong stream";
        }
        if (reason != null) {
            refused.incrementAndGet();
            lastRefused = reason;
            return;
        }
        Assembly assembly = (updates ? dataIn : controlIn).computeIfAbsent(Header.sender(buffer, at), sender -> new Assembly());
        Message message = assembly.add(buffer, at, length);
        if (message != null && updates) {
            node.deliver(message);
        } else if (message != null) {
            node.hear(message);
        }
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        if (thread.getState() == Thread.State.NEW) {
            wire.close();
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
