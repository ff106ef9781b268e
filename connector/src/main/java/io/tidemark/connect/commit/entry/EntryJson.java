package io.tidemark.connect.commit.entry;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.tidemark.connect.batch.BatchIdCounts;
import io.tidemark.connect.batch.OffsetRanges;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.table.partition.HivePartition;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * JSON mapping of the values in entries of the commit log and of the ledger. A missing known field
 * is an error; an unknown field is ignored.
 */
public final class EntryJson {
  // No limit: a text may have any number of ranges, and every written entry must be readable.
  private static final StreamReadConstraints ANY_LENGTH =
      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build();

  private EntryJson() {}

  /** Creates a mapper to which a format adds its types. */
  public static ObjectMapper mapper() {
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(ANY_LENGTH).build())
        .enable(SerializationFeature.INDENT_OUTPUT)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        // Keep the digits of decimals in unknown fields.
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .addModule(
            new SimpleModule()
                .addSerializer(new TextSerializer<>(Instant.class, Instant::toString))
                .addSerializer(new TextSerializer<>(StoragePath.class, StoragePath::value))
                .addSerializer(new TextSerializer<>(HivePartition.class, HivePartition::path))
                .addSerializer(new TextSerializer<>(OffsetRanges.class, OffsetRanges::toString))
                .addDeserializer(
                    Instant.class, new TextDeserializer<>(Instant.class, Instant::parse))
                .addDeserializer(
                    StoragePath.class, new TextDeserializer<>(StoragePath.class, StoragePath::new))
                .addDeserializer(
                    OffsetRanges.class,
                    new TextDeserializer<>(OffsetRanges.class, OffsetRanges::parse))
                .addSerializer(new BatchIdsJson.Writer())
                .addDeserializer(BatchIdCounts.class, new BatchIdsJson.Reader())
                .addDeserializer(
                    HivePartition.class,
                    new TextDeserializer<>(HivePartition.class, HivePartition::parse)))
        .build();
  }

  /** Moves the unknown fields of an entry's state to a separate field. */
  public static void putAsideUnknown(ObjectNode entry, Set<String> knownFieldsOfState) {
    if (!(entry.get("state") instanceof ObjectNode state)) {
      return;
    }
    ObjectNode unknown = entry.objectNode();
    List<String> names = new ArrayList<>();
    state.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      if (!knownFieldsOfState.contains(name)) {
        unknown.put(name, state.remove(name).toString());
      }
    }
    state.putObject("unknown").set("jsonByName", unknown);
  }

  /** Writes the unknown fields back into the state. */
  public static void putBackUnknown(ObjectNode entry, UnknownFields unknown, ObjectMapper mapper)
      throws JacksonException {
    ObjectNode state = (ObjectNode) entry.get("state");
    state.remove("unknown");
    for (var field : new TreeMap<>(unknown.jsonByName()).entrySet()) {
      state.set(field.getKey(), mapper.readTree(field.getValue()));
    }
  }

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
      // The Hive partition of an unpartitioned table, and empty ranges, are the empty text, which
      // Jackson would read as null.
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
