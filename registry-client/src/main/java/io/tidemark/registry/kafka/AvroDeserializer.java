package io.tidemark.registry.kafka;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.SchemaRule;
import io.tidemark.registry.Subjects;
import io.tidemark.registry.cache.CachingSubjects;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.config.RegistrySubjects;
import io.tidemark.registry.kafka.RefusedRules.RuleException;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.UnframedDatumException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Kafka deserializer of the values that {@link AvroSerializer} and Confluent's serializers write.
 * It finds the schema by the id, then reads the Avro binary to its last byte. Not thread-safe, like
 * Kafka's consumer.
 *
 * <p>Records are generic by default. With {@code specific.avro.reader=true} they are objects of the
 * specific record class with the schema's name, or of {@code specific.avro.value.type}. The schema
 * of that class is then the reader schema. Otherwise, with {@code use.latest.version=true}, the
 * reader schema is the newest of the subject.
 *
 * <p>As by Confluent's deserializer, a value of the schema {@code "string"} is a {@code String}. A
 * value of the schema {@code "bytes"} is a {@code byte[]} of all bytes after the id. {@code
 * top.level.bytes=avro} reads it with Avro's length.
 *
 * <p>Values of logical types in generic records are raw values by default. With {@code
 * avro.use.logical.type.converters=true} they are objects, such as a {@code BigDecimal} or an
 * {@code Instant}. Specific record classes always use their own conversions.
 *
 * <p>Each datum is checked: before it is read, or while it is read. A {@code FastDatumReader} reads
 * it, as objects of the classes that Avro's {@code GenericDatumReader} or {@code
 * SpecificDatumReader} creates.
 *
 * <p>{@code deserialize} throws
 *
 * <ul>
 *   <li>{@code SerializationException} if the value cannot be read: the record or its schema is
 *       invalid, the schema has a rule, or a setting is wrong, such as the registry's URL;
 *   <li>Kafka's {@code TimeoutException} if the registry is unavailable;
 *   <li>a plain {@code KafkaException} if the schema of the id has changed;
 *   <li>{@code InterruptException} if the thread was interrupted while it waited;
 *   <li>{@code IllegalStateException} if the deserializer is not configured, or closed.
 * </ul>
 */
public final class AvroDeserializer implements Deserializer<@Nullable Object> {

  /** The state after configuration. */
  private record Configured(
      DeserializerSettings settings, SchemaRegistry registry, Optional<Newest> newest) {
    SerdeSettings common() {
      return settings.common();
    }
  }

  /** The subjects, whose newest schemas are the reader schemas. */
  private record Newest(RegistrySubjects registry, Subjects subjects) {
    static Newest open(RegistryConfig config) {
      RegistrySubjects registry = config.openSubjects(false);
      return new Newest(registry, new CachingSubjects(registry.subjects(), config.cache()));
    }
  }

  private final Map<String, SchemaIdReader> idReaders = new HashMap<>();

  /**
   * A writer schema, and the reader of its datums.
   *
   * @param newest the newest schema of the subject, if it is the reader schema; otherwise null
   */
  private record Reader(RegisteredSchema writer, @Nullable Schema newest, CheckedReader datums) {}

  /** The readers by id. Only ids that the registry has are added. */
  private final Map<SchemaId, Reader> readers = new HashMap<>();

  /** A schema in a subject: a consumer's topics have different subjects. */
  private record Written(SchemaId id, String subject) {}

  /** The readers of newest schemas. */
  private final Map<Written, Reader> newestReaders = new HashMap<>();

  private @Nullable Configured configured;

  /**
   * @throws org.apache.kafka.common.config.ConfigException if a setting is invalid
   */
  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    close();
    DeserializerSettings settings = DeserializerSettings.parse(configs, isKey);
    RegistryConfig registry = settings.common().registry();
    Optional<Newest> newest =
        settings.common().useLatest() && !settings.specific()
            ? Optional.of(Newest.open(registry))
            : Optional.empty();
    configured = new Configured(settings, registry.open(), newest);
  }

  /** Deserializes a value with its id before the datum. */
  @Override
  public @Nullable Object deserialize(String topic, byte @Nullable [] data) {
    return data == null ? null : datum(topic, null, data);
  }

  @Override
  public @Nullable Object deserialize(String topic, Headers headers, byte @Nullable [] data) {
    if (data == null) {
      return null;
    }
    Configured current = configured();
    Header header =
        current.settings().inHeader() ? headers.lastHeader(current.common().header()) : null;
    return datum(topic, header == null ? null : header.value(), data);
  }

  private Object datum(String topic, byte @Nullable [] header, byte[] data) {
    Configured current = configured();
    try {
      Framing framing =
          idReaders
              .computeIfAbsent(topic, name -> current.common().registry().reader(name))
              .read(header, data);
      return read(current, reader(current, topic, framing.id()), framing, data);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (RegistryUnavailableException e) {
      throw new TimeoutException("topic " + topic + ": " + e.getMessage(), e);
    } catch (SchemaChangedException e) {
      // The record is not wrong: a program that skips invalid records must not skip this one.
      throw new KafkaException("topic " + topic + ": " + e.getMessage(), e);
    } catch (RegistryException | UnframedDatumException | RuleException | UnreadableException e) {
      throw new SerializationException(
          "topic " + topic + ": the value cannot be read: " + e.getMessage(), e);
    }
  }

  /** Thrown if a datum cannot be read with its schema or into its class. */
  private static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private Reader reader(Configured current, String topic, SchemaId id)
      throws RegistryException, InterruptedException, RuleException, UnreadableException {
    Reader reader = readers.get(id);
    if (reader == null || current.registry().contradictions().containsKey(id)) {
      RegisteredSchema writer = current.registry().schema(id);
      RefusedRules.requireNone(writer, SchemaRule::onRead, current.common().disabledRules());
      reader = new Reader(writer, null, reader(writer.schema(), null, current.settings()));
      readers.put(id, reader);
    }
    return current.newest().isEmpty()
        ? reader
        : newestReader(current, current.newest().get(), topic, reader.writer());
  }

  private Reader newestReader(
      Configured current, Newest subjects, String topic, RegisteredSchema writer)
      throws RegistryException, InterruptedException, RuleException, UnreadableException {
    Written written = new Written(writer.id(), subject(current.common(), topic, writer.schema()));
    RegisteredSchema newest = subjects.subjects().latest(written.subject());
    Reader reader = newestReaders.get(written);
    if (reader == null
        || !writer.schema().equals(reader.writer().schema())
        || !newest.schema().equals(reader.newest())) {
      requireNoRules(current, writer, newest);
      reader =
          new Reader(
              writer,
              newest.schema(),
              reader(writer.schema(), newest.schema(), current.settings()));
      newestReaders.put(written, reader);
    }
    return reader;
  }

  private static String subject(SerdeSettings settings, String topic, Schema writer)
      throws UnreadableException {
    try {
      return settings.registry().subjectOf(topic, settings.isKey(), writer, settings.strategy());
    } catch (IllegalArgumentException e) {
      throw new UnreadableException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void requireNoRules(
      Configured current, RegisteredSchema writer, RegisteredSchema newest) throws RuleException {
    Set<String> disabled = current.common().disabledRules();
    RefusedRules.requireNone(newest, SchemaRule::onRead, disabled);
    if (!newest.id().equals(writer.id())) {
      for (RegisteredSchema schema : List.of(writer, newest)) {
        RefusedRules.requireNone(
            schema, rule -> rule.phase() == SchemaRule.Phase.MIGRATION, disabled);
      }
    }
  }

  private Object read(Configured current, Reader reader, Framing framing, byte[] data)
      throws UnreadableException {
    int offset = framing.datumOffset();
    Schema writer = reader.writer().schema();
    Schema.Type type = writer.getType();
    if (type == Schema.Type.BYTES && current.common().rawBytes()) {
      return Arrays.copyOfRange(data, offset, data.length);
    }
    try {
      return topLevel(type, reader.datums().read(data, offset, current.settings().failOnTail()));
    } catch (DatumBounds.MisfitException e) {
      throw new UnreadableException(
          e.getMessage()
              + ". The value was probably not written with the schema of its id, "
              + framing.id()
              + ".",
          e);
    } catch (StackOverflowError e) {
      throw new UnreadableException("its values are nested too deep for this thread's stack.", e);
    } catch (IOException | RuntimeException e) { // Includes class casts, missing classes.
      throw new UnreadableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns a datum of the classes that Confluent's deserializer returns. */
  private static Object topLevel(Schema.Type written, Object datum) {
    if (datum instanceof ByteBuffer bytes && written != Schema.Type.UNION) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return copy;
    }
    return written == Schema.Type.STRING ? datum.toString() : datum;
  }

  private static CheckedReader reader(
      Schema writer, @Nullable Schema newest, DeserializerSettings settings)
      throws UnreadableException {
    try {
      if (settings.specific()) {
        return specificReader(writer, settings.type());
      }
      GenericData model = DatumModels.generic(settings.logicalTypes());
      if (newest == null) {
        return new CheckedReader(writer, writer, model);
      }
      NewestSchema.requireSameLogicalTypes(writer, newest);
      return new CheckedReader(writer, newest, model);
    } catch (RuntimeException | StackOverflowError e) {
      throw new UnreadableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns a reader of objects of specific record classes. */
  private static CheckedReader specificReader(Schema writer, Optional<Class<?>> only) {
    Set<Class<?>> types = new LinkedHashSet<>();
    Schema reader;
    if (only.isPresent()) {
      types.add(only.get());
      reader = SpecificData.getForClass(only.get()).getSchema(only.get());
    } else {
      reader = ofClasses(writer, types, writer.getType() == Schema.Type.RECORD);
    }
    return new CheckedReader(writer, reader, DatumModels.specific(types));
  }

  /**
   * Returns the reader schema: records have the schemas of their classes, also in a top-level
   * union, array or map.
   *
   * @param types to which the classes are added
   * @param required a record without a class is an error
   */
  private static Schema ofClasses(Schema writer, Set<Class<?>> types, boolean required) {
    return switch (writer.getType()) {
      case ARRAY -> Schema.createArray(ofClasses(writer.getElementType(), types, false));
      case MAP -> Schema.createMap(ofClasses(writer.getValueType(), types, false));
      case UNION ->
          Schema.createUnion(
              writer.getTypes().stream().map(branch -> ofClasses(branch, types, false)).toList());
      case RECORD -> ofClass(writer, types, required);
      default -> writer;
    };
  }

  private static Schema ofClass(Schema writer, Set<Class<?>> types, boolean required) {
    Class<?> type = SpecificData.get().getClass(writer);
    if (type != null && SpecificRecord.class.isAssignableFrom(type)) {
      types.add(type);
      return SpecificData.getForClass(type).getSchema(type);
    }
    if (required) {
      throw new SerializationException(
          "there is no class "
              + writer.getFullName()
              + ", which specific.avro.reader=true requires. Put it on the class path, or set"
              + " specific.avro.reader=false.");
    }
    return writer;
  }

  private Configured configured() {
    Configured current = configured;
    if (current == null) {
      throw new IllegalStateException("the deserializer is not configured, or closed");
    }
    return current;
  }

  @Override
  public void close() {
    Configured current = configured;
    configured = null;
    idReaders.clear();
    readers.clear();
    newestReaders.clear();
    if (current != null) {
      current.registry().close();
      current.newest().ifPresent(newest -> newest.registry().close());
    }
  }
}
