package org.pydl4j.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pydl4j.PydlException;

/** What was lost, or came twice, is an error that says what. */
class TallyTest {
    private static Tally tally(int minibatches, long trained, long loaded, long sent, long applied) {
        Tally tally = new Tally();
        tally.add(List.of(new WorkerResult(null, minibatches, trained, loaded, sent, 0, 0, List.of())));
        tally.applied = applied;
        return tally;
    }

    @Test
    void allThatWasGivenIsThere() {
        tally(3, 20, 20, 3, 3).require(3, 20);
    }

    @Test
    void minibatchesThatAreMissing() {
        requires("the workers trained 2 minibatches of the 3 that were handed in", tally(2, 20, 20, 2, 2));
    }

    @Test
    void examplesThatAreMissing() {
        requires("the workers read 20 examples and trained 19 of the 20 that were given", tally(3, 19, 20, 3, 3));
        requires("the workers read 28 examples and trained 20 of the 20 that were given", tally(3, 20, 28, 3, 3));
    }

    @Test
    void updatesThatAreMissing() {
        requires("the network holds 2 of the 3 updates that workers made", tally(3, 20, 20, 3, 2));
    }

    private static void requires(String message, Tally tally) {
        PydlException thrown = assertThrows(PydlException.class, () -> tally.require(3, 20));
        assertEquals("CountMismatchError", thrown.kind());
        assertEquals(message + ". The network was put back to where it was before the epoch.", thrown.getMessage());
    }
}
