package io.tidemark.registry.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Conversion;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * The models by which datums are read and written. Safe for use by many threads.
 *
 * <p>Models that read have the arrays and maps of Avro's default reader, but do not use it: it
 * keeps all schemas, and creates objects of classes that a schema names. As Confluent's classes do,
 * models use the conversions of {@code GenericData.get()}. Equal models are the same object, so
 * that readers and writers share generated classes.
 */
final class DatumModels {
  private static final List<Conversion<?>> LOGICAL =
      List.of(
          new Conversions.DecimalConversion(),
          new Conversions.BigDecimalConversion(),
          new Conversions.UUIDConversion(),
          new Conversions.DurationConversion(),
          new TimeConversions.DateConversion(),
          new TimeConversions.TimeMillisConversion(),
          new TimeConversions.TimeMicrosConversion(),
          new TimeConversions.TimestampMillisConversion(),
          new TimeConversions.TimestampMicrosConversion(),
          new TimeConversions.TimestampNanosConversion(),
          new TimeConversions.LocalTimestampMillisConversion(),
          new TimeConversions.LocalTimestampMicrosConversion(),
          new TimeConversions.LocalTimestampNanosConversion());

  /** The number of entries that a {@code HashMap} of the default size takes. */
  private static final int DEFAULT_ENTRIES = 12;

  private static final float LOAD_FACTOR = 0.75f;

  /**
   * The conversions of a model.
   *
   * @param ofProgram those that the program has added to {@code GenericData.get()}
   * @param logical whether there is a conversion for each logical type of Avro
   */
  private record Key(Set<Conversion<?>> ofProgram, boolean logical) {}

  private static final GenericData RAW = create(new Key(Set.of(), false));
  private static final Map<Key, GenericData> GENERIC = new ConcurrentHashMap<>();

  private DatumModels() {}

  /**
   * Returns the model of generic datums.
   *
   * @param logical whether there is a conversion for each logical type of Avro. Writers convert its
   *     objects, and write raw values, such as the bytes of a decimal, unchanged. Readers convert
   *     every value of a logical type
   */
  static GenericData generic(boolean logical) {
    Set<Conversion<?>> ofProgram = Set.copyOf(GenericData.get().getConversions());
    return GENERIC.computeIfAbsent(new Key(ofProgram, logical), DatumModels::create);
  }

  private static GenericData create(Key key) {
    GenericData model = new Generic();
    model.setFastReaderEnabled(false);
    if (key.logical()) {
      LOGICAL.forEach(model::addLogicalTypeConversion);
    }
    key.ofProgram().forEach(model::addLogicalTypeConversion);
    return model;
  }

  /** Returns the model of generic datums without conversions. */
  static GenericData raw() {
    return RAW;
  }

  /** Returns a model of objects of specific record classes, with the conversions of these. */
  static SpecificData specific(Set<Class<?>> types) {
    ClassLoader loader =
        types.isEmpty()
            ? SpecificData.class.getClassLoader()
            : SpecificData.getForClass(types.iterator().next()).getClassLoader();
    SpecificData model = new Specific(loader);
    model.setFastReaderEnabled(false);
    for (Class<?> type : types) {
      SpecificData given = SpecificData.getForClass(type);
      model.setCustomCoders(given.useCustomCoders());
      given.getConversions().forEach(model::addLogicalTypeConversion);
    }
    return model;
  }

  private static final class Generic extends GenericData {
    @Override
    public Object newArray(@Nullable Object old, int size, Schema schema) {
      return new GenericData.Array<>(size, schema);
    }

    @Override
    public Object newMap(@Nullable Object old, int size) {
      return map(size);
    }
  }

  private static final class Specific extends SpecificData {
    Specific(ClassLoader loader) {
      super(loader);
    }

    @Override
    public Object newArray(@Nullable Object old, int size, Schema schema) {
      return new GenericData.Array<>(size, schema);
    }

    @Override
    public Object newMap(@Nullable Object old, int size) {
      return map(size);
    }
  }

  /** Returns a map with the order of entries of a {@code HashMap} of the default size. */
  private static Map<Object, Object> map(int size) {
    return size <= DEFAULT_ENTRIES
        ? new HashMap<>()
        : new HashMap<>((int) (size / LOAD_FACTOR) + 1);
  }
}
