package io.tidemark.connect;

import io.tidemark.store.schema.KafkaColumns;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/** Encodes the {@link KafkaColumns} of a record that Connect delivered. */
record ColumnsOfKafka(KafkaColumns columns) {
  private static final String DECODED =
      "%s: the %s is a %s, not bytes, but columns.kafka writes it unchanged: a converter or a transform has decoded it. Set in the connector's config: %s, or leave it out of columns.kafka.";

  /** Throws a ConnectException if a converter has decoded the record's key or a header. */
  byte[] bytes(SinkRecord record) {
    Long timestamp = record.timestamp();
    return columns.bytes(
        record.originalTopic(),
        record.originalKafkaPartition(),
        record.originalKafkaOffset(),
        timestamp == null ? -1 : timestamp,
        columns.has(KafkaColumns.Column.KEY)
            ? TidemarkSinkTask.bytes(record, "key", record.key(), "key.converter", DECODED)
            : null,
        columns.has(KafkaColumns.Column.HEADERS) ? headers(record) : List.of());
  }

  private static List<Map.Entry<String, byte @Nullable []>> headers(SinkRecord record) {
    List<Map.Entry<String, byte @Nullable []>> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(
          new SimpleEntry<>(
              header.key(),
              TidemarkSinkTask.bytes(
                  record, "header " + header.key(), header.value(), "header.converter", DECODED)));
    }
    return headers;
  }
}
