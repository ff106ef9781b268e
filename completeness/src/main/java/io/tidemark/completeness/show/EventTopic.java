package io.tidemark.completeness.show;

import java.io.IOException;
import java.util.List;
import org.apache.avro.generic.GenericRecord;

/** The topic of the ledger's events, for other programs. Not thread-safe. */
public interface EventTopic extends AutoCloseable {

  /**
   * An event.
   *
   * @param key the name of the table or group, or of the topic if a batch landed in no table.
   *     Example: {@code default.orders}
   */
  record Event(String key, GenericRecord value) {}

  /**
   * Sends events, and returns once all events are durable.
   *
   * @throws IOException some events may have been sent: send all events again
   */
  void send(List<Event> events) throws IOException;

  @Override
  void close();
}
