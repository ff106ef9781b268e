package io.tidemark.registry.kafka;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.Subjects;
import io.tidemark.registry.cache.CachingSubjects;
import io.tidemark.registry.config.RegistrySubjects;
import io.tidemark.registry.wire.IdFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericContainer;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
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
 * <p>Text, numbers, booleans and bytes are datums of Avro's primitive types. Null is serialized as
 * null. In generic records a value of a logical type may be a converted object, such as a {@code
 * BigDecimal}, or a raw value, such as a {@code ByteBuffer}.
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

  /** Encoders with a small buffer: Avro's default size costs more for a small record. */
  private static final EncoderFactory ENCODERS = new EncoderFactory().configureBufferSize(256);

  /** The state after configuration. */
  private record Configured(SerdeSettings settings, RegistrySubjects registry, Subjects subjects) {}

  private static final GenericData MODEL = LogicalTypeModel.create();

  private final Map<Class<?>, SpecificData> models = new ConcurrentHashMap<>();
  private volatile @Nullable Configured configured;

  /**
   * @throws org.apache.kafka.common.config.ConfigException if a setting is invalid
   */
  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    close();
    SerdeSettings settings = SerdeSettings.parse(configs, isKey);
    RegistrySubjects registry = settings.registry().openSubjects(settings.normalize());
    configured =
        new Configured(
            settings,
            registry,
            new CachingSubjects(registry.subjects(), settings.registry().cache()));
  }

  @Override
  public byte @Nullable [] serialize(String topic, @Nullable Object data) {
    if (data != null && configured().settings().inHeader()) {
      throw new SerializationException(
          "topic "
              + topic
              + ": schema.id.placement=header needs the record's headers. Use a client of Kafka 2.1"
              + " or newer, or schema.id.placement=value.");
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
      Schema schema = schema(datum);
      RegisteredSchema registered = registered(current, topic, schema);
      byte[] id = current.settings().registry().idFormat().bytesOf(id(current, registered));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      if (current.settings().inHeader() && headers != null) {
        headers.remove(current.settings().header());
        headers.add(current.settings().header(), id);
      } else {
        out.write(id);
      }
      write(datum, schema, registered.schema(), out);
      return out.toByteArray();
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (RegistryUnavailableException e) {
      throw new TimeoutException("topic " + topic + ": " + e.getMessage(), e);
    } catch (RegistryException
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
    SerdeSettings settings = current.settings();
    String subject =
        settings.registry().subjectOf(topic, settings.isKey(), schema, settings.strategy());
    if (settings.useLatest()) {
      return current.subjects().latest(subject);
    }
    return new RegisteredSchema(
        settings.autoRegister()
            ? current.subjects().register(subject, schema)
            : current.subjects().find(subject, schema),
        schema);
  }

  private static SchemaId id(Configured current, RegisteredSchema registered) {
    return current.settings().registry().idFormat() == IdFormat.SINGLE_OBJECT
        ? new SchemaId.Fingerprint(SchemaNormalization.parsingFingerprint64(registered.schema()))
        : registered.id();
  }

  /** Writes a datum of one schema with the same or another schema. */
  private void write(Object datum, Schema own, Schema written, OutputStream out)
      throws IOException {
    if (own.equals(written)) {
      encode(writer(datum, own), datum, out);
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    encode(writer(datum, own), datum, bytes);
    Object resolved;
    try {
      NewestSchema.requireSameLogicalTypes(own, written);
      resolved =
          new GenericDatumReader<>(own, written, new GenericData())
              .read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
    } catch (AvroTypeException e) {
      throw new AvroTypeException(
          "it does not resolve to the newest schema of its subject, which use.latest.version=true"
              + " requires: "
              + e.getMessage()
              + ". Send records whose schema can be resolved to the newest schema, or set"
              + " use.latest.version=false.",
          e);
    }
    encode(new GenericDatumWriter<>(written), resolved, out);
  }

  private static void encode(DatumWriter<Object> writer, Object datum, OutputStream out)
      throws IOException {
    BinaryEncoder encoder = ENCODERS.binaryEncoder(out, null);
    writer.write(datum, encoder);
    encoder.flush();
  }

  private static Schema schema(Object datum) {
    return datum instanceof GenericContainer container
        ? container.getSchema()
        : GenericData.get().induce(datum);
  }

  private DatumWriter<Object> writer(Object datum, Schema schema) {
    if (datum instanceof SpecificRecord) {
      return new SpecificDatumWriter<>(
          schema, models.computeIfAbsent(datum.getClass(), SpecificData::getForClass));
    }
    return new GenericDatumWriter<>(schema, MODEL);
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
