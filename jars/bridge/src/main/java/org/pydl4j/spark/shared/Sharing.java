package org.pydl4j.spark.shared;

import org.deeplearning4j.optimize.api.StepFunction;
import org.deeplearning4j.optimize.solvers.accumulation.GradientsAccumulator;
import org.deeplearning4j.optimize.solvers.accumulation.IndexedTail;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.spark.Arrays;

/**
 * What a worker's network calls with each of its updates: they are sent to all, and it steps by what was sent and by what came from others, as
 * with DL4J's EncodedGradientsAccumulator. Used by one thread; serialized never.
 */
final class Sharing implements GradientsAccumulator {
    private static final long serialVersionUID = 1L;

    private final transient Member member;
    private final transient Encoder encoder;
    private final transient Runnable pulse;
    private final long patience;
    private transient byte[] own;
    /** what came while this worker waited to send */
    private transient INDArray early;
    private transient boolean anyEarly;

    /** @param pulse called while the worker waits; throws when it shall not go on */
    Sharing(Member member, Encoder encoder, long patience, Runnable pulse) {
        this.member = member;
        this.encoder = encoder;
        this.patience = patience;
        this.pulse = pulse;
    }

    @Override
    public void storeUpdate(INDArray update, int iteration, int epoch) {
        own = encoder.encode(update, iteration, epoch);
        member.publish(own, patience, () -> {
            pulse.run();
            takeEarly(update);
        });
    }

    private void takeEarly(INDArray like) {
        for (Message message = member.poll(); message != null; message = member.poll()) {
            if (early == null) {
                early = Updates.own(() -> Nd4j.create(like.dataType(), like.length()));
            }
            Updates.decode(message.body, early);
            anyEarly = true;
        }
    }

    @Override
    public void applyUpdate(StepFunction function, INDArray params, INDArray updates, boolean isFinalStep) {
        Nd4j.getMemoryManager().memset(updates);
        boolean any = own != null || anyEarly;
        if (own != null) {
            Updates.decode(own, updates);
            own = null;
        }
        if (anyEarly) {
            updates.addi(early);
            Nd4j.getMemoryManager().memset(early);
            anyEarly = false;
        }
        for (Message message = member.poll(); message != null; message = member.poll()) {
            Updates.decode(message.body, updates);
            any = true;
        }
        if (any) {
            function.step(params, updates);
        }
    }

    @Override
    public void applyUpdate(StepFunction function, INDArray params, INDArray updates, double alpha) {
        throw new UnsupportedOperationException("gradient sharing steps by stochastic gradient descent alone");
    }

    /** Gives its memory back. */
    void close() {
        Arrays.close(early);
    }

    @Override
    public void setExternalSource(IndexedTail source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public IndexedTail getExternalSource() {
        return null;
    }

    @Override
    public void receiveUpdate(INDArray update) {
        throw new UnsupportedOperationException("updates come from the mesh");
    }

    @Override
    public void markExternalUpdates(boolean available) {
        // what has come is looked at in each step
    }

    @Override
    public void reset() {
        own = null;
    }

    @Override
    public void touch() {
        // one worker, one thread
    }

    /** Before each forward pass; what has come is applied in the step after it, so that an iteration has one. */
    @Override
    public boolean hasAnything() {
        return false;
    }
}
