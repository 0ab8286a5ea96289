package org.pydl4j.spark.shared;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.pydl4j.PydlException;

/** Nodes of one JVM that speak over UDP, as those of several do. */
@Timeout(60)
class MeshTest {
    private static final int LONGEST = 64 << 10;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final Epoch epoch = new Epoch(UUID.randomUUID(), 3);
    private final List<Node> nodes = new ArrayList<>();

    @BeforeAll
    static void loseSomePackets() {
        System.setProperty("aeron.debug.receive.data.loss.rate", "0.05");
        System.setProperty("aeron.debug.receive.data.loss.seed", "42");
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        nodes.forEach(node -> assertFalse(threads().contains("pydl4j-mesh-" + node.id)));
    }

    @Test
    void membersOfOneJvmNeedNoNetwork() {
        Node node = Node.alone(epoch, LONGEST);
        Member driver = node.join(Message.DRIVER);
        Member first = node.join(0);
        Member second = node.join(1);
        first.publish(new byte[] {1}, PATIENCE, () -> {});
        first.publish(new byte[] {2}, PATIENCE, () -> {});
        first.end();
        second.end();
        for (Member member : List.of(driver, second)) {
            assertArrayEquals(new byte[] {1}, member.poll().body);
            assertArrayEquals(new byte[] {2}, member.poll().body);
            assertEquals(null, member.poll());
            assertEquals(2, member.received(0));
            assertTrue(member.hasAllOf(2));
        }
        assertEquals(null, first.poll());
        assertEquals(0, first.received());
    }

    @Test
    void updatesArriveWholeInOrderAndCountedOverUdp() throws Exception {
        exchange(mesh(3, LONGEST), 200, LONGEST);
    }

    @Test
    void updatesOfAMillionParametersTravelInChunks() throws Exception {
        int longest = 4_000_000;
        exchange(mesh(2, longest), 8, longest);
    }

    @Test
    void lostPacketsAreSentAgain() throws Exception {
        System.setProperty("aeron.ReceiveChannelEndpoint.supplier", "io.aeron.driver.ext.DebugReceiveChannelEndpointSupplier");
        try {
            exchange(mesh(2, LONGEST), 300, 20_000);
        } finally {
            System.clearProperty("aeron.ReceiveChannelEndpoint.supplier");
        }
    }

    @Test
    void severalMembersOfANodeGetOneCopyEach() throws Exception {
        List<Node> mesh = mesh(2, LONGEST);
        Member driver = mesh.get(0).join(Message.DRIVER);
        Member first = mesh.get(1).join(0);
        Member second = mesh.get(1).join(1);
        Member third = mesh.get(2).join(2);
        third.publish(new byte[] {7}, PATIENCE, () -> {});
        first.publish(new byte[] {8}, PATIENCE, () -> {});
        await(() -> take(first) + take(second) + take(third) + take(driver) >= 0 && first.received() == 1 && second.received() == 2
                && third.received() == 1 && driver.received() == 2);
        assertEquals(1, second.received(0));
        assertEquals(1, second.received(2));
    }

    @Test
    void whoSendsFasterThanOthersTakeWaits() throws Exception {
        List<Node> mesh = mesh(2, LONGEST);
        mesh.get(0).join(Message.DRIVER);
        Member first = mesh.get(1).join(0);
        mesh.get(2).join(1);
        int[] waits = {0};
        PydlException error = assertThrows(PydlException.class, () -> {
            for (int i = 0; i < 2000; i++) {
                first.publish(new byte[LONGEST], TimeUnit.SECONDS.toNanos(1), () -> waits[0]++);
            }
        });
        assertTrue(error.getMessage().contains("took no updates of worker 0 for 1 s (update_timeout)"), error.getMessage());
        assertTrue(first.sent() < 400, first.sent() + " updates waited");
        assertTrue(waits[0] > 100);
    }

    @Test
    void whatOfTwoThatWaitForEachOtherTakesInGoesOn() throws Exception {
        List<Node> mesh = mesh(2, LONGEST);
        Member driver = mesh.get(0).join(Message.DRIVER);
        Member[] workers = {mesh.get(1).join(0), mesh.get(2).join(1)};
        List<Thread> threads = new ArrayList<>();
        for (Member worker : workers) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < 500; i++) {
                    worker.publish(new byte[LONGEST], PATIENCE, () -> take(worker));
                }
                worker.end();
                await(() -> take(worker) >= 0 && worker.hasAllOf(2));
            }));
        }
        threads.forEach(Thread::start);
        await(() -> take(driver) >= 0 && driver.hasAllOf(2));
        for (Thread thread : threads) {
            thread.join(PATIENCE / 1_000_000);
        }
        assertEquals(1000, driver.received());
        assertEquals(500, workers[0].received(1));
        assertEquals(500, workers[1].received(0));
    }

    @Test
    void whatIsSaidReachesTheDriverAndBack() throws Exception {
        List<Node> mesh = mesh(2, LONGEST);
        List<Integer> heard = new ArrayList<>();
        mesh.get(0).listen(message -> heard.add(message.sender));
        boolean[] drained = {false, false};
        mesh.get(1).listen(message -> drained[0] = message.kind == Kind.DRAINED);
        mesh.get(2).listen(message -> drained[1] = message.kind == Kind.DRAINED);
        mesh.get(1).say(Message.of(Kind.RECEIVED, 0, 5));
        mesh.get(2).say(Message.of(Kind.RECEIVED, 1, 5));
        await(() -> heard.size() == 2);
        mesh.get(0).say(Message.of(Kind.DRAINED, Message.DRIVER, 0));
        await(() -> drained[0] && drained[1]);
    }

    @Test
    void messagesOfAnotherFitAndGarbageAreRefusedAndCounted() throws Exception {
        Node node = listening(epoch, "driver", LONGEST, Ports.any());
        Member driver = node.join(Message.DRIVER);
        Node foreign = listening(new Epoch(UUID.randomUUID(), 3), "1", LONGEST, Ports.any());
        foreign.connect(List.of(node.address()), List.of(), Plan.CONTROL_TERM);
        Member stranger = foreign.join(0);
        await(() -> foreign.unreached().isEmpty());
        stranger.publish(new byte[] {1}, PATIENCE, () -> {});
        await(() -> node.refused() == 1);
        assertTrue(node.lastRefused().contains("where " + epoch + " is trained"), node.lastRefused());
        Node other = listening(epoch, "2", LONGEST * 2, Ports.any());
        other.connect(List.of(node.address()), List.of(), Plan.CONTROL_TERM);
        await(() -> other.unreached().isEmpty());
        other.join(1).publish(new byte[] {1}, PATIENCE, () -> {});
        await(() -> node.refused() == 2);
        assertEquals("for a network of other size", node.lastRefused());
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] garbage = new byte[900];
            new Random(1).nextBytes(garbage);
            socket.send(new DatagramPacket(garbage, garbage.length, LOOPBACK, node.address().port));
        }
        TimeUnit.MILLISECONDS.sleep(100);
        assertEquals(null, driver.poll());
        node.check();
    }

    @Test
    void aHeaderIsCheckedBeforeAnythingIsAllocated() {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[Header.LENGTH + 10]);
        Message message = new Message(Kind.UPDATE, 4, 9, new byte[10]);
        Header.write(frame, epoch, message, 0, LONGEST);
        assertEquals(null, refusal(frame, frame.capacity()));
        assertEquals("20 bytes, shorter than a header", refusal(frame, 20));
        corrupt(frame, message, 40, Integer.MAX_VALUE, "with 10 bytes at 0 of 2147483647, at most 65536");
        corrupt(frame, message, 40, -1, "with 10 bytes at 0 of -1, at most 65536");
        corrupt(frame, message, 44, 5, "with 10 bytes at 5 of 10, at most 65536");
        corrupt(frame, message, 44, -5, "with 10 bytes at -5 of 10, at most 65536");
        corrupt(frame, message, 0, 77, "not one of ours");
        corrupt(frame, message, 4, 2, "of version 2 where 1 is spoken");
        corrupt(frame, message, 6, 99, "of unknown kind 99");
        corrupt(frame, message, 24, 4, "of epoch " + epoch.fit + "/4 where " + epoch + " is trained");
    }

    private String refusal(UnsafeBuffer frame, int length) {
        return Header.refuse(frame, 0, length, epoch, LONGEST);
    }

    private void corrupt(UnsafeBuffer frame, Message message, int at, int value, String expected) {
        if (at == 4 || at == 6) {
            frame.putShort(at, (short) value);
        } else {
            frame.putInt(at, value);
        }
        assertEquals(expected, refusal(frame, frame.capacity()));
        Header.write(frame, epoch, message, 0, LONGEST);
    }

    @Test
    void aGapIsAnErrorThatNamesWhoLostWhat() {
        Node node = Node.alone(epoch, LONGEST);
        Member driver = node.join(Message.DRIVER);
        driver.inbox.add(Message.of(Kind.UPDATE, 2, 0));
        driver.inbox.add(Message.of(Kind.UPDATE, 2, 2));
        driver.poll();
        PydlException error = assertThrows(PydlException.class, driver::poll);
        assertEquals("CountMismatchError", error.kind());
        assertEquals("the driver received update 2 of worker 2 where 1 was expected: updates were lost on the network.", error.getMessage());
    }

    @Test
    void aNodeThatDiesIsNoLongerHeardOf() throws Exception {
        List<Node> mesh = mesh(1, LONGEST);
        UUID worker = mesh.get(1).id;
        await(() -> mesh.get(0).heard(worker) != null);
        mesh.get(1).close();
        long last = mesh.get(0).heard(worker);
        TimeUnit.MILLISECONDS.sleep(1500);
        assertEquals(last, mesh.get(0).heard(worker));
        mesh.get(0).check(); // whether that is a failure, the watchdog says
    }

    @Test
    void thePortsOfARangeAreTakenOneAfterTheOther() throws Exception {
        Node first;
        int from;
        try (DatagramSocket taken = new DatagramSocket(0, LOOPBACK)) {
            from = taken.getLocalPort();
            first = listening(epoch, "1", LONGEST, new Ports(from, from + 20));
            assertTrue(first.address().port > from && first.address().port <= from + 20);
            PydlException error = assertThrows(
                    PydlException.class, () -> listening(epoch, "2", LONGEST, new Ports(from, from)));
            assertTrue(error.getMessage().startsWith("no UDP port to listen on: tried 127.0.0.1:" + from + " ("), error.getMessage());
        }
        assertTrue(listening(epoch, "2", LONGEST, new Ports(from, from + 20)).address().port >= from);
        first.check();
    }

    @Test
    void whomItDoesNotReachIsNamed() throws Exception {
        Node node = listening(epoch, "1", LONGEST, Ports.any());
        NodeAddress nobody = new NodeAddress(UUID.randomUUID(), "driver", "elsewhere", "127.0.0.1", 9, "there:/dev/shm", 1 << 30);
        node.connect(List.of(nobody), List.of(), Plan.CONTROL_TERM);
        List<String> missing = node.await(nobody.id, TimeUnit.SECONDS.toNanos(1), () -> {});
        assertEquals(List.of(node.address() + " does not reach the driver on elsewhere (127.0.0.1:9)"), missing);
    }

    // ------------------------------------------------------------------------------------------------------------------------------

    /** The driver's node and so many others. */
    private List<Node> mesh(int executors, int longest) throws Exception {
        List<Node> mesh = new ArrayList<>();
        mesh.add(listening(epoch, "driver", longest, Ports.any()));
        for (int i = 1; i <= executors; i++) {
            mesh.add(listening(epoch, String.valueOf(i), longest, Ports.any()));
        }
        List<NodeAddress> all = new ArrayList<>();
        mesh.forEach(node -> all.add(node.address()));
        int term = Plan.term(all);
        for (Node node : mesh) {
            List<NodeAddress> others = new ArrayList<>(all);
            others.remove(node.address());
            boolean driver = node == mesh.get(0);
            node.connect(driver ? List.of() : others, driver ? others : List.of(all.get(0)), term);
        }
        for (Node node : mesh.subList(1, mesh.size())) {
            assertEquals(List.of(), node.await(all.get(0).id, PATIENCE, () -> {}));
        }
        return mesh;
    }

    private Node listening(Epoch epoch, String executor, int longest, Ports ports) {
        Node node = Node.listening(epoch, longest, executor, LOOPBACK, ports, 1001, 3);
        nodes.add(node);
        return node;
    }

    /** Each worker sends so many updates of random lengths; everybody gets them all, as they were sent. */
    private void exchange(List<Node> mesh, int updates, int most) throws Exception {
        int workers = mesh.size() - 1;
        Member[] members = new Member[workers + 1];
        for (int i = 0; i <= workers; i++) {
            members[i] = mesh.get(i).join(i - 1);
        }
        int[][] next = new int[workers + 1][workers];
        Runnable takeIn = () -> {
            for (int i = 0; i <= workers; i++) {
                for (Message message = members[i].poll(); message != null; message = members[i].poll()) {
                    assertArrayEquals(update(message.sender, next[i][message.sender]++, most), message.body);
                }
            }
        };
        for (int i = 0; i < updates; i++) {
            for (int worker = 0; worker < workers; worker++) {
                members[worker + 1].publish(update(worker, i, most), PATIENCE, takeIn);
            }
        }
        for (int worker = 0; worker < workers; worker++) {
            members[worker + 1].end();
        }
        for (Member member : members) {
            await(() -> {
                takeIn.run();
                mesh.forEach(Node::check);
                return member.hasAllOf(workers);
            });
        }
        assertEquals((long) workers * updates, members[0].received());
    }

    private static byte[] update(int worker, int number, int most) {
        Random random = new Random(31L * worker + number);
        byte[] update = new byte[number == 0 ? 0 : number == 1 ? most : random.nextInt(most)];
        random.nextBytes(update);
        return update;
    }

    private static int take(Member member) {
        int taken = 0;
        while (member.poll() != null) {
            taken++;
        }
        return taken;
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "waited too long");
            Member.nap();
        }
    }

    private static List<String> threads() {
        List<String> names = new ArrayList<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> names.add(thread.getName()));
        return names;
    }
}
