package org.pydl4j.conf;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.nd4j.shade.jackson.annotation.JsonTypeInfo;
import org.nd4j.shade.jackson.core.JsonGenerator;
import org.nd4j.shade.jackson.databind.DeserializationContext;
import org.nd4j.shade.jackson.databind.JavaType;
import org.nd4j.shade.jackson.databind.JsonDeserializer;
import org.nd4j.shade.jackson.databind.JsonMappingException;
import org.nd4j.shade.jackson.databind.ObjectMapper;
import org.nd4j.shade.jackson.databind.SerializerProvider;
import org.nd4j.shade.jackson.databind.deser.BeanDeserializerBase;
import org.nd4j.shade.jackson.databind.deser.CreatorProperty;
import org.nd4j.shade.jackson.databind.deser.DefaultDeserializationContext;
import org.nd4j.shade.jackson.databind.deser.SettableBeanProperty;
import org.nd4j.shade.jackson.databind.deser.impl.FieldProperty;
import org.nd4j.shade.jackson.databind.deser.impl.SetterlessProperty;
import org.nd4j.shade.jackson.databind.node.ObjectNode;
import org.nd4j.shade.jackson.databind.ser.BeanPropertyWriter;
import org.nd4j.shade.jackson.databind.ser.PropertyWriter;

/** The JSON form of one class, as a mapper writes and reads it. */
final class JsonShape {
  private final ObjectMapper mapper;
  private final Class<?> root;
  private final SerializerProvider serializers;
  private final Map<String, BeanPropertyWriter> written = new LinkedHashMap<>();
  private final Map<String, SettableBeanProperty> read = new TreeMap<>();

  /** The shape of {@code type} where a value of {@code root} is expected. */
  JsonShape(ObjectMapper mapper, Class<?> type, Class<?> root) throws IOException {
    this.mapper = mapper;
    this.root = root;
    serializers = mapper.getSerializerProviderInstance();
    Iterator<PropertyWriter> writers = serializers.findValueSerializer(type).properties();
    while (writers.hasNext()) {
      BeanPropertyWriter writer = (BeanPropertyWriter) writers.next();
      written.put(writer.getName(), writer);
    }
    try {
      addRead(deserializer(mapper.constructType(type)));
    } catch (JsonMappingException e) { // a type that Jackson does not know how to read; smallest() says it again
      read.clear();
    }
  }

  private void addRead(JsonDeserializer<?> deserializer) {
    if (deserializer instanceof BeanDeserializerBase) {
      BeanDeserializerBase bean = (BeanDeserializerBase) deserializer;
      bean.creatorProperties().forEachRemaining(property -> read.put(property.getName(), property));
      bean.properties().forEachRemaining(property -> read.putIfAbsent(property.getName(), property));
    }
  }

  private JsonDeserializer<?> deserializer(JavaType type) throws IOException {
    DefaultDeserializationContext blueprint = (DefaultDeserializationContext) mapper.getDeserializationContext();
    DeserializationContext context = blueprint.createInstance(mapper.getDeserializationConfig(), mapper.createParser("{}"), null);
    JsonDeserializer<?> found = context.findNonContextualValueDeserializer(type);
    try { // DL4J wraps those of its two top classes, to repair old documents
      Field wrapped = Class.forName("org.deeplearning4j.nn.conf.serde.BaseNetConfigDeserializer").getDeclaredField("defaultDeserializer");
      wrapped.setAccessible(true);
      return wrapped.getDeclaringClass().isInstance(found) ? (JsonDeserializer<?>) wrapped.get(found) : found;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Names of the properties: those that are written in their order, then those that are only read. */
  List<String> names() {
    List<String> names = new ArrayList<>(written.keySet());
    read.keySet().stream().filter(name -> !written.containsKey(name)).forEach(names::add);
    return names;
  }

  /** The Java type of a property, as it is written; if it is only read, as it is read. */
  JavaType type(String name) {
    return written.containsKey(name) ? written.get(name).getType() : read.get(name).getType();
  }

  /** The Java type of a property as it is read; the same as {@link #type} if it is not read. */
  JavaType readType(String name) {
    return read.containsKey(name) ? read.get(name).getType() : type(name);
  }

  /** {@code yes}, {@code no} or {@code unless null}. */
  String written(String name) {
    BeanPropertyWriter writer = written.get(name);
    return writer == null ? "no" : writer.willSuppressNulls() ? "unless null" : "yes";
  }

  /** {@code creator}, {@code field}, {@code setter}, {@code getter} (of a collection that is filled) or {@code no}. */
  String read(String name) {
    SettableBeanProperty property = read.get(name);
    if (property == null) {
      return "no";
    }
    if (property instanceof CreatorProperty) {
      return "creator";
    }
    if (property instanceof SetterlessProperty) {
      return "getter";
    }
    return property instanceof FieldProperty ? "field" : "setter";
  }

  /** A property of {@code bean} as JSON; null where nothing is written. */
  String value(String name, Object bean) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = mapper.getFactory().createGenerator(text)) {
      generator.writeStartObject();
      written.get(name).serializeAsField(bean, generator, serializers);
      generator.writeEndObject();
    } catch (Exception e) { // what a getter throws is part of the shape
      Throwable thrown = e instanceof InvocationTargetException ? e.getCause() : e;
      return "{\"throws\":\"" + thrown.getClass().getName() + "\"}";
    }
    String object = text.toString();
    return object.equals("{}") ? null : object.substring(object.indexOf(':') + 1, object.length() - 1);
  }

  /**
   * The smallest document that is read as an object like {@code instance}: without members if possible, else what is
   * left of the object's own document when everything is taken away that is not missed.
   *
   * @throws IOException not even the object's own document is read
   */
  ObjectNode smallest(Object instance) throws IOException {
    ObjectNode document = (ObjectNode) mapper.readTree(mapper.writerFor(root).writeValueAsString(instance));
    ObjectNode empty = document.deepCopy();
    members(empty).retain(typeKey());
    if (isRead(empty)) {
      return empty;
    }
    parse(document);
    for (String name : required(document)) {
      ObjectNode without = document.deepCopy(); // what stays keeps its place: some setters need another one's value
      members(without).remove(name);
      document = isRead(without) ? without : document;
    }
    return document;
  }

  /** The names of the members of a document but the type. */
  List<String> required(ObjectNode document) {
    List<String> names = names(members(document));
    names.remove(typeKey());
    return names;
  }

  Object parse(ObjectNode document) throws IOException {
    return mapper.readerFor(root).readValue(mapper.writeValueAsString(document));
  }

  private boolean isRead(ObjectNode document) {
    try {
      return parse(document) != null;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private ObjectNode members(ObjectNode document) {
    JsonTypeInfo info = info();
    boolean wrapped = info != null && info.include() == JsonTypeInfo.As.WRAPPER_OBJECT;
    return wrapped ? (ObjectNode) document.elements().next() : document;
  }

  private String typeKey() {
    JsonTypeInfo info = info();
    return info == null ? "" : info.property();
  }

  private JsonTypeInfo info() {
    return root.getAnnotation(JsonTypeInfo.class);
  }

  private static List<String> names(ObjectNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
