package org.pydl4j.evaluation;

import java.io.Serializable;

/** What is counted for one evaluation. Counts of parts add up to those of the whole, on however many executors they were taken. */
abstract class Count implements Serializable {
    private static final long serialVersionUID = 1L;

    /** 0 until something was counted */
    int columns;

    final void add(Rows rows) {
        if (rows.count == 0) {
            return;
        }
        start(rows.columns);
        count(rows);
    }

    final void merge(Count other) {
        if (other.columns > 0) {
            start(other.columns);
            plus(other);
        }
    }

    private void start(int width) {
        if (columns == 0) {
            columns = width;
            begin();
        } else if (columns != width) {
            throw new IllegalStateException("an output of " + width + " columns after one of " + columns);
        }
    }

    /** How many columns there are is known now. */
    abstract void begin();

    abstract void count(Rows rows);

    /** @param other of the same class and the same options, with something counted */
    abstract void plus(Count other);

    /** All there is to know, in the order in which the class of this name in pydl4j/nn/evaluation reads it; the columns come first. */
    final double[] numbers() {
        Numbers numbers = new Numbers();
        numbers.add(columns);
        if (columns > 0) {
            write(numbers);
        }
        return numbers.toArray();
    }

    abstract void write(Numbers numbers);
}
