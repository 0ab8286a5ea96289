package org.pydl4j.spark.frame;

/** An image of gray values, or of red, green and blue: numbers from 0 to 255, channels last. */
final class Pixels {
    private final int height;
    private final int width;
    private final int channels;
    private final float[] values;

    Pixels(int height, int width, int channels) {
        this.height = height;
        this.width = width;
        this.channels = channels;
        values = new float[Math.multiplyExact(Math.multiplyExact(height, width), channels)];
    }

    /** @param pixel its number, counted along rows */
    void set(int pixel, int channel, int value) {
        values[pixel * channels + channel] = value;
    }

    /** As the network takes them. */
    float[] as(ImageShape wanted) {
        wanted.requireSize(height, width);
        return ofChannels(wanted.channels).ofSize(wanted.height, wanted.width).ordered(wanted.channelsLast);
    }

    /** Gray is repeated; of colors the luma of ITU-R 601 is taken, in whole numbers as everywhere. */
    private Pixels ofChannels(int wanted) {
        if (wanted == channels) {
            return this;
        }
        Pixels converted = new Pixels(height, width, wanted);
        for (int i = 0; i < height * width; i++) {
            if (channels == 1) {
                for (int channel = 0; channel < wanted; channel++) {
                    converted.values[i * wanted + channel] = values[i];
                }
            } else {
                int at = i * channels;
                converted.values[i] = Math.round(0.299 * values[at] + 0.587 * values[at + 1] + 0.114 * values[at + 2]);
            }
        }
        return converted;
    }

    /** Bilinear between the centers of pixels. */
    private Pixels ofSize(int newHeight, int newWidth) {
        if (newHeight == height && newWidth == width) {
            return this;
        }
        Pixels resized = new Pixels(newHeight, newWidth, channels);
        for (int y = 0; y < newHeight; y++) {
            float down = place(y, newHeight, height);
            for (int x = 0; x < newWidth; x++) {
                float right = place(x, newWidth, width);
                for (int channel = 0; channel < channels; channel++) {
                    resized.values[(y * newWidth + x) * channels + channel] = between(down, right, channel);
                }
            }
        }
        return resized;
    }

    /** Where the center of a pixel of the new image lies in the old one. */
    private static float place(int i, int newLength, int length) {
        return Math.max(0, Math.min(length - 1, (i + 0.5f) * length / newLength - 0.5f));
    }

    private float between(float down, float right, int channel) {
        int top = (int) down;
        int left = (int) right;
        float above = across(top, left, right - left, channel);
        float below = across(Math.min(top + 1, height - 1), left, right - left, channel);
        return above + (below - above) * (down - top);
    }

    private float across(int y, int left, float fraction, int channel) {
        float first = values[(y * width + left) * channels + channel];
        float second = values[(y * width + Math.min(left + 1, width - 1)) * channels + channel];
        return first + (second - first) * fraction;
    }

    private float[] ordered(boolean channelsLast) {
        if (channelsLast || channels == 1) {
            return values;
        }
        float[] planes = new float[values.length];
        int pixels = height * width;
        for (int i = 0; i < pixels; i++) {
            for (int channel = 0; channel < channels; channel++) {
                planes[channel * pixels + i] = values[i * channels + channel];
            }
        }
        return planes;
    }
}
