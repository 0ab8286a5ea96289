package org.pydl4j.spark;

import java.util.List;
import org.pydl4j.PydlException;

/** What the workers' results of an epoch say was trained. */
final class Tally {
    int rounds;
    int minibatches;
    long examples;
    private double scoreSum;
    /** seconds that the driver spent: handing the state out, waiting for workers, averaging */
    double broadcastSeconds;
    double workersSeconds;
    double averageSeconds;
    /** the longest that a worker trained in each round, summed */
    double fitSeconds;

    void add(List<WorkerResult> results) {
        rounds++;
        double longest = 0;
        for (WorkerResult result : results) {
            minibatches += result.minibatches;
            examples += result.examples;
            scoreSum += result.score;
            longest = Math.max(longest, result.seconds);
        }
        fitSeconds += longest;
    }

    /** Mean over the examples. */
    double score() {
        return scoreSum / examples;
    }

    void require(int handedIn) {
        if (minibatches != handedIn) {
            throw new PydlException("CountMismatchError", "the workers trained " + minibatches + " minibatches of the " + handedIn
                    + " that were handed in. The network holds what they trained; treat this epoch as incomplete.");
        }
    }

    void requireFinite() {
        if (!Double.isFinite(scoreSum)) {
            throw new PydlException("NaNScoreError", "the score became " + scoreSum + " in round " + rounds + " of this epoch. The network was "
                    + "put back to where it was before the epoch. Expected a finite score: try a smaller learning rate, "
                    + "gradient_normalization, or a normalizer for the features.");
        }
    }
}
