package org.pydl4j;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What the Python side asks first: which bridge is this? */
public final class Bridge {
    private Bridge() {}

    /** The version this jar was built as; Python refuses to work with another than its own. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream in = Bridge.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
