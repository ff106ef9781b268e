package io.tidemark.connect;

import io.tidemark.connect.config.CompletenessSettings;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.batch.BatchId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/** Reads the header with the id of a record's announced batch. Not thread-safe. */
final class BatchIdHeader {
  private final String name;

  // Value and id of the previous record: records of one batch are mostly adjacent.
  private @Nullable Object lastValue;
  private @Nullable BatchId last;

  BatchIdHeader(String name) {
    this.name = name;
  }

  /** Empty if the connector does not count the records of announced batches. */
  static Optional<BatchIdHeader> of(ConnectorConfig config) {
    CompletenessSettings completeness = config.completeness();
    return completeness.anyEnabled()
        ? completeness.batchHeader().map(BatchIdHeader::new)
        : Optional.empty();
  }

  /** Returns null if the record does not have the header. */
  @Nullable BatchId read(SinkRecord record) {
    Header header = TidemarkSinkTask.header(record, name);
    if (header == null) {
      return null;
    }
    Object value = header.value();
    BatchId id = last;
    if (id == null || !isSame(value, lastValue)) {
      id = id(value);
      last = id;
      lastValue = value;
    }
    return id;
  }

  private static boolean isSame(@Nullable Object value, @Nullable Object other) {
    return value instanceof byte[] bytes
        ? other instanceof byte[] others && Arrays.equals(bytes, others)
        : value != null && value.equals(other);
  }

  private BatchId id(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.length > BatchId.MAX_BYTES ? tooLong(bytes.length) : ofBytes(bytes);
    }
    // Connect's default header converter converts bytes that look like a number or a boolean.
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return ofText(value.toString());
    }
    if (value == null) {
      return empty();
    }
    return BatchId.unusable(
        "the header %s is a %s, not the id of a batch: the header converter has decoded it. Set in the connector's config: header.converter=%s."
            .formatted(name, value.getClass().getName(), ConnectorConfig.BYTE_ARRAY_CONVERTER));
  }

  private BatchId ofBytes(byte[] bytes) {
    try {
      return ofText(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return BatchId.unusable(
          "the header %s has %d bytes that are not UTF-8. Have the producer send the batch's id as UTF-8."
              .formatted(name, bytes.length));
    }
  }

  private BatchId ofText(String text) {
    if (text.isEmpty()) {
      return empty();
    }
    if (BatchId.isId(text)) {
      return BatchId.of(text);
    }
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return bytes > BatchId.MAX_BYTES
        ? tooLong(bytes)
        : BatchId.unusable(
            "the header %s is \"%s\", which is not UTF-8. Have the producer send the batch's id as UTF-8."
                .formatted(name, text));
  }

  private BatchId tooLong(int bytes) {
    return BatchId.unusable(
        "the header %s has %d bytes, but the id of a batch has at most %d. Have the producer use a shorter id."
            .formatted(name, bytes, BatchId.MAX_BYTES));
  }

  private BatchId empty() {
    return BatchId.unusable(
        "the header %s is empty. Have the producer send the batch's id, or leave the header out."
            .formatted(name));
  }
}
