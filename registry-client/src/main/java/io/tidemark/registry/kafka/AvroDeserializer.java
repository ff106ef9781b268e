package io.tidemark.registry.kafka;

import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.UnframedDatumException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
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
 * specific record class with the schema's name. The schema of that class is then the reader schema.
 *
 * <p>Values of logical types in generic records are raw values by default. With {@code
 * avro.use.logical.type.converters=true} they are objects, such as a {@code BigDecimal} or an
 * {@code Instant}. Specific record classes always use their own conversions.
 *
 * <p>Each datum is checked before objects are created from it. Avro's {@code GenericDatumReader} or
 * {@code SpecificDatumReader} then reads it, without Avro's fast reader.
 *
 * <p>{@code deserialize} throws
 *
 * <ul>
 *   <li>{@code SerializationException} if the value cannot be read: the record or its schema is
 *       invalid, or a setting is wrong, such as the registry's URL;
 *   <li>Kafka's {@code TimeoutException} if the registry is unavailable;
 *   <li>a plain {@code KafkaException} if the schema of the id has changed;
 *   <li>{@code InterruptException} if the thread was interrupted while it waited;
 *   <li>{@code IllegalStateException} if the deserializer is not configured, or closed.
 * </ul>
 */
public final class AvroDeserializer implements Deserializer<@Nullable Object> {

  /** The state after configuration. */
  private record Configured(SerdeSettings settings, SchemaRegistry registry) {}

  private final Map<String, SchemaIdReader> idReaders = new HashMap<>();

  /** A writer schema, and the reader of its datums. */
  private record Reader(Schema writer, DatumReader<Object> datums) {}

  /** The readers by id. Only ids that the registry has are added. */
  private final Map<SchemaId, Reader> readers = new HashMap<>();

  private @Nullable Configured configured;
  private @Nullable BinaryDecoder decoder;

  /**
   * @throws org.apache.kafka.common.config.ConfigException if a setting is invalid
   */
  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    close();
    SerdeSettings settings = SerdeSettings.parse(configs, isKey);
    configured = new Configured(settings, settings.registry().open());
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
    Header header = headers.lastHeader(configured().settings().header());
    return datum(topic, header == null ? null : header.value(), data);
  }

  private Object datum(String topic, byte @Nullable [] header, byte[] data) {
    Configured current = configured();
    try {
      Framing framing =
          idReaders
              .computeIfAbsent(topic, name -> current.settings().registry().reader(name))
              .read(header, data);
      Reader reader = readers.get(framing.id());
      if (reader == null || current.registry().contradictions().containsKey(framing.id())) {
        Schema writer = current.registry().schema(framing.id()).schema();
        reader = new Reader(writer, reader(writer, current.settings()));
        readers.put(framing.id(), reader);
      }
      return read(reader, framing, data);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } catch (RegistryUnavailableException e) {
      throw new TimeoutException("topic " + topic + ": " + e.getMessage(), e);
    } catch (SchemaChangedException e) {
      // The record is not wrong: a program that skips invalid records must not skip this one.
      throw new KafkaException("topic " + topic + ": " + e.getMessage(), e);
    } catch (RegistryException | UnframedDatumException | UnreadableException e) {
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

  private Object read(Reader reader, Framing framing, byte[] data) throws UnreadableException {
    int offset = framing.datumOffset();
    try {
      DatumBounds.check(reader.writer(), data, offset);
      BinaryDecoder in =
          DecoderFactory.get().binaryDecoder(data, offset, data.length - offset, decoder);
      decoder = in;
      return reader.datums().read(null, in);
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

  private static DatumReader<Object> reader(Schema writer, SerdeSettings settings)
      throws UnreadableException {
    try {
      return settings.specific()
          ? specificReader(writer)
          : new GenericDatumReader<>(writer, writer, generic(settings.logicalTypes()));
    } catch (RuntimeException | StackOverflowError e) {
      throw new UnreadableException(String.valueOf(e.getMessage()), e);
    }
  }

  private static GenericData generic(boolean logicalTypes) {
    GenericData model = logicalTypes ? LogicalTypeModel.create() : new GenericData();
    model.setFastReaderEnabled(false);
    return model;
  }

  /**
   * Returns a reader of a class's objects. The class's model is copied without Avro's fast reader,
   * which fails on strings with {@code java-class}.
   */
  private static DatumReader<Object> specificReader(Schema writer) {
    Class<?> type = SpecificData.get().getClass(writer);
    if (writer.getType() == Schema.Type.RECORD && type == null) {
      throw new SerializationException(
          "there is no class "
              + writer.getFullName()
              + ", which specific.avro.reader=true requires. Put it on the class path, or set"
              + " specific.avro.reader=false.");
    }
    if (writer.getType() != Schema.Type.RECORD || type == null) {
      SpecificData model = new SpecificData();
      model.setFastReaderEnabled(false);
      return new SpecificDatumReader<>(writer, writer, model);
    }
    SpecificData given = SpecificData.getForClass(type);
    SpecificData model = new SpecificData(given.getClassLoader());
    model.setFastReaderEnabled(false);
    model.setCustomCoders(given.useCustomCoders());
    given.getConversions().forEach(model::addLogicalTypeConversion);
    return new SpecificDatumReader<>(writer, given.getSchema(type), model);
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
    if (current != null) {
      current.registry().close();
    }
  }
}
