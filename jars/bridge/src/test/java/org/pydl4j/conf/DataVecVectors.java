package org.pydl4j.conf;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.datavec.api.transform.ColumnType;
import org.datavec.api.transform.Distance;
import org.datavec.api.transform.MathFunction;
import org.datavec.api.transform.MathOp;
import org.datavec.api.transform.ReduceOp;
import org.datavec.api.transform.Transform;
import org.datavec.api.transform.TransformProcess;
import org.datavec.api.transform.condition.BooleanCondition;
import org.datavec.api.transform.condition.Condition;
import org.datavec.api.transform.condition.ConditionOp;
import org.datavec.api.transform.condition.column.CategoricalColumnCondition;
import org.datavec.api.transform.condition.column.DoubleColumnCondition;
import org.datavec.api.transform.condition.column.FloatColumnCondition;
import org.datavec.api.transform.condition.column.InfiniteColumnCondition;
import org.datavec.api.transform.condition.column.IntegerColumnCondition;
import org.datavec.api.transform.condition.column.InvalidValueColumnCondition;
import org.datavec.api.transform.condition.column.LongColumnCondition;
import org.datavec.api.transform.condition.column.NaNColumnCondition;
import org.datavec.api.transform.condition.column.NullWritableColumnCondition;
import org.datavec.api.transform.condition.column.StringColumnCondition;
import org.datavec.api.transform.condition.column.TimeColumnCondition;
import org.datavec.api.transform.condition.column.TrivialColumnCondition;
import org.datavec.api.transform.condition.sequence.SequenceLengthCondition;
import org.datavec.api.transform.condition.string.StringRegexColumnCondition;
import org.datavec.api.transform.filter.FilterInvalidValues;
import org.datavec.api.transform.filter.InvalidNumColumns;
import org.datavec.api.transform.metadata.BinaryMetaData;
import org.datavec.api.transform.metadata.BooleanMetaData;
import org.datavec.api.transform.metadata.CategoricalMetaData;
import org.datavec.api.transform.metadata.ColumnMetaData;
import org.datavec.api.transform.metadata.DoubleMetaData;
import org.datavec.api.transform.metadata.FloatMetaData;
import org.datavec.api.transform.metadata.IntegerMetaData;
import org.datavec.api.transform.metadata.LongMetaData;
import org.datavec.api.transform.metadata.NDArrayMetaData;
import org.datavec.api.transform.metadata.StringMetaData;
import org.datavec.api.transform.metadata.TimeMetaData;
import org.datavec.api.transform.ndarray.NDArrayColumnsMathOpTransform;
import org.datavec.api.transform.ndarray.NDArrayDistanceTransform;
import org.datavec.api.transform.ndarray.NDArrayMathFunctionTransform;
import org.datavec.api.transform.ndarray.NDArrayScalarOpTransform;
import org.datavec.api.transform.reduce.Reducer;
import org.datavec.api.transform.reduce.impl.GeographicMidpointReduction;
import org.datavec.api.transform.schema.Schema;
import org.datavec.api.transform.schema.SequenceSchema;
import org.datavec.api.transform.sequence.comparator.NumericalColumnComparator;
import org.datavec.api.transform.sequence.comparator.StringComparator;
import org.datavec.api.transform.sequence.split.SequenceSplitTimeSeparation;
import org.datavec.api.transform.sequence.split.SplitMaxLengthSequence;
import org.datavec.api.transform.sequence.window.OverlappingTimeWindowFunction;
import org.datavec.api.transform.sequence.window.TimeWindowFunction;
import org.datavec.api.transform.transform.categorical.FirstDigitTransform;
import org.datavec.api.transform.transform.categorical.PivotTransform;
import org.datavec.api.transform.transform.condition.ConditionalReplaceValueTransform;
import org.datavec.api.transform.transform.doubletransform.ConvertToDouble;
import org.datavec.api.transform.transform.doubletransform.Log2Normalizer;
import org.datavec.api.transform.transform.doubletransform.MinMaxNormalizer;
import org.datavec.api.transform.transform.doubletransform.StandardizeNormalizer;
import org.datavec.api.transform.transform.doubletransform.SubtractMeanNormalizer;
import org.datavec.api.transform.transform.floattransform.ConvertToFloat;
import org.datavec.api.transform.transform.integer.ReplaceEmptyIntegerWithValueTransform;
import org.datavec.api.transform.transform.integer.ReplaceInvalidWithIntegerTransform;
import org.datavec.api.transform.transform.nlp.TextToCharacterIndexTransform;
import org.datavec.api.transform.transform.nlp.TextToTermIndexSequenceTransform;
import org.datavec.api.transform.transform.parse.ParseDoubleTransform;
import org.datavec.api.transform.transform.sequence.SequenceDifferenceTransform;
import org.datavec.api.transform.transform.sequence.SequenceMovingWindowReduceTransform;
import org.datavec.api.transform.transform.sequence.SequenceOffsetTransform;
import org.datavec.api.transform.transform.string.ChangeCaseStringTransform;
import org.datavec.api.transform.transform.string.ConcatenateStringColumns;
import org.datavec.api.transform.transform.string.MapAllStringsExceptListTransform;
import org.datavec.api.transform.transform.string.ReplaceEmptyStringTransform;
import org.datavec.api.transform.transform.string.StringListToCategoricalSetTransform;
import org.datavec.api.transform.transform.string.StringListToCountsNDArrayTransform;
import org.datavec.api.transform.transform.string.StringListToIndicesNDArrayTransform;
import org.datavec.api.transform.transform.time.DeriveColumnsFromTimeTransform;
import org.datavec.api.transform.transform.time.StringToTimeTransform;
import org.datavec.api.writable.BooleanWritable;
import org.datavec.api.writable.ByteWritable;
import org.datavec.api.writable.BytesWritable;
import org.datavec.api.writable.DoubleWritable;
import org.datavec.api.writable.FloatWritable;
import org.datavec.api.writable.IntWritable;
import org.datavec.api.writable.LongWritable;
import org.datavec.api.writable.NullWritable;
import org.datavec.api.writable.Text;
import org.datavec.api.writable.Writable;
import org.datavec.api.writable.comparator.DoubleWritableComparator;
import org.datavec.api.writable.comparator.FloatWritableComparator;
import org.datavec.api.writable.comparator.IntWritableComparator;
import org.datavec.api.writable.comparator.LongWritableComparator;
import org.datavec.api.writable.comparator.TextWritableComparator;
import org.joda.time.DateTimeFieldType;
import org.joda.time.DateTimeZone;

/**
 * Writes what DataVec's own builders make of schemas and transform processes; the Python tests build the same and compare byte for byte.
 *
 * <p>To make the files anew, with a class path that has a native backend and the bridge's test classes:
 * {@code java -cp <class path> org.pydl4j.conf.DataVecVectors tests/golden/datavec}
 */
public final class DataVecVectors {
  private static final DateTimeZone PARIS = DateTimeZone.forID("Europe/Paris");

  private final Map<String, TransformProcess> processes = new LinkedHashMap<>();
  private final Map<String, TransformProcess> refused = new LinkedHashMap<>();
  private final Map<String, Schema> schemas = new LinkedHashMap<>();

  private DataVecVectors() {}

  /** Writes schemas, processes with their final schemas, and processes that DataVec cannot read back as they were, into a directory. */
  public static void main(String[] args) throws Exception {
    Path directory = Files.createDirectories(Path.of(args[0]));
    DataVecVectors vectors = new DataVecVectors();
    vectors.addSchemas();
    vectors.addColumns();
    vectors.addNumbers();
    vectors.addCategories();
    vectors.addWritables();
    vectors.addConditions();
    vectors.addStrings();
    vectors.addTimes();
    vectors.addArraysAndText();
    vectors.addSequences();
    vectors.addReducers();
    vectors.addWhole();
    vectors.addRefused();
    vectors.write(directory);
  }

  private void write(Path directory) throws Exception {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, Schema> entry : schemas.entrySet()) {
      section(text, entry.getKey() + " json", entry.getValue().toJson());
      section(text, entry.getKey() + " yaml", entry.getValue().toYaml());
    }
    Files.writeString(directory.resolve("schemas.txt"), text.toString());
    text.setLength(0);
    for (Map.Entry<String, TransformProcess> entry : processes.entrySet()) {
      String json = entry.getValue().toJson();
      check(entry.getKey(), entry.getValue(), json);
      section(text, entry.getKey() + " process", json);
      section(text, entry.getKey() + " final", entry.getValue().getFinalSchema().toJson());
    }
    Files.writeString(directory.resolve("processes.txt"), text.toString());
    text.setLength(0);
    for (Map.Entry<String, TransformProcess> entry : refused.entrySet()) {
      section(text, entry.getKey(), entry.getValue().toJson());
    }
    Files.writeString(directory.resolve("refused.txt"), text.toString());
  }

  private static void section(StringBuilder text, String title, String body) {
    text.append("=== ").append(title).append('\n').append(body).append('\n');
  }

  private static void check(String name, TransformProcess process, String json) {
    if (!json.equals(process.toYaml())) {
      throw new IllegalStateException(name + ": toYaml() is not toJson()");
    }
    TransformProcess read = TransformProcess.fromJson(json);
    if (!read.toJson().equals(json)) {
      System.out.println("changes when read: " + name);
    }
    if (!read.getFinalSchema().toJson().equals(process.getFinalSchema().toJson())) {
      System.out.println("final schema changes when read: " + name);
    }
  }

  private static Schema columns() {
    return new Schema.Builder()
        .addColumnsString("id", "s")
        .addColumnTime("t", DateTimeZone.UTC)
        .addColumnCategorical("c", "x", "y")
        .addColumnDouble("v", 0.0, null)
        .addColumnInteger("n", -3, 7)
        .addColumnLong("l", -3L, 7L)
        .addColumnFloat("f", -0.1f, 1.5f)
        .addColumnBoolean("b")
        .addColumnNDArray("arr", new long[] {1, 3})
        .addColumnNDArray("arr2", new long[] {1, 3})
        .build();
  }

  private static SequenceSchema sequence() {
    return new SequenceSchema(columns().getColumnMetaData(), 2, null);
  }

  private void add(String name, UnaryOperator<TransformProcess.Builder> steps) {
    add(name, columns(), steps);
  }

  private void add(String name, Schema schema, UnaryOperator<TransformProcess.Builder> steps) {
    TransformProcess process = steps.apply(new TransformProcess.Builder(schema)).build();
    if (processes.put(name, process) != null) {
      throw new IllegalStateException("twice: " + name);
    }
  }

  private void add(String name, Transform... transforms) {
    add(name, columns(), transforms);
  }

  private void add(String name, Schema schema, Transform... transforms) {
    add(name, schema, builder -> {
      for (Transform transform : transforms) {
        builder.transform(transform);
      }
      return builder;
    });
  }

  private void addSchemas() {
    List<ColumnMetaData> all = List.of(
        new StringMetaData("s"),
        new StringMetaData("s full \"quoted\" \u00e9", "[a-z]+\\.", 1, 9),
        new IntegerMetaData("n"),
        new IntegerMetaData("n full", Integer.MIN_VALUE, Integer.MAX_VALUE),
        new LongMetaData("l"),
        new LongMetaData("l full", Long.MIN_VALUE, Long.MAX_VALUE),
        new DoubleMetaData("v"),
        new DoubleMetaData("v full", -1e-5, 1e10, true, true),
        new FloatMetaData("f"),
        new FloatMetaData("f full", 0.1f, 3e9f, true, true),
        new CategoricalMetaData("c", "x", "y"),
        new TimeMetaData("t"),
        new TimeMetaData("t full", PARIS, 0L, 1500000000000L),
        new BooleanMetaData("b"),
        new BinaryMetaData("bytes"),
        new NDArrayMetaData("arr", new long[] {1, 3}),
        new NDArrayMetaData("arr var", new long[] {-1, 3}));
    schemas.put("all", new Schema(all));
    schemas.put("sequence", new SequenceSchema(all.subList(0, 2)));
    schemas.put("sequence_full", new SequenceSchema(all.subList(0, 2), 1, 20));
    schemas.put("golden", goldenSchema());
    schemas.put("odd_names", new Schema.Builder().addColumnsString("", "yes", "12", "a: b", "- c", "#d", "\t", "null").build());
    add("schema_all", new Schema(all), new org.datavec.api.transform.transform.string.ConvertToString("v"));
    add("schema_sequence_full", new SequenceSchema(all, 1, 20), builder -> builder.trimSequence(1, false));
  }

  private void addColumns() {
    add("remove", builder -> builder.removeColumns("arr", "id"));
    add("keep", builder -> builder.removeAllColumnsExceptFor("v", "id"));
    add("rename", builder -> builder.renameColumns(List.of("v", "id"), List.of("value", "key")).renameColumn("value", "v"));
    add("reorder", builder -> builder.reorderColumns("v", "id"));
    add("duplicate", builder -> builder.duplicateColumns(List.of("v", "n"), List.of("v2", "n2")).duplicateColumn("id", "id2"));
    add("constants", builder -> builder
        .addConstantDoubleColumn("cd", 0.1)
        .addConstantIntegerColumn("ci", -1)
        .addConstantLongColumn("cl", 1L << 40)
        .addConstantColumn("cf", ColumnType.Float, new FloatWritable(0.1f))
        .addConstantColumn("cs", ColumnType.String, new Text("text"))
        .addConstantColumn("ct", ColumnType.Time, new LongWritable(0))
        .addConstantColumn("cb", ColumnType.Boolean, new BooleanWritable(true)));
  }

  private static Schema numbers() {
    return new Schema.Builder()
        .addColumnDouble("v", 0.0, null)
        .addColumnInteger("n", -3, 7)
        .addColumnLong("l", -3L, 7L)
        .addColumnFloat("f", -0.1f, 1.5f)
        .build();
  }

  private void addNumbers() {
    for (MathOp op : MathOp.values()) {
      if (op != MathOp.ReverseDivide) {
        add("integer_" + op, numbers(), builder -> builder.integerMathOp("n", op, 2));
        add("long_" + op, numbers(), builder -> builder.longMathOp("l", op, -3L));
        add("float_" + op, numbers(), builder -> builder.floatMathOp("f", op, -0.3f));
      }
      add("double_" + op, numbers(), builder -> builder.doubleMathOp("v", op, -0.3));
    }
    Schema edges = new Schema.Builder()
        .addColumnInteger("n", Integer.MIN_VALUE, Integer.MAX_VALUE)
        .addColumnLong("l", Long.MIN_VALUE, Long.MAX_VALUE)
        .addColumnDouble("v", -1e308, 0.0)
        .addColumnFloat("f", -1e38f, 0f)
        .build();
    add("overflow", edges, builder -> builder
        .integerMathOp("n", MathOp.Add, 1)
        .longMathOp("l", MathOp.Multiply, 3)
        .doubleMathOp("v", MathOp.Multiply, 1e10)
        .floatMathOp("f", MathOp.Multiply, 1e10f));
    add("reverse_divide", edges, builder -> builder
        .integerMathOp("n", MathOp.ReverseDivide, 7)
        .integerMathOp("n", MathOp.Divide, 1)
        .longMathOp("l", MathOp.ReverseDivide, 7)
        .doubleMathOp("v", MathOp.ReverseDivide, 1)
        .floatMathOp("f", MathOp.ReverseDivide, -1));
    add("minus_one", edges, builder -> builder.integerMathOp("n", MathOp.Divide, -1).longMathOp("l", MathOp.Divide, -1));
    add("modulus", edges, builder -> builder
        .integerMathOp("n", MathOp.Modulus, -7)
        .longMathOp("l", MathOp.Modulus, 7)
        .doubleMathOp("v", MathOp.Modulus, 7)
        .floatMathOp("f", MathOp.Modulus, 7));
    add("by_zero", edges, builder -> builder.doubleMathOp("v", MathOp.Divide, 0).floatMathOp("f", MathOp.Modulus, 0));
    add("columns_math", builder -> builder
        .integerColumnsMathOp("n+n", MathOp.Add, "n", "n", "n")
        .longColumnsMathOp("l-l", MathOp.Subtract, "l", "l")
        .floatColumnsMathOp("f*f", MathOp.Multiply, "f", "f")
        .doubleColumnsMathOp("v/v", MathOp.Divide, "v", "v")
        .doubleColumnsMathOp("v%v", MathOp.Modulus, "v", "v"));
    add("functions", numbers(), builder -> {
      for (MathFunction function : MathFunction.values()) {
        builder.doubleMathFunction("v", function).floatMathFunction("f", function);
      }
      return builder;
    });
    add("function_elsewhere", builder -> builder.doubleMathFunction("n", MathFunction.ABS).floatMathFunction("s", MathFunction.ABS));
    add("conversions", builder -> builder.convertToString("n").convertToDouble("s").convertToInteger("v").transform(new ConvertToFloat("l")));
    add("integer_to_one_hot", builder -> builder.integerToOneHot("n", -1, 2));
    add("replace_integers", new ReplaceEmptyIntegerWithValueTransform("n", 3), new ReplaceInvalidWithIntegerTransform("n", -3));
    add("normalizers",
        new Log2Normalizer("v", 1.5, 0.5, 0.1),
        new MinMaxNormalizer("v", -1, 3),
        new MinMaxNormalizer("n", -1, 3, 0.5, 0.75),
        new StandardizeNormalizer("v", 0.1, 2),
        new StandardizeNormalizer("l", 0.1, 2),
        new SubtractMeanNormalizer("v", 1e-7),
        new SubtractMeanNormalizer("f", 1e7));
    add("parse_doubles", new ParseDoubleTransform());
  }

  private void addCategories() {
    add("to_integer", builder -> builder.categoricalToInteger("c"));
    add("to_one_hot", builder -> builder.categoricalToOneHot("c"));
    Map<Integer, String> map = new LinkedHashMap<>();
    map.put(3, "three");
    map.put(1, "one");
    add("from_integer", builder -> builder.integerToCategorical("n", List.of("zero", "one")).integerToCategorical("l", map));
    add("from_string", builder -> builder.stringToCategorical("s", List.of("p", "q")));
    add("first_digit", builder -> builder
        .firstDigitTransform("v", "first")
        .firstDigitTransform("n", "n", FirstDigitTransform.Mode.EXCEPTION_ON_INVALID));
  }

  private void addWritables() {
    Condition condition = new NullWritableColumnCondition("s");
    List<Writable> writables = List.of(
        new IntWritable(-1),
        new LongWritable(1L << 40),
        new DoubleWritable(1e-5),
        new DoubleWritable(Double.NaN),
        new FloatWritable(0.1f),
        new BooleanWritable(false),
        new ByteWritable((byte) -3),
        new NullWritable(),
        new BytesWritable(new byte[] {1, 2, -3}),
        new Text(""),
        new Text("text"),
        new Text("longer than ten"),
        new Text("\u00e9"),
        new Text("\u00e9\u00e8\u20ac and \ud83d\ude00"),
        new Text("exactly fits".getBytes(StandardCharsets.UTF_8)));
    add("writables", writables.stream()
        .map(writable -> new ConditionalReplaceValueTransform("s", writable, condition))
        .toArray(Transform[]::new));
  }

  private void addConditions() {
    add("condition_values", builder -> {
      for (ConditionOp op : List.of(ConditionOp.values()).subList(0, 6)) {
        builder
            .filter(new DoubleColumnCondition("v", op, 0.1))
            .filter(new FloatColumnCondition("f", op, 0.1f))
            .filter(new IntegerColumnCondition("n", op, -1))
            .filter(new LongColumnCondition("l", op, 1L << 40))
            .filter(new TimeColumnCondition("t", op, 1500000000000L));
      }
      return builder;
    });
    add("condition_texts", builder -> {
      for (ConditionOp op : List.of(ConditionOp.Equal, ConditionOp.NotEqual)) {
        builder.filter(new StringColumnCondition("s", op, "p")).filter(new CategoricalColumnCondition("c", op, "x"));
      }
      return builder;
    });
    add("condition_sets", builder -> {
      for (ConditionOp op : List.of(ConditionOp.InSet, ConditionOp.NotInSet)) {
        builder
            .filter(new DoubleColumnCondition("v", op, set(0.1, 2.0, -3e10)))
            .filter(new FloatColumnCondition("f", op, set(0.1f, 2f, -3e10f)))
            .filter(new IntegerColumnCondition("n", op, set(100, -1, 3)))
            .filter(new LongColumnCondition("l", op, set(1L << 40, -1L, 3L)))
            .filter(new TimeColumnCondition("t", op, set(1500000000000L, 0L)))
            .filter(new StringColumnCondition("s", op, set("pear", "apple", "fig", "orange")))
            .filter(new CategoricalColumnCondition("c", op, set("y", "x")));
      }
      return builder;
    });
    Set<Integer> many = new TreeSet<>();
    Set<String> words = new TreeSet<>();
    Set<Double> reals = new TreeSet<>();
    Set<Long> longs = new TreeSet<>();
    Set<Float> floats = new TreeSet<>();
    for (int i = 0; i < 40; i++) {
      many.add(i * i * 7919 - 3000);
      words.add("word " + i * i);
      reals.add(i * 0.37 - 3);
      longs.add(i * 7919L * 7919L * 7919L - 9);
      floats.add(i * 0.37f - 3);
    }
    add("condition_hash_sets", builder -> builder
        .filter(new IntegerColumnCondition("n", ConditionOp.InSet, new HashSet<>(many)))
        .filter(new StringColumnCondition("s", ConditionOp.InSet, new HashSet<>(words)))
        .filter(new DoubleColumnCondition("v", ConditionOp.InSet, new HashSet<>(reals)))
        .filter(new LongColumnCondition("l", ConditionOp.InSet, new HashSet<>(longs)))
        .filter(new FloatColumnCondition("f", ConditionOp.InSet, new HashSet<>(floats))));
    add("condition_others", builder -> builder
        .filter(new NullWritableColumnCondition("s"))
        .filter(new StringRegexColumnCondition("s", "a.*\\d"))
        .filter(new TrivialColumnCondition("n")));
    Condition low = new IntegerColumnCondition("n", ConditionOp.LessThan, 0);
    Condition high = new DoubleColumnCondition("v", ConditionOp.GreaterThan, 9);
    add("condition_boolean", builder -> builder
        .filter(BooleanCondition.AND(low, high, new NullWritableColumnCondition("s")))
        .filter(BooleanCondition.OR(low))
        .filter(BooleanCondition.NOT(high))
        .filter(BooleanCondition.XOR(BooleanCondition.NOT(low), high)));
    add("condition_sequence", sequence(), builder -> builder
        .filter(new SequenceLengthCondition(ConditionOp.LessThan, 3))
        .filter(new SequenceLengthCondition(ConditionOp.InSet, set(3, 4))));
    add("conditional", builder -> builder
        .conditionalReplaceValueTransform("n", new IntWritable(0), low)
        .conditionalReplaceValueTransformWithDefault("n", new IntWritable(1), new IntWritable(0), low)
        .conditionalCopyValueTransform("n", "l", high));
    add("filter_invalid", builder -> builder.filter(new FilterInvalidValues()).filter(new FilterInvalidValues("n", "v")));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static <T> Set<T> set(T... values) {
    return new LinkedHashSet<>(Arrays.asList(values));
  }

  private void addStrings() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("zebra\\d", "horse");
    map.put("a", "b");
    add("strings", builder -> builder
        .appendStringColumnTransform("s", "!")
        .transform(new ChangeCaseStringTransform("s"))
        .transform(new ChangeCaseStringTransform("s", ChangeCaseStringTransform.CaseType.UPPER))
        .transform(new ConcatenateStringColumns("both", "-", "id", "s"))
        .convertToString("l")
        .stringRemoveWhitespaceTransform("s")
        .transform(new ReplaceEmptyStringTransform("s", "empty"))
        .replaceStringTransform("s", map)
        .stringMapTransform("s", map)
        .transform(new MapAllStringsExceptListTransform("s", "other", List.of("pear", "apple", "fig", "orange", "plum"))));
    add("string_exceptions", new Schema.Builder().addColumnString("s").build(), Stream.of(1, 11, 12, 13, 24, 25, 48)
        .map(n -> new MapAllStringsExceptListTransform("s", "other", words(n)))
        .toArray(Transform[]::new));
    add("string_set", new StringListToCategoricalSetTransform("s", List.of("isP", "isQ"), List.of("p", "q"), ";"));
    add("string_counts", new StringListToCountsNDArrayTransform("s", List.of("p", "q"), ";", true, false));
    add("string_counts_named", new StringListToCountsNDArrayTransform("s", "counts", List.of("p", "q"), ";", false, true));
    add("string_indices", new StringListToIndicesNDArrayTransform("s", List.of("p", "q"), ";", true, false));
    add("string_indices_named", new StringListToIndicesNDArrayTransform("s", "indices", List.of("p", "q"), ";", false, true));
  }

  private static List<String> words(int n) {
    return IntStream.range(0, n).mapToObj(i -> "word " + i * i).collect(Collectors.toList());
  }

  private void addTimes() {
    add("string_to_time", builder -> builder
        .stringToTimeTransform("id", "YYYY-MM-dd", DateTimeZone.UTC)
        .stringToTimeTransform("s", "YYYY-MM-dd", PARIS, Locale.FRANCE));
    add("string_to_time_full", new StringToTimeTransform("s", "YYYY", PARIS, Locale.ENGLISH, 0L, 1500000000000L));
    add("string_to_time_any", new StringToTimeTransform("s", DateTimeZone.UTC, Locale.GERMANY));
    add("time_math", builder -> builder
        .timeMathOp("t", MathOp.Add, 3, TimeUnit.HOURS)
        .timeMathOp("t", MathOp.Subtract, 1, TimeUnit.DAYS)
        .timeMathOp("t", MathOp.ScalarMin, 1500000000000L, TimeUnit.MILLISECONDS)
        .timeMathOp("t", MathOp.ScalarMax, 0, TimeUnit.MILLISECONDS));
    Schema paris = new Schema.Builder().addColumnTime("t", PARIS, 0L, null).addColumnString("s").build();
    add("derived_time", paris, new DeriveColumnsFromTimeTransform.Builder("t")
        .addIntegerDerivedColumn("hour", DateTimeFieldType.hourOfDay())
        .build());
    DeriveColumnsFromTimeTransform.Builder derived = new DeriveColumnsFromTimeTransform.Builder("t")
        .insertAfter("s")
        .addStringDerivedColumn("day", "YYYY-MM-dd", PARIS);
    for (DateTimeFieldType type : List.of(
        DateTimeFieldType.centuryOfEra(), DateTimeFieldType.clockhourOfDay(), DateTimeFieldType.clockhourOfHalfday(),
        DateTimeFieldType.dayOfMonth(), DateTimeFieldType.dayOfWeek(), DateTimeFieldType.dayOfYear(), DateTimeFieldType.era(),
        DateTimeFieldType.halfdayOfDay(), DateTimeFieldType.hourOfDay(), DateTimeFieldType.hourOfHalfday(),
        DateTimeFieldType.millisOfDay(), DateTimeFieldType.millisOfSecond(), DateTimeFieldType.minuteOfDay(),
        DateTimeFieldType.minuteOfHour(), DateTimeFieldType.secondOfDay(),
        DateTimeFieldType.secondOfMinute(), DateTimeFieldType.weekOfWeekyear(), DateTimeFieldType.weekyear(),
        DateTimeFieldType.weekyearOfCentury(), DateTimeFieldType.year(), DateTimeFieldType.yearOfCentury(),
        DateTimeFieldType.yearOfEra())) {
      derived.addIntegerDerivedColumn(type.getName(), type);
    }
    add("derived_time_full", paris, derived.build());
    add("time_zones", paris, builder -> builder.timeMathOp("t", MathOp.Add, 1, TimeUnit.SECONDS));
  }

  private void addArraysAndText() {
    add("arrays",
        new NDArrayScalarOpTransform("arr", MathOp.Multiply, 0.1),
        new NDArrayColumnsMathOpTransform("sum", MathOp.Add, "arr", "arr2"),
        new NDArrayMathFunctionTransform("arr2", MathFunction.TANH));
    add("distances", Arrays.stream(Distance.values())
        .map(distance -> new NDArrayDistanceTransform(distance.name(), distance, "arr", "arr2"))
        .toArray(Transform[]::new));
    Map<Character, Integer> characters = new LinkedHashMap<>();
    characters.put('b', 0);
    characters.put('a', 1);
    Map<String, Integer> words = new LinkedHashMap<>();
    words.put("z", 0);
    words.put("a", 1);
    add("text_to_characters", sequence(), new TextToCharacterIndexTransform("s", "index", characters, true));
    add("text_to_terms", sequence(), new TextToTermIndexSequenceTransform("s", "index", words, " ", false));
    add("text_to_vocabulary", sequence(),
        new TextToTermIndexSequenceTransform("s", "index", List.of("pear", "apple", "fig", "orange", "plum"), " ", true));
  }

  private void addSequences() {
    add("to_sequence_numerical", builder -> builder.convertToSequence("id", new NumericalColumnComparator("t")));
    add("to_sequence_keys", builder -> builder.convertToSequence(List.of("id", "s"), new NumericalColumnComparator("t", false)));
    add("to_sequence_string", builder -> builder.convertToSequence("id", new StringComparator("s")));
    add("to_sequence_single", builder -> builder.convertToSequence());
    add("from_sequence", sequence(), builder -> builder.convertFromSequence());
    add("there_and_back", builder -> builder.convertToSequence("id", new StringComparator("s")).convertFromSequence());
    add("splits", sequence(), builder -> builder
        .splitSequence(new SequenceSplitTimeSeparation("t", 5, TimeUnit.MINUTES))
        .splitSequence(new SplitMaxLengthSequence(10, true)));
    add("trims", sequence(), builder -> builder
        .trimSequence(2, true)
        .trimSequenceToLength(10)
        .trimOrPadSequenceToLength(10, List.of(new IntWritable(0), new Text("x"))));
    add("offset_trim", sequence(), builder -> builder
        .offsetSequence(List.of("v", "n"), -2, SequenceOffsetTransform.OperationType.NewColumn));
    add("offset_value", sequence(), new SequenceOffsetTransform(List.of("v"), 1, SequenceOffsetTransform.OperationType.NewColumn,
        SequenceOffsetTransform.EdgeHandling.SpecifiedValue, new DoubleWritable(0)));
    List<ReduceOp> ops = List.of(ReduceOp.Min, ReduceOp.Max, ReduceOp.Range, ReduceOp.TakeFirst, ReduceOp.TakeLast, ReduceOp.Prod,
        ReduceOp.Sum, ReduceOp.Mean, ReduceOp.Stdev, ReduceOp.Count, ReduceOp.CountUnique);
    add("moving_windows", sequence(), ops.stream()
        .map(op -> new SequenceMovingWindowReduceTransform("v", 3, op))
        .toArray(Transform[]::new));
    add("window_value", sequence(), new SequenceMovingWindowReduceTransform("v", "w", 3, ReduceOp.Max,
        SequenceMovingWindowReduceTransform.EdgeCaseHandling.SpecifiedValue, new DoubleWritable(-1)));
    Reducer reducer = new Reducer.Builder(ReduceOp.TakeFirst).keyColumns("id").meanColumns("v").build();
    add("reduce_sequence", sequence(), builder -> builder.reduceSequence(reducer));
    add("reduce_windows", sequence(), builder -> builder
        .reduceSequenceByWindow(reducer, new OverlappingTimeWindowFunction("t", 2, TimeUnit.HOURS, 1, TimeUnit.HOURS)));
    add("reduce_windows_full", sequence(), builder -> builder
        .reduceSequenceByWindow(reducer, new OverlappingTimeWindowFunction.Builder()
            .timeColumn("t").windowSize(2, TimeUnit.HOURS).windowSeparation(30, TimeUnit.MINUTES)
            .addWindowStartTimeColumn(true).addWindowEndTimeColumn(true).excludeEmptyWindows(true).build()));
    add("rank", builder -> builder
        .calculateSortedRank("rv", "v", new DoubleWritableComparator())
        .calculateSortedRank("rf", "f", new FloatWritableComparator(), false)
        .calculateSortedRank("rn", "n", new IntWritableComparator())
        .calculateSortedRank("rl", "l", new LongWritableComparator())
        .calculateSortedRank("rs", "s", new TextWritableComparator()));
  }

  private void addReducers() {
    List<ReduceOp> numeric = List.of(ReduceOp.Prod, ReduceOp.Min, ReduceOp.Max, ReduceOp.Range, ReduceOp.Sum, ReduceOp.Mean, ReduceOp.Stdev,
        ReduceOp.UncorrectedStdDev, ReduceOp.Variance, ReduceOp.PopulationVariance, ReduceOp.Count, ReduceOp.CountUnique, ReduceOp.TakeFirst,
        ReduceOp.TakeLast);
    add("reduce_default", builder -> builder.reduce(new Reducer.Builder(ReduceOp.TakeLast).keyColumns("id").build()));
    add("reduce_without_keys", builder -> builder.reduce(new Reducer.Builder(ReduceOp.Count).build()));
    add("reduce_all", builder -> builder.reduce(new Reducer.Builder(ReduceOp.TakeFirst)
        .keyColumns("id", "c")
        .multipleOpColmumns(numeric, "v", "n", "l", "f")
        .multipleOpColmumns(List.of(ReduceOp.Append, ReduceOp.Prepend), "s")
        .sumColumns("b")
        .build()));
    for (int n : new int[] {12, 13, 30}) {
      String[] names = words(n).toArray(new String[0]);
      add("reduce_" + n, new Schema.Builder().addColumnsString(names).build(),
          builder -> builder.reduce(new Reducer.Builder(ReduceOp.TakeFirst).countColumns(names).build()));
    }
    add("reduce_valid", builder -> builder.reduce(new Reducer(List.of("id"), ReduceOp.TakeFirst, new HashMap<>(), new HashMap<>(),
        new HashMap<>(), new HashSet<>(List.of("v", "n")))));
    add("reduce_sequence_schema", sequence(), builder -> builder.reduce(new Reducer.Builder(ReduceOp.Max).keyColumns("id").build()));
  }

  private static Schema goldenSchema() {
    return new Schema.Builder()
        .addColumnString("id")
        .addColumnTime("t", DateTimeZone.UTC)
        .addColumnCategorical("c", "x", "y")
        .addColumnDouble("v", 0.0, null)
        .addColumnInteger("n")
        .addColumnLong("l")
        .addColumnNDArray("arr", new long[] {1, 3})
        .build();
  }

  private void addWhole() {
    add("golden", goldenSchema(), builder -> builder
        .removeColumns("arr")
        .filter(new DoubleColumnCondition("v", ConditionOp.LessThan, 0.0))
        .categoricalToOneHot("c")
        .doubleMathOp("v", MathOp.Multiply, 2.0)
        .doubleMathFunction("v", MathFunction.SQRT)
        .stringToTimeTransform("id", "YYYY-MM-dd", DateTimeZone.UTC)
        .conditionalReplaceValueTransform("n", new IntWritable(0), new IntegerColumnCondition("n", ConditionOp.GreaterThan, 9))
        .convertToSequence("l", new NumericalColumnComparator("t")));
    Schema logs = new Schema.Builder()
        .addColumnString("timestamp")
        .addColumnString("host")
        .addColumnCategorical("method", "GET", "POST", "PUT")
        .addColumnInteger("status", 100, 599)
        .addColumnLong("size", 0L, null)
        .build();
    add("logs", logs, builder -> builder
        .stringToTimeTransform("timestamp", "dd/MMM/YYYY:HH:mm:ss Z", DateTimeZone.UTC, Locale.US)
        .filter(BooleanCondition.OR(
            new IntegerColumnCondition("status", ConditionOp.NotInSet, set(200, 304)),
            new StringRegexColumnCondition("host", "10\\..*")))
        .transform(new DeriveColumnsFromTimeTransform.Builder("timestamp")
            .addIntegerDerivedColumn("hour", DateTimeFieldType.hourOfDay()).build())
        .categoricalToOneHot("method")
        .convertToDouble("size")
        .reduce(new Reducer.Builder(ReduceOp.Mean).keyColumns("host").maxColumn("timestamp").countColumns("status").build())
        .renameColumn("max(timestamp)", "last")
        .removeColumns("mean(hour)")
        .calculateSortedRank("rank", "mean(size)", new DoubleWritableComparator(), false));
    Schema prices = new Schema.Builder().addColumnString("shop").addColumnTime("t", PARIS).addColumnFloat("price").build();
    add("prices", prices, builder -> builder
        .filter(new FilterInvalidValues("price"))
        .convertToSequence("shop", new NumericalColumnComparator("t"))
        .offsetSequence(List.of("price"), 1, SequenceOffsetTransform.OperationType.NewColumn)
        .sequenceMovingWindowReduce("price", 5, ReduceOp.Mean)
        .splitSequence(new SplitMaxLengthSequence(100, false))
        .removeColumns("t"));
    add("no_steps", goldenSchema(), builder -> builder);
    add("initial_sequence", new SequenceSchema(goldenSchema().getColumnMetaData()), builder -> builder.convertToDouble("n"));
  }

  private void addRefused() {
    Schema schema = columns();
    refuse("InvalidNumColumns", schema, builder -> builder.filter(new InvalidNumColumns(schema)));
    refuse("PivotTransform", schema, builder -> builder.transform(new PivotTransform("c", "v")));
    refuse("SequenceDifferenceTransform", sequence(), builder -> builder.transform(new SequenceDifferenceTransform("v")));
    refuse("NaNColumnCondition", schema, builder -> builder.filter(new NaNColumnCondition("v")));
    refuse("InfiniteColumnCondition", schema, builder -> builder.filter(new InfiniteColumnCondition("v")));
    refuse("InvalidValueColumnCondition", schema, builder -> builder.filter(new InvalidValueColumnCondition("v")));
    Reducer reducer = new Reducer.Builder(ReduceOp.TakeFirst).keyColumns("id").build();
    refuse("TimeWindowFunction", sequence(), builder -> builder
        .reduceSequenceByWindow(reducer, new TimeWindowFunction("t", 1, TimeUnit.HOURS)));
    refuse("customReduction", schema, builder -> builder.reduce(new Reducer.Builder(ReduceOp.TakeFirst)
        .keyColumns("id").customReduction("s", new GeographicMidpointReduction(",")).build()));
    refuse("conditionalReduction", schema, builder -> builder.reduce(new Reducer.Builder(ReduceOp.TakeFirst).keyColumns("id")
        .conditionalReduction("v", "vn", ReduceOp.Sum, new IntegerColumnCondition("n", ConditionOp.LessThan, 0)).build()));
    refuse("windowOffset", sequence(), builder -> builder
        .reduceSequenceByWindow(reducer, new OverlappingTimeWindowFunction("t", 2, TimeUnit.HOURS, 1, TimeUnit.HOURS, 5, TimeUnit.MINUTES)));
    refuse("monthOfYear", schema, builder -> builder.transform(new DeriveColumnsFromTimeTransform.Builder("t")
        .addIntegerDerivedColumn("month", DateTimeFieldType.monthOfYear()).build()));
    refuse("inPlaceOffset", sequence(), builder -> builder
        .offsetSequence(List.of("v"), 1, SequenceOffsetTransform.OperationType.InPlace));
    refuse("duplicateOrder", schema, builder -> builder.duplicateColumns(List.of("n", "v"), List.of("n2", "v2")));
  }

  private void refuse(String name, Schema schema, UnaryOperator<TransformProcess.Builder> steps) {
    refused.put(name, steps.apply(new TransformProcess.Builder(schema)).build());
  }
}
