package org.pydl4j.spark.shared;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.ChannelEndpointException;
import io.aeron.exceptions.RegistrationException;
import io.aeron.status.ChannelEndpointStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.broadcast.BroadcastBufferDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.pydl4j.PydlException;

/**
 * Aeron, as one node of an epoch uses it: a media driver of its own in a directory of its own, both without a thread: whoever uses the wire
 * calls {@link #work()} again and again, and nobody else touches it meanwhile.
 */
final class Wire implements AutoCloseable {
    private static final long BIND_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long CLIENT_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** above the clients', or Aeron does not start */
    private static final long UNBLOCK_NANOS = TimeUnit.SECONDS.toNanos(75);
    /** a node that is silent for longer than this has lost messages; the watchdog waits less long */
    private static final long IMAGE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int SMALL = 128 << 10;
    private static final int RECEIVE_BUFFER = 4 << 20;
    private static final int SHORTEST_WINDOW = 32 << 10;
    private static final int LONGEST_WINDOW = 1 << 20;

    private final Place place;
    private final int window;
    private final int receiveBuffer;
    private final MediaDriver driver;
    private final Aeron aeron;
    private volatile Throwable trouble;
    private boolean binding;
    private int tag;

    /**
     * @param peers how many others may send at the same time
     * @param failed told of what makes the wire unusable
     */
    Wire(Place place, int peers, Consumer<Throwable> failed) {
        this.place = place;
        int granted = receiveBuffer();
        // half of it is the system's own bookkeeping; what arrives beyond it is lost, and sent again
        window = Math.max(SHORTEST_WINDOW, Math.min(LONGEST_WINDOW, granted / 2 / peers));
        receiveBuffer = granted;
        // what the driver meets while it sends (no route, no permission) may pass: a connection that does not come back is noticed
        driver = MediaDriver.launch(driver().errorHandler(error -> trouble = error));
        aeron = connect(failed);
    }

    /** As much as the operating system grants (net.core.rmem_max). */
    private static int receiveBuffer() {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
            return Math.max(SMALL, Math.min(RECEIVE_BUFFER, channel.getOption(StandardSocketOptions.SO_RCVBUF)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MediaDriver.Context driver() {
        return new MediaDriver.Context()
                .aeronDirectoryName(place.buffers().toString())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .warnIfDirectoryExists(false)
                .threadingMode(ThreadingMode.INVOKER)
                .conductorBufferLength(SMALL + RingBufferDescriptor.TRAILER_LENGTH)
                .toClientsBufferLength(SMALL + BroadcastBufferDescriptor.TRAILER_LENGTH)
                .counterValuesBufferLength(2 * SMALL)
                .errorBufferLength(SMALL)
                .lossReportBufferLength(SMALL)
                .termBufferSparseFile(false) // room that is promised is there: touching what is not would end the JVM
                .lowStorageWarningThreshold(0)
                .socketRcvbufLength(receiveBuffer)
                .initialWindowLength(window)
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(CLIENT_NANOS))
                .clientLivenessTimeoutNs(CLIENT_NANOS)
                .publicationUnblockTimeoutNs(UNBLOCK_NANOS)
                .imageLivenessTimeoutNs(IMAGE_NANOS)
                .publicationLingerTimeoutNs(0);
    }

    private Aeron connect(Consumer<Throwable> failed) {
        try {
            return Aeron.connect(new Aeron.Context()
                    .aeronDirectoryName(place.buffers().toString())
                    .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(CLIENT_NANOS))
                    .useConductorAgentInvoker(true)
                    .driverAgentInvoker(driver.sharedAgentInvoker())
                    .errorHandler(error -> report(error, failed)));
        } catch (RuntimeException e) {
            driver.close();
            throw e;
        }
    }

    /** Aeron's own handler ends the JVM when its driver is late. */
    private void report(Throwable error, Consumer<Throwable> failed) {
        boolean portTaken = binding && error instanceof ChannelEndpointException;
        boolean harmless = error instanceof AeronException && ((AeronException) error).category() == AeronException.Category.WARN;
        if (!portTaken && !harmless) {
            failed.accept(error);
        }
    }

    /** What went wrong last while packets were sent, or null. */
    Throwable trouble() {
        return trouble;
    }

    /** Listens on the first port of the range that is free; streams of one endpoint share it. */
    Subscription listen(String ip, Ports ports, int stream) {
        for (int port = ports.first; port <= ports.last; port++) {
            Subscription bound = bind("aeron:udp?endpoint=" + bracketed(ip) + ":" + port + "|tags=" + ++tag, stream);
            if (bound != null) {
                return bound;
            }
        }
        throw new PydlException("SparkError", "no UDP port to listen on: tried " + ip + ":" + ports
                + (trouble == null ? "" : " (" + trouble.getMessage() + ")")
                + ". Name other ports (unicast_port, port_range of VoidConfiguration), or end what holds them.", null, trouble);
    }

    Subscription listenToo(int stream) {
        return aeron.addSubscription("aeron:udp?tags=" + tag, stream);
    }

    private Subscription bind(String channel, int stream) {
        binding = true;
        try {
            Subscription subscription = aeron.addSubscription(channel, stream);
            if (isActive(subscription)) {
                return subscription;
            }
            subscription.close();
            work();
            return null;
        } catch (RegistrationException e) {
            trouble = e;
            return null;
        } finally {
            binding = false;
        }
    }

    private boolean isActive(Subscription subscription) {
        long end = System.nanoTime() + BIND_NANOS;
        while (System.nanoTime() < end && subscription.channelStatus() != ChannelEndpointStatus.ERRORED) {
            work();
            if (subscription.channelStatus() == ChannelEndpointStatus.ACTIVE && subscription.resolvedEndpoint() != null) {
                return true;
            }
        }
        return false;
    }

    static int port(Subscription subscription) {
        String endpoint = subscription.resolvedEndpoint();
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    ExclusivePublication publish(NodeAddress to, int stream, int term, int mtu) {
        return aeron.addExclusivePublication(
                "aeron:udp?endpoint=" + bracketed(to.ip) + ":" + to.port + "|term-length=" + term + "|mtu=" + mtu, stream);
    }

    private static String bracketed(String ip) {
        return ip.indexOf(':') >= 0 ? "[" + ip + "]" : ip;
    }

    /** The driver's and the client's turn. */
    int work() {
        return driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public void close() {
        try (place;
                driver) {
            aeron.close();
        }
    }
}
