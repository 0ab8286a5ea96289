package org.pydl4j.spark;

import java.util.ArrayList;
import java.util.List;
import org.pydl4j.PydlException;

/** What the workers' results of an epoch say was trained. */
public final class Tally {
    public int rounds;
    public int minibatches;
    /** that trained side by side; 0 where nobody counts them */
    public int workers;
    /** that networks were fitted to */
    public long examples;
    /** examples that the workers' loaders read */
    long loaded;
    /** updates that workers made of their minibatches */
    long sent;
    /** updates that the driver's network holds */
    public long applied;
    private double scoreSum;
    /** of each round, where they are asked for */
    public final List<RoundTimes> times = new ArrayList<>();

    /** Of an epoch that goes on. */
    public static Tally of(int workers, int minibatches, long examples, double score) {
        Tally tally = new Tally();
        tally.workers = workers;
        tally.minibatches = minibatches;
        tally.examples = examples;
        tally.scoreSum = score;
        return tally;
    }

    public void add(List<WorkerResult> results) {
        rounds++;
        for (WorkerResult result : results) {
            minibatches += result.minibatches;
            examples += result.examples;
            loaded += result.loaded;
            sent += result.updates;
            scoreSum += result.score;
        }
    }

    /** Mean over the examples. */
    public double score() {
        return scoreSum / examples;
    }

    /** That nothing was lost on the way, nor came twice. */
    public void require(int handedIn, long rows) {
        if (minibatches != handedIn) {
            throw mismatch("the workers trained " + minibatches + " minibatches of the " + handedIn + " that were handed in");
        }
        if (loaded != rows || examples != rows) {
            throw mismatch("the workers read " + loaded + " examples and trained " + examples + " of the " + rows + " that were given");
        }
        if (applied != sent) {
            throw mismatch("the network holds " + applied + " of the " + sent + " updates that workers made");
        }
    }

    private static PydlException mismatch(String what) {
        return new PydlException("CountMismatchError", what + ". The network was put back to where it was before the epoch.");
    }

    public void requireFinite() {
        if (!Double.isFinite(scoreSum)) {
            throw new PydlException("NaNScoreError", "the score became " + scoreSum + " in round " + rounds + " of this epoch. The network was "
                    + "put back to where it was before the epoch. Expected a finite score: try a smaller learning rate, "
                    + "gradient_normalization, or a normalizer for the features.");
        }
    }
}
