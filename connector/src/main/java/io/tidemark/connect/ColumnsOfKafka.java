package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.schema.KafkaColumns;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/** Encodes the {@link KafkaColumns} of a record that Connect delivered. */
record ColumnsOfKafka(KafkaColumns columns) {

  /** Empty if the configuration has no Kafka columns. */
  static Optional<ColumnsOfKafka> of(ConnectorConfig config) {
    return config.kafkaColumns().map(ColumnsOfKafka::new);
  }

  /**
   * Returns the encoded columns of a record.
   *
   * @throws ConnectException a converter has decoded the record's key or a header, so that its
   *     bytes are missing
   */
  byte[] bytes(SinkRecord record) {
    Long timestamp = record.timestamp();
    return columns.bytes(
        record.originalTopic(),
        record.originalKafkaPartition(),
        record.originalKafkaOffset(),
        timestamp == null ? -1 : timestamp,
        columns.has(KafkaColumns.Column.KEY)
            ? bytes(record, "key", "key.converter", record.key())
            : null,
        columns.has(KafkaColumns.Column.HEADERS) ? headers(record) : List.of());
  }

  private static List<Map.Entry<String, byte @Nullable []>> headers(SinkRecord record) {
    List<Map.Entry<String, byte @Nullable []>> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(
          new SimpleEntry<>(
              header.key(),
              bytes(record, "header " + header.key(), "header.converter", header.value())));
    }
    return headers;
  }

  private static byte @Nullable [] bytes(
      SinkRecord record, String what, String converter, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof byte[] bytes) {
      return bytes;
    }
    throw new ConnectException(
        "%s: the %s is a %s, not bytes, but columns.kafka writes it unchanged: a converter or a transform has decoded it. Set in the connector's config: %s=%s, or leave it out of columns.kafka."
            .formatted(
                TidemarkSinkTask.place(record),
                what,
                value.getClass().getName(),
                converter,
                ConnectorConfig.BYTE_ARRAY_CONVERTER));
  }
}
