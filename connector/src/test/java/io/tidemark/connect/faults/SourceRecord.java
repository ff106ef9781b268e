package io.tidemark.connect.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.store.TopicPartition;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * A record of the simulated Kafka. Its key names the offset at which it was produced, so that a row
 * shows from which record it came. Example: {@code quotes-1#1@42}, offset 42 of the topic's first
 * life.
 */
final class SourceRecord {
  static final int EARLIER_ID = 1;
  static final int LATER_ID = 2;
  static final int UNKNOWN_ID = 3;
  static final int UNROUTED_ID = 4;
  static final int REFUSED_ID = 5;

  /** Markets of records: texts that are difficult as directory names. */
  static final List<String> MARKETS = List.of("XETR", "", "../a=b/%2e", "Zürich \u0001");

  static final Schema EARLIER = earlier("Quote");

  /** As {@link #EARLIER}, by a name that no rule knows at first. */
  static final Schema UNROUTED = earlier("News");

  /** Hive does not distinguish two of its fields, so no table can take it, also no new table. */
  static final Schema REFUSED =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredString("market")
          .requiredLong("price")
          .requiredLong("Price")
          .endRecord();

  /** More branches than a schema may have. */
  static final Schema POISON =
      fields("Quote")
          .name("any")
          .type(
              Schema.createUnion(
                  IntStream.range(0, 1_000)
                      .mapToObj(each -> Schema.createFixed("F" + each, null, null, 1))
                      .toList()))
          .noDefault()
          .endRecord();

  static final Schema LATER = later("Quote");

  /** As {@link #LATER}, by another name. */
  static final Schema LATER_RENAMED = later("VenueQuote");

  private static final String TERM = "~";

  private final long offset;
  private final long timestamp;
  private final String key;
  private final RecordKind kind;
  private final byte @Nullable [] value;

  private SourceRecord(
      long offset, long timestamp, String key, RecordKind kind, byte @Nullable [] value) {
    this.offset = offset;
    this.timestamp = timestamp;
    this.key = key;
    this.kind = kind;
    this.value = value;
  }

  /**
   * A record. {@code term} distinguishes records of one offset if Kafka has truncated the former
   * one.
   */
  static SourceRecord of(
      TopicPartition topicPartition,
      int life,
      long offset,
      int term,
      long timestamp,
      RecordKind kind) {
    String key = keys(topicPartition, life) + offset + (term == 0 ? "" : TERM + term);
    return new SourceRecord(
        offset, timestamp, key, kind, kind == RecordKind.TOMBSTONE ? null : value(key, kind));
  }

  /** The offset at which the record of a key was produced. */
  static long offset(String key) {
    int term = key.indexOf(TERM);
    return Long.parseLong(key.substring(key.indexOf('@') + 1, term < 0 ? key.length() : term));
  }

  /** The beginning of the keys of a topic-partition. */
  static String keys(TopicPartition topicPartition, int life) {
    return topicPartition + "#" + life + "@";
  }

  long offset() {
    return offset;
  }

  long timestamp() {
    return timestamp;
  }

  String key() {
    return key;
  }

  RecordKind kind() {
    return kind;
  }

  /** The schema id and the datum; null for a tombstone. Not a copy. */
  byte @Nullable [] value() {
    return value;
  }

  private static Schema earlier(String name) {
    return fields(name).endRecord();
  }

  private static Schema later(String name) {
    return fields(name).optionalString("venue").endRecord();
  }

  private static SchemaBuilder.FieldAssembler<Schema> fields(String name) {
    return SchemaBuilder.record(name)
        .fields()
        .requiredString("key")
        .requiredString("market")
        .requiredLong("price");
  }

  static long price(String key) {
    return key.hashCode();
  }

  static String market(String key) {
    return MARKETS.get(Math.floorMod(key.hashCode(), MARKETS.size()));
  }

  private static byte[] value(String key, RecordKind kind) {
    var bytes = new ByteArrayOutputStream();
    try {
      var framed = new DataOutputStream(bytes);
      framed.writeByte(0);
      framed.writeInt(
          switch (kind) {
            case LATER -> LATER_ID;
            case UNKNOWN_SCHEMA -> UNKNOWN_ID;
            case UNROUTED -> UNROUTED_ID;
            case REFUSED -> REFUSED_ID;
            default -> EARLIER_ID;
          });
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
      encoder.writeBytes(key.getBytes(UTF_8));
      encoder.writeString(market(key));
      encoder.writeLong(price(key));
      if (kind == RecordKind.LATER) {
        encoder.writeIndex(1);
        encoder.writeString("XETR");
      }
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] whole = bytes.toByteArray();
    return kind == RecordKind.TRUNCATED ? Arrays.copyOf(whole, whole.length - 1) : whole;
  }
}
