package io.tidemark.connect.reckon;

import java.io.IOException;
import java.util.List;
import org.apache.avro.generic.GenericRecord;

/** The topic in which other programs read what the ledger says. Used by one thread. */
public interface EventTopic extends AutoCloseable {

  /**
   * An event.
   *
   * @param key the table or group that it is of, or the topic where a batch landed in no table.
   *     Example: {@code default.orders}
   */
  record Event(String key, GenericRecord value) {}

  /**
   * Sends events; returns once all of them are durable.
   *
   * @throws IOException some of them may have been sent: send all of them again
   */
  void send(List<Event> events) throws IOException;

  @Override
  void close();
}
