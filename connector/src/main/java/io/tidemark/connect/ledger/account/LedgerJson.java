package io.tidemark.connect.ledger.account;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.tidemark.connect.commit.entry.EntryJson;
import io.tidemark.connect.storage.log.CorruptLogException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The common part of the ledger's file formats: JSON objects with a {@code version}, and with
 * {@code requires}, the names of features that a reader must know.
 *
 * @param what the name of what the file contains, for messages. Example: {@code the account}
 * @param version the version that is written
 * @param features the features that this version knows
 * @param mapper converts values to JSON and back
 */
public record LedgerJson(String what, int version, Set<String> features, ObjectMapper mapper) {

  /** Returns a format whose objects have no field {@code type}. */
  public static LedgerJson of(String what, int version, Set<String> features) {
    return new LedgerJson(what, version, features, newMapper());
  }

  /**
   * Returns a format in which objects of {@code type} have a field {@code type}, with a name in
   * {@code types}.
   */
  public static LedgerJson withTypes(
      String what, int version, Set<String> features, Class<?> type, Map<String, Class<?>> types) {
    ObjectMapper mapper = newMapper().addMixIn(type, Typed.class);
    types.forEach((name, subtype) -> mapper.registerSubtypes(new NamedType(subtype, name)));
    return new LedgerJson(what, version, features, mapper);
  }

  private static ObjectMapper newMapper() {
    SimpleModule module =
        new SimpleModule()
            .addSerializer(new OptionalWriter())
            .addDeserializer(Optional.class, new OptionalReader(Optional.empty()));
    return EntryJson.mapper().registerModule(module);
  }

  /** Returns a value as a JSON object that begins with the version. */
  public ObjectNode toObject(Object value) {
    ObjectNode node = mapper.createObjectNode();
    node.put("version", version);
    node.setAll((ObjectNode) mapper.valueToTree(value));
    return node;
  }

  public byte[] toBytes(ObjectNode node) {
    try {
      return mapper.writeValueAsBytes(node);
    } catch (JacksonException e) {
      throw new IllegalStateException(what + " could not be written as JSON: " + node, e);
    }
  }

  /** Converts a JSON object that this version can read to a value. */
  public interface Reader<T> {
    T read(ObjectNode node) throws IOException;
  }

  /**
   * Reads a text.
   *
   * @param place the path of the file, for messages
   * @param types the allowed values of the member "type"; empty if the format has no such field
   */
  public <T> T read(byte[] text, String place, Set<String> types, Reader<T> reader)
      throws CorruptLogException {
    try {
      JsonNode node = mapper.readTree(text);
      if (!(node instanceof ObjectNode object)
          || !object.path("version").canConvertToInt()
          || object.path("version").intValue() < 1) {
        throw new CorruptLogException(
            "%s: %s is not a JSON object with a version. The file was damaged, or another program wrote it. Restore it from a copy."
                .formatted(place, what));
      }
      int found = object.remove("version").intValue();
      refuseUnknown(object, found, types, place);
      return reader.read(object);
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
        "%s: %s cannot be read: %s. The file was damaged or edited. Restore it from a copy."
            .formatted(place, what, problem),
        cause);
  }

  /** Rejects a text of a newer version that this version would misread. */
  private void refuseUnknown(ObjectNode object, int found, Set<String> types, String place)
      throws CorruptLogException {
    JsonNode required =
        object.has("state") ? object.path("state").path("requires") : object.path("requires");
    List<String> unknown = new ArrayList<>();
    for (JsonNode feature : required) {
      if (!features.contains(feature.asText())) {
        unknown.add("requires the feature \"" + feature.asText() + "\"");
      }
    }
    String type = object.path("type").asText();
    if (found > version && !types.isEmpty() && !types.contains(type)) {
      unknown.add("is of the type \"" + type + "\"");
    }
    if (!unknown.isEmpty()) {
      throw new CorruptLogException(
          "%s: %s has version %d and %s, which this connector does not know: it reads version %d. A newer version of the connector has written it. Deploy that version or a later one on every worker. If there is none, the file was damaged: restore it from a copy."
              .formatted(place, what, found, String.join(" and ", unknown), version));
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  private interface Typed {}

  /** Writes an absent value as null. */
  @SuppressWarnings("rawtypes")
  private static final class OptionalWriter extends StdSerializer<Optional> {
    private static final long serialVersionUID = 1L;

    OptionalWriter() {
      super(Optional.class);
    }

    @Override
    public void serialize(Optional value, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      if (value.isPresent()) {
        provider.defaultSerializeValue(value.get(), generator);
      } else {
        generator.writeNull();
      }
    }
  }

  @SuppressWarnings("rawtypes")
  private static final class OptionalReader extends JsonDeserializer<Optional>
      implements ContextualDeserializer {
    private final Optional<JavaType> content;

    OptionalReader(Optional<JavaType> content) {
      this.content = content;
    }

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      return new OptionalReader(Optional.of(property.getType().containedType(0)));
    }

    @Override
    public Optional deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return Optional.of(context.readValue(parser, content.orElseThrow()));
    }

    @Override
    public Optional getNullValue(DeserializationContext context) {
      return Optional.empty();
    }
  }
}
