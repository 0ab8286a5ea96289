package org.pydl4j.spark.shared;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.pydl4j.PydlException;

/** Which of its addresses a machine is reached at. */
final class Addresses {
    private static final int ANY_PORT = 9;

    private Addresses() {}

    static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // a machine that does not know its own name; its address tells more
        }
    }

    /** The local address from which the driver is reached; inside the mask, where there is one. */
    static InetAddress towards(String driver, String mask) {
        InetAddress source = source(driver);
        return mask == null || isInside(source, mask) ? source : inside(mask);
    }

    /** The first local address inside the mask. */
    static InetAddress inside(String mask) {
        List<InetAddress> local = local();
        for (InetAddress address : local) {
            if (isInside(address, mask)) {
                return address;
            }
        }
        throw new PydlException("SparkError", "no address of " + hostName() + " is inside network_mask " + mask + ": it has "
                + local.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "))
                + ". Name the network that driver and executors share.", "VoidConfiguration.network_mask", null);
    }

    static boolean isLocal(InetAddress address) {
        return local().contains(address);
    }

    static InetAddress resolve(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new PydlException("SparkError", hostName() + " knows no address of " + host
                    + ". Give controller_address of VoidConfiguration, or spark.driver.host, as an address.", null, e);
        }
    }

    /** Asks the routing table; nothing is sent. */
    private static InetAddress source(String host) {
        InetAddress target = resolve(host);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(target, ANY_PORT);
            InetAddress address = socket.getLocalAddress();
            return address.isAnyLocalAddress() ? target : address;
        } catch (IOException e) {
            throw new UncheckedIOException("no way from " + hostName() + " to " + host, e);
        }
    }

    static boolean isInside(InetAddress address, String mask) {
        String[] parts = mask.split("/");
        byte[] network = resolve(parts[0]).getAddress();
        byte[] own = address.getAddress();
        if (network.length != own.length) {
            return false;
        }
        int bits = Integer.parseInt(parts[1]);
        for (int bit = 0; bit < bits; bit++) {
            int shift = 7 - bit % 8;
            if ((network[bit / 8] >> shift & 1) != (own[bit / 8] >> shift & 1)) {
                return false;
            }
        }
        return true;
    }

    /** IPv4 first, and what leaves the machine before what does not. */
    private static List<InetAddress> local() {
        try {
            List<InetAddress> found = new ArrayList<>();
            for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (card.isUp()) {
                    found.addAll(Collections.list(card.getInetAddresses()));
                }
            }
            found.sort((a, b) -> Integer.compare(rank(a), rank(b)));
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int rank(InetAddress address) {
        return (address.isLoopbackAddress() ? 2 : 0) + (address instanceof Inet4Address ? 0 : 1);
    }
}
