package org.pydl4j.spark.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pydl4j.PydlException;

/** Room for buffers, and addresses. */
class PlanTest {
    private static final long MIB = 1 << 20;

    private static List<NodeAddress> nodes(int executors, long free, boolean oneHost) {
        List<NodeAddress> nodes = new ArrayList<>();
        for (int i = 0; i <= executors; i++) {
            String host = oneHost ? "host" : "host" + i;
            nodes.add(new NodeAddress(UUID.randomUUID(), i == 0 ? "driver" : "" + i, host, "10.0.0.1", 1, host + ":/dev/shm", free));
        }
        return nodes;
    }

    @ParameterizedTest
    @CsvSource({"2, 1024, false, 2048", "2, 64, false, 2048", "16, 64, false, 512", "16, 16, false, 64", "2, 24, true, 512"})
    void buffersFitTheRoomThatThereIs(int executors, long mebibytes, boolean oneHost, int expected) {
        assertEquals(expected << 10, Plan.term(nodes(executors, mebibytes * MIB, oneHost)));
    }

    @Test
    void tooLittleRoomNamesTheHost() {
        PydlException error = assertThrows(PydlException.class, () -> Plan.term(nodes(16, 64 * MIB, true)));
        assertTrue(error.getMessage().contains("MiB of room in host:/dev/shm, where 64 MiB are free"), error.getMessage());
    }

    @Test
    void whatADeadProcessLeftIsDeletedAndWhatLivesIsNot(@TempDir Path root) throws IOException {
        Path dead = Files.createDirectory(root.resolve("pydl4j-mesh-dead"));
        Files.writeString(dead.resolve("cnc.dat"), "x");
        Files.createFile(root.resolve("pydl4j-mesh-dead.lock"));
        try (Place first = Place.open(List.of(root))) {
            assertFalse(Files.exists(dead));
            assertFalse(Files.exists(root.resolve("pydl4j-mesh-dead.lock")));
            Files.createDirectory(first.buffers());
            try (Place second = Place.open(List.of(root))) {
                assertTrue(Files.exists(first.buffers()));
                assertTrue(second.free() > 0);
            }
            assertTrue(Files.exists(first.buffers()));
        }
        try (var left = Files.list(root)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void noRoomAnywhereIsAnErrorThatNamesThePlaces(@TempDir Path root) {
        PydlException error = assertThrows(PydlException.class, () -> Place.open(List.of(root.resolve("none"))));
        assertTrue(error.getMessage().contains("needs 16 MiB of room in one of " + root.resolve("none")), error.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 10.0.0.0/8, true", "10.1.2.3, 10.1.2.0/24, true", "10.1.2.3, 10.1.3.0/24, false", "10.1.2.3, 10.1.2.2/31, true",
        "10.1.2.3, 0.0.0.0/0, true", "fe80::1, 10.0.0.0/8, false", "fe80::1, fe80::/10, true", "192.168.129.1, 192.168.128.0/17, true"
    })
    void masks(String address, String mask, boolean inside) throws IOException {
        assertEquals(inside, Addresses.isInside(InetAddress.getByName(address), mask));
    }

    @Test
    void aMaskThatFitsNobodyNamesTheAddresses() {
        PydlException error = assertThrows(PydlException.class, () -> Addresses.towards("127.0.0.1", "203.0.113.0/24"));
        assertTrue(error.getMessage().contains("is inside network_mask 203.0.113.0/24: it has "), error.getMessage());
        assertTrue(error.getMessage().contains("127.0.0.1"), error.getMessage());
        assertEquals("127.0.0.1", Addresses.towards("127.0.0.1", "127.0.0.0/8").getHostAddress());
    }
}
