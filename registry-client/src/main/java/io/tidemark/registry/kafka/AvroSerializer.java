package io.tidemark.registry.kafka;

import io.tidemark.avro.binary.ArrayEncoder;
import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.object.FastDatumWriter;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRule;
import io.tidemark.registry.Subjects;
import io.tidemark.registry.cache.CachingSubjects;
import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.config.RegistrySubjects;
import io.tidemark.registry.kafka.RefusedRules.RuleException;
import io.tidemark.registry.kafka.SerializerSettings.IdPlace;
import io.tidemark.registry.wire.IdFormat;
import io.tidemark.registry.wire.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericContainer;
import org.apache.avro.generic.GenericData;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Encoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Kafka serializer of generic and specific datums. It registers the schema, and writes its id, then
 * the Avro binary. Thread-safe once it is configured.
 *
 * <p>Text, numbers, booleans and bytes are datums of Avro's primitive types. As by Confluent's
 * serializer, a value of the schema {@code "bytes"} is written without Avro's length. {@code
 * top.level.bytes=avro} writes it with its length. Null is serialized as null. In generic records a
 * value of a logical type may be a converted object, such as a {@code BigDecimal}, or a raw value,
 * such as a {@code ByteBuffer}.
 *
 * <p>A {@code FastDatumWriter} writes the datums: with a class that is generated for the schema,
 * after the first values.
 *
 * <p>With {@code use.latest.version=true} a value is written with the newest schema of its subject,
 * by Avro's schema resolution: fields that the newest schema lacks are dropped, new fields get
 * their defaults.
 *
 * <p>{@code serialize} throws
 *
 * <ul>
 *   <li>{@code SerializationException} if the value cannot be written;
 *   <li>Kafka's {@code TimeoutException} if the registry is unavailable;
 *   <li>{@code InterruptException} if the thread was interrupted while it waited;
 *   <li>{@code IllegalStateException} if the serializer is not configured, or closed.
 * </ul>
 */
public final class AvroSerializer implements Serializer<@Nullable Object> {

  /** The number of writers that are kept for the next record. */
  private static final int KEPT_WRITERS = 16;

  /** The first size of the array for a value. */
  private static final int FIRST_BYTES = 256;

  /** The largest value after which the encoder and its array are kept. */
  private static final int MOST_KEPT_BYTES = 1 << 20;

  /** The state after configuration. */
  private record Configured(
      SerializerSettings settings, RegistrySubjects registry, Subjects subjects) {
    SerdeSettings common() {
      return settings.common();
    }
  }

  private static final Schema EMPTY_MAP = Schema.createMap(Schema.create(Schema.Type.NULL));

  /**
   * What writes values of one schema with the same or another schema. Threads share it.
   *
   * @param own the schema of the values
   * @param written the schema of the bytes
   * @param type the class of the values, if it is a specific record class
   * @param datums writes the values with their own schema
   * @param converted how their bytes are converted; null if the schemas are equal
   */
  private record KeptWriter(
      Schema own,
      Schema written,
      @Nullable Class<?> type,
      DatumWriter<Object> datums,
      @Nullable Converted converted) {}

  /** Reads bytes of one schema, and writes the datums with another schema. */
  private record Converted(FastDatumReader<Object> from, FastDatumWriter<Object> to) {}

  private final AtomicReferenceArray<@Nullable KeptWriter> writers =
      new AtomicReferenceArray<>(KEPT_WRITERS);

  /** The encoder for the next value; null while a thread uses it. */
  private final AtomicReference<@Nullable ArrayEncoder> spare = new AtomicReference<>();

  private final JavaProperties javaProperties = new JavaProperties();
  private volatile @Nullable Configured configured;

  /**
   * @throws org.apache.kafka.common.config.ConfigException if a setting is invalid
   */
  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    close();
    SerializerSettings settings = SerializerSettings.parse(configs, isKey);
    RegistryConfig config = settings.common().registry();
    RegistrySubjects registry = config.openSubjects(settings.normalize());
    configured =
        new Configured(
            settings, registry, new CachingSubjects(registry.subjects(), config.cache()));
  }

  @Override
  public byte @Nullable [] serialize(String topic, @Nullable Object data) {
    if (data != null && configured().settings().place() != IdPlace.VALUE) {
      throw new SerializationException(
          "topic "
              + topic
              + ": an id in a header needs the record's headers. Use a client of Kafka 2.1 or newer,"
              + " or schema.id.placement=value.");
    }
    return data == null ? null : bytes(topic, null, data);
  }

  @Override
  public byte @Nullable [] serialize(String topic, Headers headers, @Nullable Object data) {
    return data == null ? null : bytes(topic, headers, data);
  }

  private byte[] bytes(String topic, @Nullable Headers headers, Object data) {
    Configured current = configured();
    Object datum = data instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : data;
    try {
      Schema own = schema(datum);
      Schema schema =
          current.settings().withoutJavaProperties() ? javaProperties.removedFrom(own) : own;
      RegisteredSchema registered = registered(current, topic, schema);
      RefusedRules.requireNone(registered, SchemaRule::onWrite, current.common().disabledRules());
      byte[] id = id(current, registered);
      ArrayEncoder kept = spare.getAndSet(null);
      ArrayEncoder out = kept == null ? new ArrayEncoder(FIRST_BYTES) : kept;
      if (current.settings().place() != IdPlace.VALUE && headers != null) {
        headers.remove(current.common().header());
        headers.add(current.common().header(), id);
      } else {
        out.writeFixed(id);
      }
      write(datum, schema, registered.schema(), current.common().rawBytes(), out);
      byte[] value = out.toByteArray();
      if (value.length <= MOST_KEPT_BYTES) {
        out.reset();
        spare.set(out);
      }
      return value;
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (RegistryUnavailableException e) {
      throw new TimeoutException("topic " + topic + ": " + e.getMessage(), e);
    } catch (RegistryException
        | RuleException
        | IOException
        | AvroRuntimeException
        | ClassCastException
        | IllegalArgumentException
        | IndexOutOfBoundsException
        | NullPointerException
        | UnsupportedOperationException
        | StackOverflowError e) { // Avro's library throws these if a datum is not of its schema.
      throw new SerializationException(
          "topic "
              + topic
              + ": a "
              + data.getClass().getName()
              + " cannot be written: "
              + e.getMessage(),
          e);
    }
  }

  /** Returns the schema with which a value of the given schema is written. */
  private static RegisteredSchema registered(Configured current, String topic, Schema schema)
      throws RegistryException, InterruptedException {
    SerdeSettings common = current.common();
    String subject = common.registry().subjectOf(topic, common.isKey(), schema, common.strategy());
    if (common.useLatest()) {
      return current.subjects().latest(subject);
    }
    return current.settings().autoRegister()
        ? current.subjects().registerSchema(subject, schema)
        : current.subjects().findSchema(subject, schema);
  }

  private static byte[] id(Configured current, RegisteredSchema registered) {
    if (current.settings().place() == IdPlace.HEADER_GUID) {
      return WireFormat.bytesOf(
          registered
              .guid()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "the registry returns no GUID for its schema, which"
                              + " HeaderSchemaIdSerializer requires. Set"
                              + " schema.id.placement=header, which writes a number, instead.")));
    }
    IdFormat format = current.common().registry().idFormat();
    return format.bytesOf(
        format == IdFormat.SINGLE_OBJECT
            ? new SchemaId.Fingerprint(
                SchemaNormalization.parsingFingerprint64(registered.schema()))
            : registered.id());
  }

  /** Writes a datum of one schema with the same or another schema. */
  private void write(Object datum, Schema own, Schema written, boolean rawBytes, Encoder out)
      throws IOException {
    KeptWriter writer = writer(datum, own, written);
    boolean raw = rawBytes && written.getType() == Schema.Type.BYTES;
    Object resolved = datum;
    DatumWriter<Object> datums = writer.datums();
    if (writer.converted() != null) {
      ArrayEncoder bytes = new ArrayEncoder(FIRST_BYTES);
      datums.write(datum, bytes);
      byte[] encoded = bytes.toByteArray();
      try {
        resolved = writer.converted().from().read(null, encoded, 0, encoded.length);
      } catch (AvroTypeException e) {
        throw unresolved(e);
      }
      datums = writer.converted().to();
    }
    if (raw && resolved instanceof ByteBuffer bytes) {
      out.writeFixed(bytes);
    } else {
      datums.write(resolved, out);
    }
  }

  private static AvroTypeException unresolved(AvroTypeException e) {
    return new AvroTypeException(
        "it does not resolve to the newest schema of its subject, which use.latest.version=true"
            + " requires: "
            + e.getMessage()
            + ". Send records whose schema can be resolved to the newest schema, or set"
            + " use.latest.version=false.",
        e);
  }

  private static Schema schema(Object datum) {
    if (datum instanceof Map<?, ?> map && map.isEmpty()) {
      return EMPTY_MAP; // As by Confluent's serializer: there is no value to derive it from.
    }
    return datum instanceof GenericContainer container
        ? container.getSchema()
        : GenericData.get().induce(datum);
  }

  /** Returns what writes a value: often the same as for the last record. */
  @SuppressWarnings("ReferenceEquality") // Fast; other objects of equal schemas also work.
  private KeptWriter writer(Object datum, Schema own, Schema written) {
    @Nullable Class<?> type = datum instanceof SpecificRecord ? datum.getClass() : null;
    int hash = 31 * System.identityHashCode(own) + System.identityHashCode(written);
    int place = hash & (KEPT_WRITERS - 1);
    KeptWriter kept = writers.get(place);
    if (kept == null || kept.own() != own || kept.written() != written || kept.type() != type) {
      GenericData model =
          type == null ? DatumModels.generic(true) : SpecificData.getForClass(datum.getClass());
      kept =
          new KeptWriter(
              own, written, type, new FastDatumWriter<>(own, model), converted(own, written));
      writers.set(place, kept);
    }
    return kept;
  }

  private static @Nullable Converted converted(Schema own, Schema written) {
    if (own.equals(written)) {
      return null;
    }
    try {
      NewestSchema.requireSameLogicalTypes(own, written);
    } catch (AvroTypeException e) {
      throw unresolved(e);
    }
    GenericData raw = DatumModels.raw();
    return new Converted(
        new FastDatumReader<>(own, written, raw), new FastDatumWriter<>(written, raw));
  }

  private Configured configured() {
    Configured current = configured;
    if (current == null) {
      throw new IllegalStateException("the serializer is not configured, or closed");
    }
    return current;
  }

  @Override
  public void close() {
    Configured current = configured;
    configured = null;
    if (current != null) {
      current.registry().close();
    }
  }
}
