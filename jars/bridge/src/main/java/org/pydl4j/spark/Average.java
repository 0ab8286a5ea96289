package org.pydl4j.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.nn.Net;

/**
 * The average of the workers' states, each weighted by the minibatches that it trained. Summed in the order given, so that the same results
 * give the same average to the last bit.
 */
public final class Average {
    private Average() {}

    /** Returns how many updates are in what the network now holds. */
    static long into(Net network, List<WorkerResult> results) {
        average(network.params(), params(results), results);
        updaterInto(network, results);
        return results.stream().mapToLong(result -> result.updates).sum();
    }

    /** The updater's state and the counters alone. */
    public static void updaterInto(Net network, List<WorkerResult> results) {
        INDArray updater = network.updaterState();
        List<Bytes> states = updaters(results);
        if (updater != null && !states.isEmpty()) {
            average(updater, states, results);
        }
        network.setCounters(iterations(results), network.epochs());
    }

    /** As one worker's that trained all their minibatches; null where one of them has no state. */
    static NetState of(List<WorkerResult> results, DataType type) {
        if (results.stream().anyMatch(result -> result.state == null)) {
            return null;
        }
        List<Bytes> updaters = updaters(results);
        return new NetState(
                average(params(results), results, type),
                updaters.isEmpty() ? null : average(updaters, results, type),
                iterations(results),
                results.get(0).state.epochs);
    }

    private static Bytes average(List<Bytes> arrays, List<WorkerResult> results, DataType type) {
        INDArray target = Nd4j.createUninitialized(type, arrays.get(0).length() / type.width());
        average(target, arrays, results);
        Bytes bytes = Bytes.of(target);
        Arrays.close(target);
        return bytes;
    }

    private static void average(INDArray target, List<Bytes> arrays, List<WorkerResult> results) {
        int most = results.stream().mapToInt(result -> result.minibatches).max().orElseThrow();
        double weights = 0;
        INDArray next = Nd4j.createUninitialized(target.dataType(), target.shape(), target.ordering());
        for (int i = 0; i < arrays.size(); i++) {
            INDArray into = i == 0 ? target : next;
            arrays.get(i).copyTo(into);
            double weight = results.get(i).minibatches / (double) most; // exactly 1 where all trained the same number
            if (weight != 1) {
                into.muli(weight);
            }
            if (i > 0) {
                target.addi(next);
            }
            weights += weight;
        }
        if (weights != 1) {
            target.divi(weights);
        }
        Arrays.close(next);
    }

    private static List<Bytes> params(List<WorkerResult> results) {
        List<Bytes> params = new ArrayList<>();
        results.forEach(result -> params.add(result.state.params));
        return params;
    }

    /** Empty where workers keep the updater's state to themselves, or have none. */
    private static List<Bytes> updaters(List<WorkerResult> results) {
        List<Bytes> updaters = new ArrayList<>();
        results.forEach(result -> updaters.add(result.state.updater));
        updaters.removeIf(Objects::isNull);
        return updaters;
    }

    private static int iterations(List<WorkerResult> results) {
        return results.stream().mapToInt(result -> result.state.iterations).max().orElseThrow();
    }
}
