package org.pydl4j.spark.shared;

import java.io.Serializable;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.Json;
import org.pydl4j.PydlException;
import org.pydl4j.nn.Net;
import org.pydl4j.nn.Seeds;
import org.pydl4j.spark.Blueprint;
import org.pydl4j.spark.Lesson;
import org.pydl4j.spark.NetPool;
import org.pydl4j.spark.NetState;
import org.pydl4j.spark.WorkerResult;
import org.pydl4j.spark.WorkerThreads;
import org.pydl4j.spark.WorkerTimes;
import org.pydl4j.spark.data.Loader;
import scala.collection.Iterator;
import scala.collection.JavaConverters;
import scala.runtime.AbstractFunction1;

/**
 * One worker's epoch, as a task of a barrier stage: meets the others, trains its minibatches, shares each update, and leaves when everybody has
 * everything.
 */
final class SharedWorker extends AbstractFunction1<Iterator<String>, Iterator<SharedResult>> implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** the driver gives up long before, so this is one that is gone, or cut off */
    private static final long DRIVER_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Call call;
    private final Settings settings;
    private final Blueprint blueprint;
    private final Broadcast<NetState> start;
    private final Loader loader;

    SharedWorker(Call call, Settings settings, Blueprint blueprint, Broadcast<NetState> start, Loader loader) {
        this.call = call;
        this.settings = settings;
        this.blueprint = blueprint;
        this.start = start;
        this.loader = loader;
    }

    @Override
    public Iterator<SharedResult> apply(Iterator<String> descriptors) {
        BarrierTaskContext task = BarrierTaskContext.get();
        if (task.stageAttemptNumber() > 0) {
            throw new PydlException("ExecutorLostError",
                    "workers of this epoch were lost, and it cannot go on from the middle: what they sent is in the network already");
        }
        try {
            SharedResult result = work(task, JavaConverters.asJavaIteratorConverter(descriptors).asJava());
            return JavaConverters.asScalaIteratorConverter(List.of(result).iterator()).asScala();
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            task.killTaskIfInterrupted();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e); // Spark's log shows the cause
        }
    }

    private SharedResult work(BarrierTaskContext task, java.util.Iterator<String> descriptors) throws Exception {
        WorkerThreads.limit();
        Epoch epoch = call.epoch();
        Node node = Nodes.enter(epoch, this::listen);
        Signals signals = new Signals();
        Runnable pulse = () -> pulse(task, node);
        try (Member member = node.join(task.partitionId())) {
            new Rendezvous(call, node, member.id, signals, pulse).meet();
            return train(node, member, signals, pulse, descriptors);
        } finally {
            Nodes.leave(epoch);
        }
    }

    private Node listen() {
        if (call.driver == null) {
            throw new PydlException("TrainingError", "this worker was started for an epoch that has ended");
        }
        NodeAddress driver = NodeAddress.parse(Json.parse(call.driver));
        Node node;
        try {
            node = listen(Addresses.towards(driver.ip, settings.mask), settings.ports);
        } catch (PydlException e) {
            node = listen(Addresses.towards(driver.ip, null), Ports.any()); // so that the driver hears of it, and of all others' troubles
            node.trouble(e.getMessage());
        }
        node.control(driver);
        return node;
    }

    private Node listen(InetAddress ip, Ports ports) {
        return Node.listening(call.epoch(), call.longest, SparkEnv.get().executorId(), ip, ports, settings.stream, call.workers);
    }

    private SharedResult train(
            Node node, Member member, Signals signals, Runnable pulse, java.util.Iterator<String> descriptors) throws Exception {
        WorkerTimes times = new WorkerTimes();
        long began = System.nanoTime();
        Epoch epoch = call.epoch();
        NetPool pool = blueprint.pool();
        Net network = pool.take();
        start.value().copyTo(network);
        // ND4J's random state belongs to the thread, and which thread that is is Spark's affair
        Nd4j.getRandom().setSeed(Seeds.noise(network) + member.id);
        times.receive = WorkerTimes.since(began);
        Sharing sharing = new Sharing(member, Encoder.of(epoch, member.id, settings), settings.updateNanos, pulse);
        network.setGradientsAccumulator(sharing);
        WorkerResult result;
        try (Lesson lesson = new Lesson(network, descriptors, loader, settings.prefetch, times)) {
            run(lesson, node, member, pulse);
            boolean finite = lesson.endsFinite();
            long ended = System.nanoTime();
            drain(node, member, signals, pulse);
            long drained = System.nanoTime();
            times.drain = (drained - ended) / 1e9;
            NetState state = finite ? NetState.ofUpdater(network) : null;
            times.serialize = WorkerTimes.since(drained);
            result = lesson.result(state, member.sent());
        } finally {
            network.setGradientsAccumulator(null);
            sharing.close();
        }
        pool.giveBack(network); // not after a failure
        return new SharedResult(member.id, result, received(member), Addresses.hostName());
    }

    private void run(Lesson lesson, Node node, Member member, Runnable pulse) throws Exception {
        long told = 0;
        while (lesson.hasNext()) {
            pulse.run();
            lesson.next();
            if (System.nanoTime() - told > TELL_NANOS) {
                told = System.nanoTime();
                node.say(progress(lesson, member, false));
            }
        }
        node.say(progress(lesson, member, true));
        member.end();
    }

    private static Message progress(Lesson lesson, Member member, boolean last) {
        ByteBuffer body = ByteBuffer.allocate(3 * Long.BYTES + 1)
                .putLong(lesson.trained())
                .putLong(lesson.examples())
                .putDouble(lesson.score())
                .put((byte) (last ? 1 : 0));
        return new Message(Kind.PROGRESS, member.id, member.sent(), body.array());
    }

    /** Nobody leaves before everybody has what he sent: what is still under way would be lost with him. */
    private void drain(Node node, Member member, Signals signals, Runnable pulse) {
        boolean told = false;
        while (!signals.drained()) {
            pulse.run();
            Message message = member.poll();
            if (!told && member.hasAllOf(call.workers)) {
                told = true;
                node.say(Message.of(Kind.RECEIVED, member.id, member.sent()));
            }
            if (message == null) {
                Member.nap();
            }
        }
    }

    private long[] received(Member member) {
        long[] received = new long[call.workers];
        for (int worker = 0; worker < received.length; worker++) {
            received[worker] = worker == member.id ? member.sent() : member.received(worker);
        }
        return received;
    }

    private void pulse(BarrierTaskContext task, Node node) {
        task.killTaskIfInterrupted();
        node.check();
        if (call.driver != null) {
            Long heard = node.heard(call.driverId);
            if (heard != null && System.nanoTime() - heard > DRIVER_NANOS) {
                throw new PydlException("ExecutorLostError", "the driver was not heard of for "
                        + TimeUnit.NANOSECONDS.toSeconds(DRIVER_NANOS) + " s at " + node.address());
            }
        }
    }
}
