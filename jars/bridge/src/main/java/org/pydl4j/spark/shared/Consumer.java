package org.pydl4j.spark.shared;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.StepFunction;
import org.deeplearning4j.optimize.stepfunctions.NegativeGradientStepFunction;
import org.deeplearning4j.optimize.stepfunctions.StepFunctions;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.Arrays;

/**
 * The driver as a member of the mesh: steps its network by every update of every worker, as many at a time as have come, on a thread of its own.
 * As DL4J's UpdatesConsumer, which waits for 32.
 */
final class Consumer implements Runnable, AutoCloseable {
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long CLOSE_MILLIS = 10_000;

    private final Node node;
    private final Member member;
    private final INDArray params;
    private final StepFunction function;
    private final int workers;
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean complete;

    Consumer(Node node, Net network, int workers) {
        this.node = node;
        this.workers = workers;
        params = network.params();
        function = function(network.model());
        member = node.join(Message.DRIVER);
        thread = new Thread(this, "pydl4j-updates-" + node.id);
        thread.setDaemon(true);
        thread.start();
    }

    /** As the network's own solver. */
    private static StepFunction function(Model model) {
        StepFunction configured = StepFunctions.createStepFunction(model.conf().getStepFunction());
        return configured == null ? new NegativeGradientStepFunction() : configured;
    }

    @Override
    public void run() {
        INDArray updates = Nd4j.create(params.dataType(), params.length());
        try {
            while (!closing) {
                if (apply(updates) == 0) {
                    complete = member.hasAllOf(workers);
                    LockSupport.parkNanos(NAP_NANOS);
                }
            }
        } catch (RuntimeException e) {
            node.fail(e);
        } finally {
            Arrays.close(updates);
        }
    }

    private int apply(INDArray updates) {
        int count = 0;
        for (Message message = member.poll(); message != null; message = member.poll()) {
            Updates.decode(message.body, updates);
            count++;
        }
        if (count > 0) {
            function.step(params, updates);
            Nd4j.getMemoryManager().memset(updates);
        }
        return count;
    }

    /** Whether every worker has ended and all its updates are in the network. */
    boolean isComplete() {
        return complete;
    }

    /** Of one worker; exact once the consumer is complete or closed. */
    long applied(int worker) {
        return member.received(worker);
    }

    /** When this returns, nothing touches the network any more. */
    @Override
    public void close() {
        closing = true;
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        member.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException("updates are still applied after " + CLOSE_MILLIS + " ms");
        }
    }
}
