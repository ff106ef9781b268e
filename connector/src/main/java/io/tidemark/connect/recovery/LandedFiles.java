package io.tidemark.connect.recovery;

import io.tidemark.connect.commit.CommitLog;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.TableLayout;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The files of a table that the logs of its topic name, newest first. Read only where a table's
 * layout was not recorded, because an earlier build made the table.
 */
final class LandedFiles {
  private final Storage storage;
  private final StoragePath logsRoot;
  private final String logId;

  LandedFiles(Storage storage, StoragePath logsRoot, String logId) {
    this.storage = storage;
    this.logsRoot = logsRoot;
    this.logId = logId;
  }

  /**
   * The file that tells how a table is laid out: the newest that is registered. What waits to be
   * registered may have been committed under settings that the table does not have, so it is asked
   * last, and its oldest file first. The logs are compared by when their entries were written,
   * which only has to be right on either side of a change of settings.
   */
  Optional<DataFile> telling(String topic, TableLayout table)
      throws IOException, CorruptLogException {
    List<Landed> registered = new ArrayList<>();
    List<Landed> waiting = new ArrayList<>();
    for (CommitLog log : logs(topic)) {
      Optional<NumberedEntry<CommitEntry>> last = log.last();
      if (last.isPresent()) {
        collect(log, last.get(), table, registered, waiting);
      }
    }
    return registered.stream()
        .max(Comparator.comparing(Landed::writtenAt))
        .or(() -> waiting.stream().min(Comparator.comparing(Landed::writtenAt)))
        .map(Landed::file);
  }

  /** A file, and when the entry that names it was written. */
  private record Landed(Instant writtenAt, DataFile file) {}

  /** Adds the newest file that is registered, or else those that wait for it. */
  private static void collect(
      CommitLog log,
      NumberedEntry<CommitEntry> last,
      TableLayout table,
      List<Landed> registered,
      List<Landed> waiting)
      throws IOException, CorruptLogException {
    long checkpoint = log.checkpoint();
    long registeredThrough = last.entry().state().registeredThrough();
    for (long number = last.number(); number > checkpoint; number--) {
      Optional<Landed> landed = of(log, number, table);
      if (landed.isPresent() && number <= registeredThrough) {
        registered.add(landed.get());
        return;
      }
      landed.ifPresent(waiting::add);
    }
  }

  private List<CommitLog> logs(String topic) throws IOException {
    List<CommitLog> logs = new ArrayList<>();
    CommitLog any = CommitLog.of(storage, logsRoot, logId, new TopicPartition(topic, 0));
    for (StoredFile directory : storage.list(any.directory().parent())) {
      if (directory.directory()) {
        logs.add(new CommitLog(storage, directory.path()));
      }
    }
    return logs;
  }

  private static Optional<Landed> of(CommitLog log, long number, TableLayout table)
      throws IOException, CorruptLogException {
    try {
      return log.read(number)
          .entry()
          .match(
              claim -> Optional.empty(),
              batch ->
                  batch.files().stream()
                      .filter(file -> file.path().isBelow(table.root()))
                      .findFirst()
                      .map(file -> new Landed(batch.writtenAt(), file)),
              skip -> Optional.empty(),
              checkpoint -> Optional.empty());
    } catch (NoSuchFileException e) {
      // Folded meanwhile.
      return Optional.empty();
    }
  }
}
