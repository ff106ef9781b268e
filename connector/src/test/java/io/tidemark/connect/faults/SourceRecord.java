package io.tidemark.connect.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.TopicPartition;

/**
 * A record as Kafka holds it. Its key says where it was produced, so that a row tells which record
 * it was. Example: {@code quotes-1#1@42}, offset 42 of the topic's first life.
 */
final class SourceRecord {
  static final int EARLIER_ID = 1;
  static final int LATER_ID = 2;

  static final Schema EARLIER =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredLong("price")
          .endRecord();

  static final Schema LATER =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredLong("price")
          .optionalString("venue")
          .endRecord();

  private final long offset;
  private final long timestamp;
  private final String key;
  private final byte[] value;

  private SourceRecord(long offset, long timestamp, String key, byte[] value) {
    this.offset = offset;
    this.timestamp = timestamp;
    this.key = key;
    this.value = value;
  }

  /** Makes a record of the earlier or the later schema. */
  static SourceRecord of(
      TopicPartition topicPartition, int life, long offset, long timestamp, boolean later) {
    String key = topicPartition + "#" + life + "@" + offset;
    return new SourceRecord(offset, timestamp, key, value(key, price(key), later));
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

  /** The schema id and the datum. Not a copy. */
  byte[] value() {
    return value;
  }

  static long price(String key) {
    return key.hashCode();
  }

  private static byte[] value(String key, long price, boolean later) {
    var bytes = new ByteArrayOutputStream();
    try {
      var framed = new DataOutputStream(bytes);
      framed.writeByte(0);
      framed.writeInt(later ? LATER_ID : EARLIER_ID);
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
      encoder.writeBytes(key.getBytes(UTF_8));
      encoder.writeLong(price);
      if (later) {
        encoder.writeIndex(1);
        encoder.writeString("XETR");
      }
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
