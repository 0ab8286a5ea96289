package org.pydl4j.conf;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.datavec.api.transform.ColumnType;
import org.datavec.api.transform.MathOp;
import org.datavec.api.transform.condition.ConditionOp;
import org.datavec.api.transform.condition.column.CategoricalColumnCondition;
import org.datavec.api.transform.condition.column.StringColumnCondition;
import org.datavec.api.transform.ndarray.NDArrayColumnsMathOpTransform;
import org.datavec.api.transform.schema.Schema;
import org.datavec.api.transform.schema.SequenceSchema;
import org.datavec.api.transform.sequence.window.OverlappingTimeWindowFunction;
import org.datavec.api.transform.sequence.window.TimeWindowFunction;
import org.datavec.api.transform.transform.doubletransform.DoubleColumnsMathOpTransform;
import org.datavec.api.transform.transform.floattransform.FloatColumnsMathOpTransform;
import org.datavec.api.transform.transform.integer.IntegerColumnsMathOpTransform;
import org.datavec.api.transform.transform.longtransform.LongColumnsMathOpTransform;
import org.datavec.api.transform.transform.sequence.SequenceOffsetTransform;
import org.datavec.api.transform.transform.time.DeriveColumnsFromTimeTransform.DerivedColumn;
import org.datavec.api.writable.IntWritable;
import org.deeplearning4j.earlystopping.saver.LocalFileGraphSaver;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.distribution.UniformDistribution;
import org.deeplearning4j.nn.conf.graph.AttentionVertex;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.Convolution1D;
import org.deeplearning4j.nn.conf.layers.Convolution1DLayer;
import org.deeplearning4j.nn.conf.layers.Convolution3D;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.LearnedSelfAttentionLayer;
import org.deeplearning4j.nn.conf.layers.LocallyConnected1D;
import org.deeplearning4j.nn.conf.layers.LocallyConnected2D;
import org.deeplearning4j.nn.conf.layers.RecurrentAttentionLayer;
import org.deeplearning4j.nn.conf.layers.SelfAttentionLayer;
import org.deeplearning4j.nn.conf.layers.misc.FrozenLayer;
import org.deeplearning4j.nn.conf.layers.objdetect.Yolo2OutputLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.Bidirectional;
import org.deeplearning4j.nn.conf.layers.util.MaskZeroLayer;
import org.joda.time.DateTimeFieldType;
import org.joda.time.DateTimeZone;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.impl.LossMixtureDensity;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Objects of each class with as little said as possible: what they have is default. */
final class DefaultInstances {
  /** An object made in one way from each of two samples of the arguments, and the way. */
  static final class Made {
    final String how;
    final List<Object> variants;
    /** An object whose document is read. */
    final Object complete;

    Made(String how, Object first, Object second, Object complete) {
      this.how = how;
      this.variants = List.of(first, second);
      this.complete = complete;
    }
  }

  /** Makes an object from a sample of its arguments. */
  private interface Maker {
    Object make(int variant) throws ReflectiveOperationException;
  }

  /** A row of the table: how an object is made, and why not by what is found. */
  private static final class Given {
    final String why;
    final Maker maker;

    Given(String why, Maker maker) {
      this.why = why;
      this.maker = maker;
    }
  }

  private static final Map<Class<?>, Given> GIVEN = new HashMap<>();
  /** What else is needed in a document before DL4J reads it. */
  private static final Map<Class<?>, Maker> COMPLETE = new HashMap<>();

  static {
    String twoColumns = "a sum takes two columns";
    given(NDArrayColumnsMathOpTransform.class, twoColumns, i -> new NDArrayColumnsMathOpTransform(name(i), op(i), "c", name(i)));
    given(DoubleColumnsMathOpTransform.class, twoColumns, i -> new DoubleColumnsMathOpTransform(name(i), op(i), "c", name(i)));
    given(FloatColumnsMathOpTransform.class, twoColumns, i -> new FloatColumnsMathOpTransform(name(i), op(i), "c", name(i)));
    given(IntegerColumnsMathOpTransform.class, twoColumns, i -> new IntegerColumnsMathOpTransform(name(i), op(i), "c", name(i)));
    given(LongColumnsMathOpTransform.class, twoColumns, i -> new LongColumnsMathOpTransform(name(i), op(i), "c", name(i)));
    given(LocalFileGraphSaver.class, "it makes its directory", i -> new LocalFileGraphSaver(Samples.DIRECTORY));
    String factories = "its constructor is for Jackson; users call these";
    given(InputType.InputTypeFeedForward.class, factories, i -> InputType.feedForward(1 + i));
    given(InputType.InputTypeRecurrent.class, factories, i -> InputType.recurrent(1 + i));
    given(InputType.InputTypeConvolutional.class, factories, i -> InputType.convolutional(1 + i, 2 + i, 3 + i));
    given(InputType.InputTypeConvolutionalFlat.class, factories, i -> InputType.convolutionalFlat(1 + i, 2 + i, 3 + i));
    given(InputType.InputTypeConvolutional3D.class, factories,
        i -> InputType.convolutional3D(Convolution3D.DataFormat.values()[i], 1 + i, 2 + i, 3 + i, 4 + i));
    String onlyEquality = "one text can only be equal or not";
    given(CategoricalColumnCondition.class, onlyEquality, i -> new CategoricalColumnCondition(name(i), equality(i), name(i)));
    given(StringColumnCondition.class, onlyEquality, i -> new StringColumnCondition(name(i), equality(i), name(i)));
    given(DerivedColumn.class, "a text may be a wrong format of times",
        i -> new DerivedColumn(name(i), ColumnType.Integer, null, DateTimeZone.UTC,
            i == 0 ? DateTimeFieldType.year() : DateTimeFieldType.dayOfMonth()));
    given(SequenceOffsetTransform.class, "a value goes with one way to handle edges only",
        i -> new SequenceOffsetTransform(List.of(name(i)), 1 + i, SequenceOffsetTransform.OperationType.values()[i],
            SequenceOffsetTransform.EdgeHandling.values()[i], i == 0 ? null : new IntWritable(i)));
    String needsColumn = "its builder needs a column and a size";
    given(OverlappingTimeWindowFunction.class, needsColumn, i -> new OverlappingTimeWindowFunction.Builder().timeColumn(name(i))
        .windowSize(1 + i, TimeUnit.values()[3 + i]).windowSeparation(2 + i, TimeUnit.values()[3 + i]).build());
    given(TimeWindowFunction.class, needsColumn,
        i -> new TimeWindowFunction.Builder().timeColumn(name(i)).windowSize(1 + i, TimeUnit.values()[3 + i]).build());
    given(UniformDistribution.class, "its bounds must differ", i -> new UniformDistribution(-1 - i, 1 + i));
    COMPLETE.put(Schema.class, i -> new Schema.Builder().addColumnString("a").build());
    COMPLETE.put(SequenceSchema.class, i -> new SequenceSchema.Builder().addColumnString("a").build());
    COMPLETE.put(FrozenLayer.class, i -> new FrozenLayer(new LSTM.Builder().nIn(1).nOut(1).build()));
    COMPLETE.put(MaskZeroLayer.class, i -> new MaskZeroLayer(new LSTM.Builder().nIn(1).nOut(1).build(), 0));
    COMPLETE.put(LocallyConnected1D.class, DefaultInstances::locallyConnected1D);
    COMPLETE.put(LocallyConnected2D.class, DefaultInstances::locallyConnected2D);
    String heads = "its builder needs sizes";
    given(AttentionVertex.class, heads,
        i -> new AttentionVertex.Builder().nInKeys(2 + i).nInValues(2 + i).nInQueries(2 + i).nOut(2 + i).build());
    given(SelfAttentionLayer.class, heads, i -> new SelfAttentionLayer.Builder().nIn(2 + i).nOut(2 + i).nHeads(1).build());
    given(LearnedSelfAttentionLayer.class, heads,
        i -> new LearnedSelfAttentionLayer.Builder().nIn(2 + i).nOut(2 + i).nHeads(1).nQueries(1 + i).build());
    given(RecurrentAttentionLayer.class, heads, i -> new RecurrentAttentionLayer.Builder().nIn(2 + i).nOut(2 + i).nHeads(1).build());
    given(Convolution1DLayer.class, "its builder needs a size", i -> new Convolution1DLayer.Builder(1 + i).build());
    given(Convolution1D.class, "its builder needs a size", i -> new Convolution1D.Builder(1 + i).build());
    given(Yolo2OutputLayer.class, "its builder needs boxes",
        i -> new Yolo2OutputLayer.Builder().boundingBoxPriors(Nd4j.ones(DataType.FLOAT, 1 + i, 2)).build());
    given(Bidirectional.class, "its builder loses what it is given",
        i -> new Bidirectional(new LSTM.Builder().nIn(1).nOut(1 + i).build()));
    given(LossMixtureDensity.class, "its builder needs sizes",
        i -> LossMixtureDensity.builder().gaussians(1 + i).labelWidth(1 + i).build());
    given(MapSchedule.class, "its builder needs a first value",
        i -> new MapSchedule.Builder(ScheduleType.values()[i]).add(0, i).build());
    given(NeuralNetConfiguration.class, "its builder takes the seed from the clock",
        i -> new NeuralNetConfiguration.Builder().seed(1 + i).layer(new DenseLayer.Builder().nIn(1).nOut(1 + i).build()).build());
    given(MultiLayerConfiguration.class, "its builder needs a layer",
        i -> new NeuralNetConfiguration.Builder().seed(0).list(new DenseLayer.Builder().nIn(1).nOut(1 + i).build()).build());
    given(ComputationGraphConfiguration.class, "its builder needs a vertex",
        i -> new NeuralNetConfiguration.Builder().seed(0).graphBuilder().addInputs(name(i)).setOutputs("out" + i)
            .addLayer("out" + i, new DenseLayer.Builder().nIn(1).nOut(1).build(), name(i)).build());
  }

  private DefaultInstances() {}

  private static Object locallyConnected1D(int variant) {
    LocallyConnected1D layer = new LocallyConnected1D.Builder().nIn(1).nOut(1).setInputSize(4).build();
    layer.setNIn(InputType.recurrent(1, 4), true);
    return layer;
  }

  private static Object locallyConnected2D(int variant) {
    LocallyConnected2D layer = new LocallyConnected2D.Builder().nIn(1).nOut(1).setInputSize(4, 4).build();
    layer.setNIn(InputType.convolutional(4, 4, 1), true);
    layer.computeOutputSize();
    return layer;
  }

  private static void given(Class<?> type, String why, Maker maker) {
    GIVEN.put(type, new Given(why, maker));
  }

  private static String name(int variant) {
    return variant == 0 ? "a" : "b";
  }

  private static ConditionOp equality(int variant) {
    return variant == 0 ? ConditionOp.Equal : ConditionOp.NotEqual;
  }

  private static MathOp op(int variant) {
    return variant == 0 ? MathOp.Add : MathOp.Multiply;
  }

  /**
   * Objects made as the table says, or by the builder, or by a constructor, each with the fewest arguments.
   *
   * @throws ReflectiveOperationException there is none of these, or it fails
   */
  static Made of(Class<?> type) throws ReflectiveOperationException {
    if (GIVEN.containsKey(type)) {
      return made(type, GIVEN.get(type).why, GIVEN.get(type).maker);
    }
    for (Class<?> nested : type.getDeclaredClasses()) {
      if (nested.getSimpleName().equals("Builder") && Arrays.stream(nested.getMethods()).anyMatch(m -> m.getName().equals("build"))) {
        Constructor<?> constructor = smallest(nested.getDeclaredConstructors());
        constructor.setAccessible(true);
        return made(type, signature(constructor) + ".build()", i -> nested.getMethod("build").invoke(construct(constructor, i)));
      }
    }
    boolean anyPublic = type.getConstructors().length > 0;
    Constructor<?> constructor = smallest(anyPublic ? type.getConstructors() : type.getDeclaredConstructors());
    constructor.setAccessible(true);
    return made(type, signature(constructor), i -> construct(constructor, i));
  }

  private static Made made(Class<?> type, String how, Maker maker) throws ReflectiveOperationException {
    try {
      Object first = maker.make(0);
      Object complete = COMPLETE.containsKey(type) ? COMPLETE.get(type).make(0) : first;
      return new Made(how, first, maker.make(1), complete);
    } catch (InvocationTargetException e) {
      throw new ReflectiveOperationException(how, e.getCause());
    }
  }

  private static Constructor<?> smallest(Constructor<?>[] constructors) throws NoSuchMethodException {
    return Arrays.stream(constructors).filter(c -> !c.isSynthetic())
        .filter(c -> !Modifier.isPrivate(c.getModifiers()) || c.getParameterCount() == 0)
        .min(Comparator.<Constructor<?>>comparingInt(Constructor::getParameterCount)
            .thenComparing(DefaultInstances::weight).thenComparing(DefaultInstances::signature))
        .orElseThrow(() -> new NoSuchMethodException("no constructor"));
  }

  /** How far the parameters are from plain numbers. */
  private static int weight(Constructor<?> constructor) {
    return Arrays.stream(constructor.getParameterTypes())
        .mapToInt(type -> type.isPrimitive() ? 0 : Collection.class.isAssignableFrom(type) ? 100 : 1).sum();
  }

  private static Object construct(Constructor<?> constructor, int variant) throws ReflectiveOperationException {
    Type[] types = constructor.getGenericParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = Samples.of(types[i], variant);
    }
    return constructor.newInstance(arguments);
  }

  private static String signature(Constructor<?> constructor) {
    String parameters = Arrays.stream(constructor.getParameterTypes()).map(JavaNames::brief).collect(Collectors.joining(", "));
    return "new " + JavaNames.brief(constructor.getDeclaringClass()) + "(" + parameters + ")";
  }
}
