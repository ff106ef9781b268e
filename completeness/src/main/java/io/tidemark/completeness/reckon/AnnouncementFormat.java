package io.tidemark.completeness.reckon;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.completeness.decide.Announcement;
import io.tidemark.store.PrintableText;
import io.tidemark.store.batch.BatchId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads announcements of batches. Unknown fields are ignored.
 *
 * <p>Example: key {@code nightly-21}, value {@code
 * {"version":1,"batch":"nightly-21","records":{"orders":1000000,"payments":250000}}}
 */
final class AnnouncementFormat {
  static final int VERSION = 1;
  static final int VALUE_BYTES_MOST = 1 << 20;
  static final int ID_BYTES_MOST = BatchId.MAX_BYTES;
  static final int TOPICS_MOST = 1_000;
  static final long COUNT_MOST = 1L << 53;

  // Example: orders.v2
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(16)
                          .maxNumberLength(32)
                          .maxStringLength(VALUE_BYTES_MOST)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private AnnouncementFormat() {}

  /** Thrown for a record that is not a valid announcement. The message contains the problem. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String problem) {
      super(problem);
    }

    MalformedException(String problem, Throwable cause) {
      super(problem, cause);
    }
  }

  static Announcement read(AnnouncementsTopic.Sent sent) throws MalformedException {
    JsonNode node = json(sent.value());
    JsonNode version = node.path("version");
    if (!version.isIntegralNumber() || version.longValue() != VERSION) {
      throw new MalformedException("its version is %s, not 1".formatted(shown(version)));
    }
    JsonNode batch = node.path("batch");
    if (!batch.isTextual()) {
      throw new MalformedException("its batch is %s, but must be a string".formatted(shown(batch)));
    }
    String id = batch.textValue();
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > ID_BYTES_MOST) {
      throw new MalformedException(
          "its batch has %d bytes in UTF-8; 1 to %d are allowed".formatted(bytes, ID_BYTES_MOST));
    }
    String key =
        text(sent.key(), "key", ID_BYTES_MOST, "it has no key, which must be the batch's id");
    if (!key.equals(id)) {
      throw new MalformedException(
          "its key is %s, and its batch is %s"
              .formatted(PrintableText.of(key), PrintableText.of(id)));
    }
    return new Announcement(id, sent.sentAt(), records(node.path("records")));
  }

  private static JsonNode json(Optional<byte[]> value) throws MalformedException {
    String text = text(value, "value", VALUE_BYTES_MOST, "it has no value");
    try {
      JsonNode node = JSON.readTree(text);
      if (node == null || !node.isObject()) {
        throw new MalformedException("its value is not a JSON object");
      }
      return node;
    } catch (JacksonException e) {
      throw new MalformedException(
          "its value is not JSON: " + PrintableText.of(e.getOriginalMessage()), e);
    }
  }

  /** Returns a text in UTF-8; {@code missing} is the problem if there is none. */
  private static String text(Optional<byte[]> sent, String what, int bytesMost, String missing)
      throws MalformedException {
    byte[] utf8 = sent.orElseThrow(() -> new MalformedException(missing));
    if (utf8.length > bytesMost) {
      throw new MalformedException(
          "its %s has %d bytes; at most %d are allowed".formatted(what, utf8.length, bytesMost));
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedException("its " + what + " is not UTF-8", e);
    }
  }

  private static SortedMap<String, Long> records(JsonNode node) throws MalformedException {
    if (!node.isObject() || node.isEmpty() || node.size() > TOPICS_MOST) {
      throw new MalformedException(
          "its records are not an object with 1 to %d topics".formatted(TOPICS_MOST));
    }
    SortedMap<String, Long> records = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : node.properties()) {
      JsonNode count = each.getValue();
      if (!TOPIC.matcher(each.getKey()).matches()) {
        throw new MalformedException(
            "%s is not a topic's name".formatted(PrintableText.of(each.getKey())));
      }
      if (!count.isIntegralNumber()
          || !count.canConvertToLong()
          || count.longValue() < 0
          || count.longValue() > COUNT_MOST) {
        throw new MalformedException(
            "the records of %s are %s; a count from 0 to %d is allowed"
                .formatted(each.getKey(), shown(count), COUNT_MOST));
      }
      records.put(each.getKey(), count.longValue());
    }
    return records;
  }

  private static String shown(JsonNode node) {
    return node.isMissingNode() ? "missing" : PrintableText.of(node.toString(), 100);
  }
}
