package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.show.EventTopic.Event;
import io.tidemark.store.Mailbox;
import io.tidemark.store.Storage;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The store of events that are not sent yet. It has a file for each entry of the ledger with
 * events, and removes the file once the events are sent. During an outage of Kafka or the schema
 * registry the files accumulate, and the reckoner does not wait. Thread-safe, also between workers.
 *
 * <p>Example: {@code /ledger/logs/sales/events/00000000000000000042.avro}
 */
public record EventOutbox(Storage storage, LedgerDirectories folders) {
  static final int SENT_TOGETHER = 500;

  Mailbox files() {
    return new Mailbox(storage, folders.events(), RowFile.NAME);
  }

  /**
   * Adds the events of an entry; returns whether there are events to send. Idempotent: sent events
   * are sent again as copies. The parameters are those of {@link LedgerShow#show}.
   */
  public boolean put(
      LedgerState before, NumberedEntry<LedgerEntry> entry, List<SettledEntry> accounted)
      throws IOException {
    List<GenericRecord> made = new LedgerEvents(folders.logId(), before, entry).of(accounted);
    if (made.isEmpty()) {
      return false;
    }
    // An existing file of this name is from the same entry, and has the same events.
    files().put(RowFile.name(entry.number()), RowFile.bytes(LedgerEvents.EVENT, made));
    return true;
  }

  /**
   * Sends the events of a file, without removing it; nothing if another worker has sent and removed
   * it. After an {@link IOException}, send the whole file again.
   */
  void send(StoredFile file, EventTopic topic) throws IOException {
    List<Event> together = new ArrayList<>(); // of large files, only a part is in memory
    try {
      RowFile.read(
          storage,
          file.path(),
          new GenericDatumReader<>(),
          ", or remove it; without it its events are not sent",
          event -> {
            together.add(new Event(LedgerEvents.key(event), event));
            if (together.size() == SENT_TOGETHER) {
              topic.send(List.copyOf(together));
              together.clear();
            }
          });
    } catch (NoSuchFileException e) {
      return;
    }
    topic.send(List.copyOf(together));
  }
}
