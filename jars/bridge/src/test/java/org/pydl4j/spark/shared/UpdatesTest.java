package org.pydl4j.spark.shared;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.pydl4j.PydlException;

class UpdatesTest {
    private static final float THRESHOLD = 0.25f;

    /** What is sent and what is left is what was given, however short the vector, in the bitmaps that come first and in lists of values. */
    @ParameterizedTest
    @CsvSource({"1, FLOAT", "3, FLOAT", "15, FLOAT", "16, DOUBLE", "17, FLOAT", "1000, FLOAT", "1000, DOUBLE", "100003, FLOAT"})
    void nothingIsLostBetweenSentAndLeft(int length, DataType type) throws Exception {
        Encoder encoder = Encoder.of(new Epoch(UUID.randomUUID(), 0), 0, SharingTest.settings("{\"@class\":\"FixedThresholdAlgorithm\",\"threshold\":0.25}"));
        INDArray given = Nd4j.zeros(type, length);
        INDArray decoded = Nd4j.zeros(type, length);
        boolean sparse = false;
        for (int i = 0; i < 8; i++) {
            INDArray update = Nd4j.zeros(type, length);
            for (int k = i; k < length; k += 97) {
                update.putScalar(k, (k % 2 == 0 ? 1 : -1) * (0.3 + 0.01 * i));
            }
            given.addi(update);
            byte[] encoded = encoder.encode(update, i, 0);
            assertTrue(encoded.length <= Updates.longest(length));
            sparse |= encoded.length > 0 && ByteBuffer.wrap(encoded).order(ByteOrder.nativeOrder()).getInt(12) == 0;
            Updates.decode(encoded, decoded);
        }
        assertEquals(length >= 1000, sparse);
        INDArray left = given.sub(decoded);
        assertTrue(decoded.amaxNumber().doubleValue() >= THRESHOLD / 2);
        assertTrue(left.amaxNumber().doubleValue() < 8 * 0.37);
        assertEquals(0, left.sub(encoder.left()).amaxNumber().doubleValue(), 1e-5);
    }

    /** Where no threshold is asked for; half has elements that are no multiple of an int. */
    @ParameterizedTest
    @CsvSource({"1, HALF", "3, HALF", "3, DOUBLE", "65532, FLOAT", "65533, FLOAT", "32766, DOUBLE", "32767, DOUBLE"})
    void shortUpdatesAreSentWhole(int length, DataType type) throws Exception {
        Encoder encoder = Encoder.of(new Epoch(UUID.randomUUID(), 0), 0, SharingTest.settings("null"));
        INDArray decoded = Nd4j.ones(type, length);
        INDArray update = Nd4j.rand(type, length);
        byte[] sent = encoder.encode(update, 0, 0);
        assertTrue(sent.length <= Updates.longest(length));
        Updates.decode(sent, decoded);
        assertEquals(length * type.width() <= (256 << 10) - 16, decoded.equals(update.add(1)));
    }

    @Test
    void anEmptyUpdateChangesNothing() {
        INDArray target = Nd4j.ones(10);
        Updates.decode(new byte[0], target);
        assertArrayEquals(Nd4j.ones(10).toFloatVector(), target.toFloatVector());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "1,100,T,0,101|changes parameter 101 of 100",
        "1,100,T,0,-101|changes parameter 101 of 100",
        "1,100,T,0,0|changes parameter 0 of 100",
        "1,100,T,0,-2147483648|changes parameter 2147483648 of 100",
        "2,100,T,0,5|has 1 values where it announces 2",
        "1,99,T,0,5|is of 99 parameters where the network has 100",
        "1,100,0,0,5|has the threshold 0.0",
        "1,100,2139095040,0,5|has the threshold Infinity",
        "1,100,T,1,5|has 5 numbers of encoding 1",
        "1,100,T,7,5|has 5 numbers of encoding 7",
        "1,100,T,0|has 16 bytes",
        "100,100,0,2,5|has 20 bytes",
        "99,99,0,2,5|is of 99 parameters where the network has 100"
    })
    void whatCannotBeIsRefused(String wrong) {
        String[] parts = wrong.split("\\|");
        String[] numbers = parts[0].split(",");
        ByteBuffer update = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.nativeOrder());
        for (String number : numbers) {
            update.putInt(number.equals("T") ? Float.floatToIntBits(THRESHOLD) : Integer.parseInt(number));
        }
        PydlException error = assertThrows(PydlException.class, () -> Updates.decode(update.array(), Nd4j.zeros(100)));
        assertEquals("an update that came over the network cannot be: it " + parts[1], error.getMessage());
    }
}
