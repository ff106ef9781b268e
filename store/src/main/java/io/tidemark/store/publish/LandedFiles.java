package io.tidemark.store.publish;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds a table's files in the logs of its topic. Used only for tables of earlier builds, which did
 * not record the layout.
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
   * Returns the file that shows the layout of a table: the newest registered file, or else the
   * oldest file that waits for registration. A file that waits may have been committed under
   * settings that differ from the table's. The logs are compared by the times of their entries. The
   * times decide only which file is older than a change of settings, so small errors of clocks do
   * no harm.
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

  /** A file, and the time when its entry was written. */
  private record Landed(Instant writtenAt, DataFile file) {}

  /** Adds the newest registered file and all newer files, which wait for registration. */
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
      // The entry was folded meanwhile.
      return Optional.empty();
    }
  }
}
