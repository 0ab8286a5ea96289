package org.pydl4j.nn;

import java.util.HashMap;
import java.util.Map;
import org.deeplearning4j.nn.api.MaskState;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.graph.vertex.GraphVertex;
import org.deeplearning4j.nn.graph.vertex.VertexIndices;
import org.deeplearning4j.nn.graph.vertex.impl.LayerVertex;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * What becomes of the masks of features on their way to the output layers, as DL4J's layers have it. Its output layers leave such a mask out
 * of the loss, so that padding counts; here it is asked for, to be handed in with the labels.
 */
final class MaskFlow {
    private static final Pair<INDArray, MaskState> NONE = new Pair<>(null, null);

    private MaskFlow() {}

    /** The mask before the last layer; null for none. */
    static INDArray of(MultiLayerNetwork network, INDArray mask) {
        int last = network.getnLayers() - 1;
        int rows = Math.toIntExact(mask.size(0));
        Pair<INDArray, MaskState> at = new Pair<>(mask, MaskState.Active);
        try {
            for (int i = 0; i <= last && at.getFirst() != null; i++) {
                at = through(network.getLayerWiseConfigurations().getInputPreProcess(i), at, rows);
                if (i < last && at.getFirst() != null) {
                    at = orNone(network.getLayer(i).feedForwardMaskArray(at.getFirst(), at.getSecond(), rows));
                }
            }
        } finally {
            network.clearLayerMaskArrays();
        }
        return at.getFirst();
    }

    /** The mask before each output; null for none. */
    static INDArray[] of(ComputationGraph graph, INDArray[] masks, int rows) {
        INDArray[] arrived = new INDArray[graph.getNumOutputArrays()];
        try {
            graph.setLayerMaskArrays(masks, null); // where some vertices look them up
            Map<Integer, Pair<INDArray, MaskState>> after = after(graph, masks, rows);
            for (int i = 0; i < arrived.length; i++) {
                GraphVertex output = graph.getVertex(graph.getConfiguration().getNetworkOutputs().get(i));
                Pair<INDArray, MaskState> before = after.get(output.getInputVertices()[0].getVertexIndex());
                arrived[i] = output instanceof LayerVertex
                        ? through(((LayerVertex) output).getLayerPreProcessor(), before, rows).getFirst()
                        : null;
            }
        } finally {
            graph.clearLayerMaskArrays();
        }
        return arrived;
    }

    /** The mask after each vertex, by the vertex' number. */
    private static Map<Integer, Pair<INDArray, MaskState>> after(ComputationGraph graph, INDArray[] masks, int rows) {
        Map<Integer, Pair<INDArray, MaskState>> after = new HashMap<>();
        for (int index : graph.topologicalSortOrder()) {
            GraphVertex vertex = graph.getVertices()[index];
            if (vertex.isInputVertex()) {
                after.put(index, masks[index] == null ? NONE : new Pair<>(masks[index], MaskState.Active));
                continue;
            }
            VertexIndices[] inputs = vertex.getInputVertices();
            INDArray[] before = new INDArray[inputs.length];
            MaskState state = null;
            for (int i = 0; i < before.length; i++) {
                Pair<INDArray, MaskState> pair = after.get(inputs[i].getVertexIndex());
                before[i] = pair.getFirst();
                state = state == null || state == MaskState.Passthrough ? pair.getSecond() : state;
            }
            after.put(index, orNone(vertex.feedForwardMaskArrays(before, state, rows)));
        }
        return after;
    }

    private static Pair<INDArray, MaskState> through(InputPreProcessor before, Pair<INDArray, MaskState> at, int rows) {
        return before == null || at.getFirst() == null
                ? at
                : orNone(before.feedForwardMaskArray(at.getFirst(), at.getSecond(), rows));
    }

    private static Pair<INDArray, MaskState> orNone(Pair<INDArray, MaskState> pair) {
        return pair == null ? NONE : pair;
    }
}
