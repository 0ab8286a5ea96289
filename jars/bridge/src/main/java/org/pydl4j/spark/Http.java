package org.pydl4j.spark;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** Reads what Spark's web pages say, on hosts that may be gone. */
final class Http {
    private static final int CONNECT_MILLIS = 1_000;
    private static final int READ_MILLIS = 3_000;
    private static final int MOST_BYTES = 4 << 20;

    private Http() {}

    static String get(String url) throws IOException {
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            throw new IOException("no web address: " + url);
        }
        HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } finally {
            connection.disconnect();
        }
    }
}
