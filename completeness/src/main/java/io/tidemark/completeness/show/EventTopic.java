package io.tidemark.completeness.show;

import java.io.IOException;
import java.util.List;
import org.apache.avro.generic.GenericRecord;

/** The topic of the ledger's events, for other programs. Not thread-safe. */
public interface EventTopic extends AutoCloseable {

  /** An event, with the name of its table or group, or of the topic if a batch has no table. */
  record Event(String key, GenericRecord value) {}

  /** Sends events durably. After an {@link IOException} send all again: some may have been sent. */
  void send(List<Event> events) throws IOException;

  @Override
  void close();
}
