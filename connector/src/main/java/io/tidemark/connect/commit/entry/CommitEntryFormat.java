package io.tidemark.connect.commit.entry;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.tidemark.connect.batch.OffsetRanges;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.table.partition.HivePartition;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Function;

/**
 * Entries as text: JSON objects with a {@code version} and a {@code type}. The names of the fields
 * are those of the records in this package; {@code docs/PROTOCOL.md} shows each with an example.
 */
public final class CommitEntryFormat {

  /** The version that is written, and the newest that is read. */
  private static final int VERSION = 1;

  // What was written can be read, however many ranges are in a text.
  private static final StreamReadConstraints ANY_LENGTH =
      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build();

  private static final ObjectMapper JSON =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(ANY_LENGTH).build())
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .addMixIn(CommitEntry.class, TypedEntry.class)
          .addModule(
              new SimpleModule()
                  .addSerializer(new TextSerializer<>(Instant.class, Instant::toString))
                  .addSerializer(new TextSerializer<>(StoragePath.class, StoragePath::value))
                  .addSerializer(new TextSerializer<>(HivePartition.class, HivePartition::path))
                  .addSerializer(new TextSerializer<>(OffsetRanges.class, OffsetRanges::toString))
                  .addDeserializer(
                      Instant.class, new TextDeserializer<>(Instant.class, Instant::parse))
                  .addDeserializer(
                      StoragePath.class,
                      new TextDeserializer<>(StoragePath.class, StoragePath::new))
                  .addDeserializer(
                      OffsetRanges.class,
                      new TextDeserializer<>(OffsetRanges.class, OffsetRanges::parse))
                  .addDeserializer(
                      HivePartition.class,
                      new TextDeserializer<>(HivePartition.class, HivePartition::parse)))
          .build();

  private CommitEntryFormat() {}

  /** An entry as text, in UTF-8. */
  public static byte[] write(CommitEntry entry) {
    ObjectNode node = JSON.createObjectNode();
    node.put("version", VERSION);
    node.setAll((ObjectNode) JSON.valueToTree(entry));
    try {
      return JSON.writeValueAsBytes(node);
    } catch (JacksonException e) {
      throw new IllegalStateException("an entry could not be written as JSON: " + entry, e);
    }
  }

  /**
   * Reads an entry.
   *
   * @param place where the text stands, for messages
   */
  public static CommitEntry read(byte[] text, String place) throws CorruptLogException {
    try {
      JsonNode node = JSON.readTree(text);
      if (!(node instanceof ObjectNode object) || !object.path("version").canConvertToInt()) {
        throw new CorruptLogException(
            place
                + ": this is not a log entry (no JSON object with a version). The file was damaged or put there by "
                + "something else. Move it out of the log's directory only if a whole copy of it can be put back.");
      }
      int version = object.remove("version").intValue();
      if (version > VERSION) {
        throw new CorruptLogException(
            place
                + ": the entry has version "
                + version
                + ", but this connector reads up to "
                + VERSION
                + ". A newer version of the connector has written it. Deploy that version or a later one.");
      }
      return JSON.treeToValue(object, CommitEntry.class);
    } catch (JacksonException e) {
      throw new CorruptLogException(
          place
              + ": the entry cannot be read: "
              + e.getOriginalMessage()
              + ". The file was damaged or edited. Restore it from a copy.",
          e);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = CommitEntry.Claim.class, name = "claim"),
    @JsonSubTypes.Type(value = CommitEntry.Batch.class, name = "batch"),
    @JsonSubTypes.Type(value = CommitEntry.Skip.class, name = "skip"),
    @JsonSubTypes.Type(value = CommitEntry.Checkpoint.class, name = "checkpoint")
  })
  private interface TypedEntry {}

  private static final class TextSerializer<T> extends StdSerializer<T> {
    private static final long serialVersionUID = 1L;
    private final transient Function<T, String> text;

    TextSerializer(Class<T> type, Function<T, String> text) {
      super(type);
      this.text = text;
    }

    @Override
    public void serialize(T value, JsonGenerator generator, SerializerProvider provider)
        throws IOException {
      generator.writeString(text.apply(value));
    }
  }

  private static final class TextDeserializer<T> extends FromStringDeserializer<T> {
    private static final long serialVersionUID = 1L;
    private final transient Function<String, T> parse;

    TextDeserializer(Class<T> type, Function<String, T> parse) {
      super(type);
      this.parse = parse;
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      // The unpartitioned table's Hive partition and ranges without an offset are the empty text,
      // which Jackson would take for null.
      return parser.hasToken(JsonToken.VALUE_STRING)
          ? _deserialize(parser.getText(), context)
          : super.deserialize(parser, context);
    }

    @Override
    protected T _deserialize(String value, DeserializationContext context) throws IOException {
      try {
        return parse.apply(value);
      } catch (RuntimeException e) {
        throw context.weirdStringException(value, _valueClass, String.valueOf(e.getMessage()));
      }
    }
  }
}
