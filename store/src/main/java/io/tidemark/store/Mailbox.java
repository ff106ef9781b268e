package io.tidemark.store;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of small files that some processes put, and others read and delete. The names sort by
 * age. Immutable. Safe for use by many threads and processes.
 *
 * <p>Example of a file: {@code /ledger/logs/sales/inbox/01795248014445-8c6d8dc8-….json}
 *
 * @param names of the files that are listed; others are ignored
 */
public record Mailbox(Storage storage, StoragePath directory, Pattern names) {
  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);
  private static final Pattern UNIQUE = Pattern.compile("\\d{14,}-[0-9a-f-]{36}\\.json");

  /** A writer that has not renamed its temporary file within this time is no longer running. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  public Mailbox(Storage storage, StoragePath directory) {
    this(storage, directory, UNIQUE);
  }

  /**
   * Puts a file under a unique name, and returns its path. {@code now} orders listings; no rule
   * depends on it. After an exception, put it again: the reader must accept a second copy.
   */
  public StoragePath put(Instant now, byte[] content) throws IOException {
    String name =
        String.format(
            Locale.ROOT, "%014d-%s.json", Math.max(0, now.toEpochMilli()), UUID.randomUUID());
    put(name, content);
    return directory.child(name);
  }

  /** Puts a file, unless the name exists. Returns whether this call put it. */
  public boolean put(String name, byte[] content) throws IOException {
    return new PutIfAbsent(storage, directory).put(name, content);
  }

  /** Returns the files, oldest first. Removes temporary files of writers that have ended. */
  public List<StoredFile> list() throws IOException {
    List<StoredFile> existing =
        storage.list(directory).stream().filter(file -> !file.directory()).toList();
    // Only the store's clock decides whether a file is old.
    long newest = existing.stream().mapToLong(StoredFile::modifiedMs).max().orElse(0);
    existing.stream()
        .filter(file -> file.path().name().startsWith(".") && file.path().name().endsWith(".tmp"))
        .filter(file -> file.modifiedMs() < newest - ABANDONED.toMillis())
        .forEach(this::removeAbandoned);
    return existing.stream().filter(file -> names.matcher(file.path().name()).matches()).toList();
  }

  /** Removes a temporary file if possible: the directory may belong to another user. */
  private void removeAbandoned(StoredFile file) {
    try {
      if (storage.delete(file.path())) {
        LOG.info("{}: removed the temporary file of a writer that stopped", file.path());
      }
    } catch (IOException e) {
      LOG.debug("{} cannot be removed: {}", file.path(), PrintableText.messageOf(e));
    }
  }
}
