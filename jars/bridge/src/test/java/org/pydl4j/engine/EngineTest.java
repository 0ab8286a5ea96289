package org.pydl4j.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.deeplearning4j.config.DL4JSystemProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.ObjectMapper;
import org.pydl4j.PydlException;

class EngineTest {
    @AfterEach
    void helpersAsPrepared() {
        System.clearProperty(DL4JSystemProperties.DISABLE_HELPER_PROPERTY);
        Engine.prepare();
    }

    private static JsonNode read(String json) throws Exception {
        return new ObjectMapper().readTree(json);
    }

    @Test
    void preparedLayersUseOneDnn() throws Exception {
        JsonNode engine = read(Engine.prepare());
        assertEquals("cpu", engine.get("backend").textValue());
        assertTrue(engine.get("natives").textValue().contains("-onednn"), engine.toString());
        assertTrue(engine.get("onednn").booleanValue());
        for (JsonNode helper : engine.get("helpers")) {
            assertTrue(helper.booleanValue(), engine.toString());
        }
        assertTrue(engine.get("gated").booleanValue());
        assertTrue(engine.get("helpers_off_because").isNull(), engine.toString());
    }

    @Test
    void theUsersOwnChoiceStandsAndIsNamed() throws Exception {
        System.setProperty(DL4JSystemProperties.DISABLE_HELPER_PROPERTY, "true");
        JsonNode engine = read(Engine.prepare());
        assertEquals("false", engine.get("helpers").get("convolution").asText());
        assertEquals(
                "the system property org.eclipse.deeplearning4j.helpers.disable is true, not false",
                engine.get("helpers_off_because").textValue());
    }

    @Test
    void threadsOfTheCallingThreadAreSet() throws Exception {
        for (long threads : new long[] {2, 1}) {
            Engine.setThreads(threads);
            JsonNode limits = read(Engine.describe()).get("threads");
            assertEquals(threads, limits.get("openmp").longValue());
            assertEquals(threads, limits.get("blas").longValue());
        }
    }

    @Test
    void noThreadsAreRefused() {
        PydlException refused = assertThrows(PydlException.class, () -> Engine.setThreads(0));
        assertEquals("threads: expected a positive number, got 0", refused.getMessage());
    }
}
