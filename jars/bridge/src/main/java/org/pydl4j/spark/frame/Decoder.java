package org.pydl4j.spark.frame;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Decodes images of the formats that Java knows; of an animation the first picture. */
final class Decoder {
    private static final int OPAQUE = 255;

    private Decoder() {}

    static Pixels decode(byte[] bytes, ImageShape wanted) {
        try (ImageInputStream stream = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(stream);
            if (!readers.hasNext()) {
                throw new BadCell(bytes.length + " bytes that are no image; expected PNG, JPEG, BMP or GIF");
            }
            ImageReader reader = readers.next();
            try {
                return pixels(read(reader, stream, wanted));
            } finally {
                reader.dispose();
            }
        } catch (BadCell e) {
            throw e;
        } catch (IOException | RuntimeException e) { // what readers throw at damaged bytes
            throw new BadCell("an image that cannot be decoded: " + e);
        }
    }

    private static BufferedImage read(ImageReader reader, ImageInputStream stream, ImageShape wanted) throws IOException {
        List<String> warnings = new ArrayList<>();
        reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
        reader.setInput(stream, true, true);
        wanted.requireSize(reader.getHeight(0), reader.getWidth(0));
        BufferedImage image = reader.read(0);
        // what is missing of a JPEG is made up
        warnings.stream().filter(warning -> warning.contains("remature end")).findFirst().ifPresent(warning -> {
            throw new BadCell("an image that cannot be decoded: " + warning);
        });
        return image;
    }

    private static Pixels pixels(BufferedImage image) {
        int depth = image.getSampleModel().getSampleSize(0);
        if (depth > Byte.SIZE) {
            throw new BadCell("an image of " + depth + " bits for each channel; expected 8");
        }
        // gray as it is stored: getRGB would make it brighter
        boolean gray = depth == Byte.SIZE && image.getColorModel().getNumColorComponents() == 1;
        return gray ? gray(image.getRaster()) : colors(image);
    }

    private static Pixels gray(Raster raster) {
        int width = raster.getWidth();
        Pixels pixels = new Pixels(raster.getHeight(), width, 1);
        for (int i = 0; i < width * raster.getHeight(); i++) {
            requireOpaque(raster.getNumBands() == 1 ? OPAQUE : raster.getSample(i % width, i / width, 1));
            pixels.set(i, 0, raster.getSample(i % width, i / width, 0));
        }
        return pixels;
    }

    private static Pixels colors(BufferedImage image) {
        int width = image.getWidth();
        int[] colors = image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
        Pixels pixels = new Pixels(image.getHeight(), width, 3);
        for (int i = 0; i < colors.length; i++) {
            requireOpaque(colors[i] >>> 24);
            pixels.set(i, 0, colors[i] >> 16 & 255);
            pixels.set(i, 1, colors[i] >> 8 & 255);
            pixels.set(i, 2, colors[i] & 255);
        }
        return pixels;
    }

    static void requireOpaque(int alpha) {
        if (alpha != OPAQUE) {
            throw new BadCell("an image with transparent pixels; expected opaque ones: put it before a background");
        }
    }
}
