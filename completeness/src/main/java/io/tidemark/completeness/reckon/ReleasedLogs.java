package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.Mailbox;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogFolding;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Up to where commit logs may be folded: what the ledger has read, and shown. Safe for use by many
 * threads and processes.
 *
 * <p>Example: {@code /ledger/logs/sales/released/00000000000000000042.json}, by ledger entry
 */
public record ReleasedLogs(Storage storage, LedgerDirectories folders) {
  private static final Pattern NAMES = Pattern.compile("\\d{20}\\.json");
  private static final int KEPT = 2;

  private static final JsonFormat<Released> FORMAT =
      JsonFormat.evolving("what the ledger has released", Released.class, Set.of());

  private Mailbox files() {
    return new Mailbox(storage, folders.released(), NAMES);
  }

  /** The content of a file, by topic and topic-partition. */
  record Released(String log, SortedMap<String, SortedMap<Integer, At>> logs) {
    Released {
      logs = Sorted.copyOf(logs);
    }

    /** An entry of a log: all entries up to it are released. */
    record At(long number, UUID attempt) {}
  }

  /** Puts what a ledger has read, all of whose entries are shown. The newest two files stay. */
  void put(Ledger ledger) throws IOException {
    SortedMap<String, SortedMap<Integer, Released.At>> logs = new TreeMap<>();
    for (Map.Entry<String, TopicState> topic : ledger.state().topics().entrySet()) {
      SortedMap<Integer, Released.At> released = new TreeMap<>();
      topic
          .getValue()
          .at()
          .forEach((each, at) -> released.put(each, new Released.At(at.number(), at.attempt())));
      logs.put(topic.getKey(), released);
    }
    boolean put =
        files()
            .put(
                String.format(Locale.ROOT, "%020d.json", ledger.number()),
                FORMAT.write(new Released(folders.logId(), logs)));
    List<StoredFile> all = files().list();
    for (StoredFile old : all.subList(0, Math.max(0, put ? all.size() - KEPT : 0))) {
      storage.delete(old.path());
    }
  }

  /** Returns the newest file's entries. A task reads it, to fold its logs. */
  public Map<TopicPartition, LogFolding.Released> read() throws IOException {
    List<StoredFile> all = files().list();
    Map<TopicPartition, LogFolding.Released> released = new TreeMap<>(CommitLogs.ORDER);
    if (all.isEmpty()) {
      return released;
    }
    try {
      FORMAT
          .read(storage, all.get(all.size() - 1).path())
          .logs()
          .forEach(
              (topic, logs) ->
                  logs.forEach(
                      (topicPartition, at) ->
                          released.put(
                              new TopicPartition(topic, topicPartition),
                              new LogFolding.Released(at.number(), Optional.of(at.attempt())))));
    } catch (NoSuchFileException e) {
      return read(); // A newer one has replaced it.
    } catch (CorruptLogException e) {
      throw new IOException(PrintableText.messageOf(e), e);
    }
    return released;
  }
}
