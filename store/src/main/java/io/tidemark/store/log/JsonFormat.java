package io.tidemark.store.log;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A format of files: JSON objects with a {@code version}, whose other fields are the components of
 * a record. A missing known field is an error; an unknown field is ignored, or kept by the record.
 * {@code docs/PROTOCOL.md}, "Evolution of the format", has the rules. Immutable.
 *
 * @param <T> the record, or a sealed type whose records have a name in the field {@code type}
 * @param what the content of a file, for messages. Example: {@code the identity of the log}
 * @param features the known features; empty if later versions are rejected
 * @param stateFields the known fields of {@code state}, whose other fields are kept; may be empty
 */
public record JsonFormat<T>(
    String what,
    Class<T> type,
    Optional<Set<String>> features,
    Set<String> stateFields,
    String cure,
    Optional<String> optionalList) {

  /** The version that is written, of all formats. */
  static final int VERSION = 1;

  private static final String UNKNOWN = "unknown";
  private static final String COPY = "Restore it from a copy.";

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              // No limit: a text of any number of ranges is written, and must be readable.
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS, MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          // Keep the digits of decimals in unknown fields.
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .addModule(new Jdk8Module())
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addDeserializer(Instant.class, new InstantReader()))
          .build();

  /** Returns a format of which later versions are rejected. */
  public static <T> JsonFormat<T> fixed(String what, Class<T> type) {
    return new JsonFormat<>(what, type, Optional.empty(), Set.of(), COPY, Optional.empty());
  }

  /**
   * Returns a format of which later versions are read, unless they require a feature that is not
   * among {@code features}. The required features are in the field {@code requires} of {@code
   * state}, or of a file without a state.
   */
  public static <T> JsonFormat<T> evolving(String what, Class<T> type, Set<String> features) {
    return new JsonFormat<>(
        what, type, Optional.of(Set.copyOf(features)), Set.of(), COPY, Optional.empty());
  }

  /** Returns this format with a {@code state}, which keeps its {@code unknown} fields. */
  public JsonFormat<T> withState(Class<? extends Record> state) {
    Set<String> fields =
        Arrays.stream(state.getRecordComponents())
            .map(RecordComponent::getName)
            .filter(name -> !name.equals(UNKNOWN))
            .collect(Collectors.toUnmodifiableSet());
    return new JsonFormat<>(what, type, features, fields, cure, optionalList);
  }

  /** Returns this format with the step after "Restore it from a copy", if there is no copy. */
  public JsonFormat<T> withoutCopy(String step) {
    return new JsonFormat<>(what, type, features, stateFields, COPY + " " + step, optionalList);
  }

  /** Returns this format with a list that is empty in files that lack it. */
  public JsonFormat<T> withOptionalList(String field) {
    return new JsonFormat<>(what, type, features, stateFields, cure, Optional.of(field));
  }

  public byte[] write(T value) {
    try {
      return JSON.writeValueAsBytes(toObject(value));
    } catch (JacksonException e) {
      throw new IllegalStateException(what + " could not be written as JSON: " + value, e);
    }
  }

  public String line(T value) {
    return toObject(value).toString();
  }

  private ObjectNode toObject(T value) {
    ObjectNode node = JSON.createObjectNode().put("version", VERSION);
    node.setAll((ObjectNode) JSON.valueToTree(value));
    if (features.isPresent() && !node.has("state")) {
      node.putArray("requires");
    }
    return node;
  }

  /** Reads a file; empty if it does not exist. See {@link #read(byte[], String)}. */
  public Optional<T> find(Storage storage, StoragePath file)
      throws IOException, CorruptLogException {
    try {
      return Optional.of(read(storage, file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Reads a file; see {@link #read(byte[], String)}. */
  public T read(Storage storage, StoragePath file) throws IOException, CorruptLogException {
    try (InputStream in = storage.open(file)) {
      return read(in.readAllBytes(), storage.location() + file);
    }
  }

  /** Rejects a text of another form, or of a later version that this build cannot read. */
  public T read(byte[] text, String place) throws CorruptLogException {
    try {
      if (!(JSON.readTree(text) instanceof ObjectNode object)
          || !object.path("version").isInt()
          || object.path("version").intValue() < 1) {
        throw new IllegalArgumentException("it is not a JSON object with a version");
      }
      refuseLater(object, place);
      if (!stateFields.isEmpty() && object.get("state") instanceof ObjectNode state) {
        ObjectNode unknown = state.deepCopy().remove(stateFields);
        state.retain(stateFields).set(UNKNOWN, unknown);
      }
      optionalList.filter(field -> !object.has(field)).ifPresent(object::putArray);
      return JSON.treeToValue(object, type);
    } catch (JacksonException e) {
      throw damaged(place, e.getOriginalMessage(), e);
    } catch (IllegalArgumentException e) {
      throw damaged(place, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private CorruptLogException damaged(String place, String problem, Exception cause) {
    return new CorruptLogException(
        "%s: %s cannot be read: %s. The file was damaged or edited, or another program wrote it. %s"
            .formatted(place, what, problem, cure),
        cause);
  }

  /** Rejects a file of a later version that this build would misread. */
  private void refuseLater(ObjectNode object, String place) throws CorruptLogException {
    int version = object.path("version").intValue();
    List<String> unknown = new ArrayList<>();
    JsonNode required = (object.has("state") ? object.path("state") : object).path("requires");
    for (JsonNode feature : required) {
      if (features.isPresent() && !features.get().contains(feature.asText())) {
        unknown.add("requires the feature \"" + feature.asText() + "\"");
      }
    }
    String name = object.path("type").asText();
    if (version > VERSION && isUnknownType(name)) {
      unknown.add("is of the type \"" + name + "\"");
    }
    if (!unknown.isEmpty() || (features.isEmpty() && version > VERSION)) {
      unknown.add(0, "has version " + version);
      throw new CorruptLogException(
          "%s: %s %s, which this connector does not know: it reads version %d. A newer version of the connector has written it. Deploy that version or a later one on every worker. If there is none, the file was damaged: restore it from a copy."
              .formatted(place, what, String.join(" and ", unknown), VERSION));
    }
  }

  private boolean isUnknownType(String name) {
    JsonSubTypes types = type.getAnnotation(JsonSubTypes.class);
    return types != null
        && Arrays.stream(types.value()).noneMatch(known -> known.name().equals(name));
  }

  private static final class InstantReader extends FromStringDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    InstantReader() {
      super(Instant.class);
    }

    @Override
    protected Instant _deserialize(String value, DeserializationContext context)
        throws IOException {
      try {
        return Instant.parse(value);
      } catch (DateTimeParseException e) {
        throw context.weirdStringException(value, Instant.class, String.valueOf(e.getMessage()));
      }
    }
  }
}
