package org.pydl4j.spark.shared;

/** What a message says. The order is that of the numbers on the wire. */
enum Kind {
    /** an encoded update of a worker, to every other member */
    UPDATE,
    /** a worker has trained its last minibatch; its sequence number is how many updates it sent */
    END,
    /** a worker says who and where it is, to the driver */
    HELLO,
    /** the driver says where all are */
    ROSTER,
    /** a worker says whom its node does not reach */
    READY,
    /** everybody is there, and reaches everybody: train */
    GO,
    /** a node is alive */
    HEARTBEAT,
    /** how far a worker is: minibatches, examples, the sum of their scores */
    PROGRESS,
    /** a worker has received all that the other workers sent */
    RECEIVED,
    /** the driver has, too, and so has every worker: all may go */
    DRAINED;

    private static final Kind[] ALL = values();

    /** null for a number that is none's. */
    static Kind of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : null;
    }
}
