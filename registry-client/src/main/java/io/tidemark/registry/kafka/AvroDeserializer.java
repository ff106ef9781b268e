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
 * Reads what {@link AvroSerializer} and the vendors' serializers write: finds the schema of the id,
 * then reads the Avro binary, to its last byte. For one thread, as a consumer is.
 *
 * <p>Records are generic ones, or with {@code specific.avro.reader=true} of the class that has the
 * schema's name, by that class's schema. With {@code avro.use.logical.type.converters=true} values
 * of logical types in generic records are objects, such as a {@code BigDecimal} or an {@code
 * Instant}; else they are what their bytes are. A generated class says itself which it has.
 */
public final class AvroDeserializer implements Deserializer<@Nullable Object> {

  /** What a deserializer has once it is configured. */
  private record Configured(SerdeSettings settings, SchemaRegistry registry) {}

  private final Map<String, SchemaIdReader> idReaders = new HashMap<>();

  /** A writer schema, and what reads its datums. */
  private record Reader(Schema writer, DatumReader<Object> datums) {}

  /** Only ids that the registry knows come in here. */
  private final Map<SchemaId, Reader> readers = new HashMap<>();

  private @Nullable Configured configured;
  private @Nullable BinaryDecoder decoder;

  /**
   * @throws org.apache.kafka.common.config.ConfigException when a setting is wrong
   */
  @Override
  public void configure(Map<String, ?> configs, boolean isKey) {
    close();
    SerdeSettings settings = SerdeSettings.parse(configs, isKey);
    configured = new Configured(settings, settings.registry().open());
  }

  /** Reads a value whose id stands in front of it. */
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
      // Not the record's fault: who skips what cannot be read must not skip this.
      throw new KafkaException("topic " + topic + ": " + e.getMessage(), e);
    } catch (RegistryException | UnframedDatumException | UnreadableException e) {
      throw new SerializationException(
          "topic " + topic + ": the value cannot be read: " + e.getMessage(), e);
    }
  }

  /** A datum that its schema, or its class, does not read. */
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
          e.getMessage() + ": it was written with another schema than " + framing.id() + ".", e);
    } catch (StackOverflowError e) {
      throw new UnreadableException("its values are nested too deep for this thread's stack.", e);
    } catch (IOException | RuntimeException e) { // Casts and classes that a schema names, too.
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
   * A reader into a class. Avro's fast reader fails on texts of {@code java-class}, so the class's
   * model is copied without it.
   */
  private static DatumReader<Object> specificReader(Schema writer) {
    Class<?> type = SpecificData.get().getClass(writer);
    if (writer.getType() == Schema.Type.RECORD && type == null) {
      throw new SerializationException(
          "there is no class "
              + writer.getFullName()
              + ", which specific.avro.reader=true asks for. Put it on the class path, or set"
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
