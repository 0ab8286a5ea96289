package org.pydl4j.conf;

import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.datavec.api.transform.ColumnType;
import org.datavec.api.transform.ReduceOp;
import org.datavec.api.transform.condition.Condition;
import org.datavec.api.transform.condition.ConditionOp;
import org.datavec.api.transform.condition.column.DoubleColumnCondition;
import org.datavec.api.transform.metadata.ColumnMetaData;
import org.datavec.api.transform.metadata.DoubleMetaData;
import org.datavec.api.transform.reduce.IAssociativeReducer;
import org.datavec.api.transform.reduce.Reducer;
import org.datavec.api.transform.schema.Schema;
import org.datavec.api.transform.sequence.SequenceComparator;
import org.datavec.api.transform.sequence.comparator.StringComparator;
import org.datavec.api.transform.sequence.window.OverlappingTimeWindowFunction;
import org.datavec.api.transform.sequence.window.WindowFunction;
import org.datavec.api.writable.IntWritable;
import org.datavec.api.writable.Writable;
import org.datavec.api.writable.comparator.IntWritableComparator;
import org.datavec.api.writable.comparator.TextWritableComparator;
import org.datavec.api.writable.comparator.WritableComparator;
import org.nd4j.linalg.dataset.adapter.SingletonDataSetIterator;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.conf.distribution.ConstantDistribution;
import org.deeplearning4j.nn.conf.distribution.Distribution;
import org.deeplearning4j.nn.conf.graph.GraphVertex;
import org.deeplearning4j.nn.conf.graph.SubsetVertex;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.preprocessor.FeedForwardToCnnPreProcessor;
import org.deeplearning4j.nn.weights.embeddings.ArrayEmbeddingInitializer;
import org.deeplearning4j.nn.weights.embeddings.EmbeddingInitializer;
import org.joda.time.DateTimeFieldType;
import org.joda.time.DateTimeZone;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationELU;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossFMeasure;
import org.nd4j.linalg.schedule.FixedSchedule;
import org.nd4j.linalg.schedule.ISchedule;

/** Two values of each type that constructors ask for; what of an object differs between them are no defaults. */
final class Samples {
  /** One that is there: what takes a directory makes it. */
  static final String DIRECTORY = System.getProperty("java.io.tmpdir");

  private static final Map<Type, IntFunction<Object>> VALUES = new HashMap<>();

  static {
    for (Type type : List.of(int.class, Integer.class)) {
      VALUES.put(type, i -> 1 + i);
    }
    for (Type type : List.of(long.class, Long.class)) {
      VALUES.put(type, i -> 1L + i);
    }
    for (Type type : List.of(double.class, Double.class)) {
      VALUES.put(type, i -> 0.5 - 0.25 * i);
    }
    for (Type type : List.of(float.class, Float.class)) {
      VALUES.put(type, i -> 0.5f - 0.25f * i);
    }
    for (Type type : List.of(boolean.class, Boolean.class)) {
      VALUES.put(type, i -> i == 1);
    }
    VALUES.put(byte.class, i -> (byte) (1 + i));
    VALUES.put(String.class, i -> i == 0 ? "a" : "b");
    VALUES.put(Object.class, i -> i == 0 ? "a" : "b");
    VALUES.put(File.class, i -> new File(DIRECTORY));
    VALUES.put(Character.class, i -> i == 0 ? 'a' : 'b');
    VALUES.put(Map.class, i -> Map.of(i == 0 ? "a" : "b", i));
    VALUES.put(TimeZone.class, i -> TimeZone.getTimeZone(i == 0 ? "UTC" : "GMT+1"));
    VALUES.put(DateTimeFieldType.class, i -> i == 0 ? DateTimeFieldType.year() : DateTimeFieldType.dayOfMonth());
    VALUES.put(DateTimeZone.class, i -> i == 0 ? DateTimeZone.UTC : DateTimeZone.forOffsetHours(1));
    VALUES.put(INDArray.class, i -> Nd4j.ones(DataType.FLOAT, 1 + i, 2));
    VALUES.put(DataSetIterator.class, i -> new SingletonDataSetIterator(new DataSet()));
    VALUES.put(Layer.class, i -> new DenseLayer.Builder().nIn(1 + i).nOut(1).build());
    VALUES.put(GraphVertex.class, i -> new SubsetVertex(0, i));
    VALUES.put(InputPreProcessor.class, i -> new FeedForwardToCnnPreProcessor(1, 1 + i));
    VALUES.put(IActivation.class, i -> new ActivationELU(1 + i));
    VALUES.put(ILossFunction.class, i -> new LossFMeasure(1 + i));
    VALUES.put(Distribution.class, i -> new ConstantDistribution(i));
    VALUES.put(ISchedule.class, i -> new FixedSchedule(0.5 - 0.25 * i));
    VALUES.put(EmbeddingInitializer.class, i -> new ArrayEmbeddingInitializer(Nd4j.ones(DataType.FLOAT, 1 + i, 2)));
    VALUES.put(Condition.class, i -> new DoubleColumnCondition("a", ConditionOp.LessThan, i));
    VALUES.put(ColumnMetaData.class, i -> new DoubleMetaData(i == 0 ? "a" : "b"));
    VALUES.put(IAssociativeReducer.class, i -> new Reducer.Builder(i == 0 ? ReduceOp.Sum : ReduceOp.Mean).keyColumns("a").build());
    VALUES.put(Schema.class, i -> new Schema.Builder().addColumnDouble("a", 0.0, i + 1.0).build());
    VALUES.put(SequenceComparator.class, i -> new StringComparator(i == 0 ? "a" : "b"));
    VALUES.put(WindowFunction.class, i -> new OverlappingTimeWindowFunction("a", 1 + i, TimeUnit.DAYS, 1,
        TimeUnit.DAYS));
    VALUES.put(Writable.class, IntWritable::new);
    VALUES.put(WritableComparator.class, i -> i == 0 ? new IntWritableComparator() : new TextWritableComparator());
    VALUES.put(ColumnType.class, i -> i == 0 ? ColumnType.Integer : ColumnType.Long);
  }

  /** What JSON does not hold. */
  private static final Set<Class<?>> NONE = Set.of(MultiDataSetIterator.class, JavaRDD.class, SparkContext.class, JavaSparkContext.class);

  private Samples() {}

  /**
   * The first or second value of a type.
   *
   * @throws ReflectiveOperationException there is none
   */
  static Object of(Type type, int variant) throws ReflectiveOperationException {
    if (VALUES.containsKey(type)) {
      return VALUES.get(type).apply(variant);
    }
    if (type instanceof Class) {
      return ofClass((Class<?>) type, variant);
    }
    if (type instanceof GenericArrayType) {
      return ofClass(Array.newInstance(Object.class, 0).getClass(), variant);
    }
    if (type instanceof WildcardType) {
      return of(((WildcardType) type).getUpperBounds()[0], variant);
    }
    if (type instanceof TypeVariable) {
      return of(((TypeVariable<?>) type).getBounds()[0], variant);
    }
    ParameterizedType generic = (ParameterizedType) type;
    Type[] arguments = generic.getActualTypeArguments();
    if (generic.getRawType() == Map.class) {
      Map<Object, Object> map = new LinkedHashMap<>();
      map.put(of(arguments[0], variant), of(arguments[1], variant));
      return map;
    }
    if (Collection.class.isAssignableFrom((Class<?>) generic.getRawType())) {
      Collection<Object> items = generic.getRawType() == Set.class ? new HashSet<>() : new ArrayList<>();
      items.add(of(arguments[0], variant));
      return items;
    }
    return of(generic.getRawType(), variant);
  }

  private static Object ofClass(Class<?> type, int variant) throws ReflectiveOperationException {
    if (NONE.contains(type)) {
      return null;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[Math.min(variant, type.getEnumConstants().length - 1)];
    }
    if (type.isArray()) {
      Object array = Array.newInstance(type.getComponentType(), 1);
      Array.set(array, 0, of(type.getComponentType(), variant));
      return array;
    }
    throw new NoSuchMethodException("no sample of " + type.getTypeName());
  }
}
