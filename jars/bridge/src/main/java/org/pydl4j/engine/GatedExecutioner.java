package org.pydl4j.engine;

import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.CustomOp;
import org.nd4j.linalg.api.ops.OpContext;
import org.nd4j.linalg.cpu.nativecpu.ops.NativeOpExecutioner;

/**
 * ND4J's CPU executioner, with oneDNN only where {@link HelperGate} lets it.
 *
 * <p>ND4J makes the one that the system property {@code opexec} names, when it starts.
 */
public final class GatedExecutioner extends NativeOpExecutioner {
    @Override
    public INDArray[] exec(CustomOp op, OpContext context) {
        if (!HelperGate.allows(op.opName(), context.getIArguments())) {
            context.allowHelpers(false);
        }
        return super.exec(op, context);
    }
}
