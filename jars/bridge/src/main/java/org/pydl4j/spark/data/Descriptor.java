package org.pydl4j.spark.data;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/**
 * Which rows make a minibatch, as a Hadoop URI with a query:
 * {@code file:/spool/dataset.json?from=128&rows=64&order=7&size=64}. Rows are counted in the order that {@code order}, a seed, stands for,
 * where minibatches but the last have {@code size} rows; without it in the order in which they are stored.
 */
public final class Descriptor {
    final URI manifest;
    final long from;
    final int rows;
    final Long order;
    final int size;

    private Descriptor(URI manifest, long from, int rows, Long order, int size) {
        this.manifest = manifest;
        this.from = from;
        this.rows = rows;
        this.order = order;
        this.size = size;
    }

    public static String format(URI manifest, long from, int rows, Long order, int size) {
        return manifest + "?from=" + from + "&rows=" + rows + (order == null ? "" : "&order=" + order + "&size=" + size);
    }

    static Descriptor parse(String text) {
        int question = text.indexOf('?');
        if (question < 0) {
            throw new IllegalArgumentException("no minibatch descriptor: " + text);
        }
        Map<String, String> query = new HashMap<>();
        for (String pair : text.substring(question + 1).split("&")) {
            int equals = pair.indexOf('=');
            query.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        String order = query.get("order");
        return new Descriptor(
                URI.create(text.substring(0, question)),
                Long.parseLong(query.get("from")),
                Integer.parseInt(query.get("rows")),
                order == null ? null : Long.valueOf(order),
                order == null ? 0 : Integer.parseInt(query.get("size")));
    }
}
