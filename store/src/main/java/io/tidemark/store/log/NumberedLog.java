package io.tidemark.store.log;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log: a directory of numbered entries, each a file that is put atomically or not at all. Safe
 * for use by many threads and processes. If two writers append at the same number, at most one
 * succeeds.
 *
 * <p>A checkpoint replaces all entries up to its number. It is written before these entries are
 * deleted. Readers ignore files of replaced entries, also files that appear late.
 *
 * <p>Example: {@code /logs/stock-quotes/quotes/3/00000000000000000042.json}
 *
 * @param <E> type of the entries
 */
public class NumberedLog<E extends LogEntry> {

  private static final Logger LOG = LoggerFactory.getLogger(NumberedLog.class);

  /** Maximum attempts to list and read the log while another owner folds it. */
  private static final int LISTINGS = 5;

  private final Storage storage;
  private final StoragePath directory;
  private final JsonFormat<E> format;

  /** Creates access to the log in a directory. The directory need not exist yet. */
  public NumberedLog(Storage storage, StoragePath directory, JsonFormat<E> format) {
    this.storage = storage;
    this.directory = directory;
    this.format = format;
  }

  public StoragePath directory() {
    return directory;
  }

  /** Creates the log's directory if it is missing. */
  public void create() throws IOException {
    storage.makeDirectories(directory);
  }

  /** Returns the entry with the highest number; the checkpoint if no entry follows it. */
  public Optional<NumberedEntry<E>> last() throws IOException, CorruptLogException {
    return lastOrCheckpoint().map(Last::entry);
  }

  /** The last entry, and whether it is a checkpoint. */
  private record Last<E>(NumberedEntry<E> entry, boolean checkpoint) {}

  private Optional<Last<E>> lastOrCheckpoint() throws IOException, CorruptLogException {
    for (int listings = 1; ; listings++) {
      LogListing listing = list();
      if (listing.isEmpty()) {
        return Optional.empty();
      }
      boolean folded = listing.entries().isEmpty();
      try {
        return Optional.of(
            new Last<>(
                folded
                    ? read(listing.checkpoint(), checkpointPath(listing.checkpoint()))
                    : read(listing.entries().get(listing.entries().size() - 1)),
                folded));
      } catch (NoSuchFileException e) {
        if (listings == LISTINGS) {
          throw e;
        }
      }
    }
  }

  /** Returns the last entry and the entry before it. Fails if the entry before is missing. */
  public Optional<LogEnd<E>> end() throws IOException, CorruptLogException {
    for (int listings = 1; ; listings++) {
      LogListing listing = list();
      if (listing.isEmpty()) {
        return Optional.empty();
      }
      if (listing.hasGapAbove(listing.last() - 2) && listings < LISTINGS) {
        continue;
      }
      try {
        List<NumberedEntry<E>> entries = new ArrayList<>();
        if (listing.checkpoint() > 0 && listing.last() - listing.checkpoint() <= 1) {
          entries.add(read(listing.checkpoint(), checkpointPath(listing.checkpoint())));
        }
        entries.addAll(after(listing.last() - 2, listing));
        NumberedEntry<E> last = entries.remove(entries.size() - 1);
        return Optional.of(new LogEnd<>(entries.stream().findFirst(), last));
      } catch (NoSuchFileException e) {
        if (listings == LISTINGS) {
          throw e;
        }
      }
    }
  }

  /** Returns the number of the checkpoint; 0 if there is none. */
  public long checkpoint() throws IOException {
    return list().checkpoint();
  }

  /**
   * Returns the entries above {@code number} that are not folded, in order. Fails if a number
   * between these entries is missing.
   */
  public List<NumberedEntry<E>> after(long number) throws IOException, CorruptLogException {
    for (int listings = 1; ; listings++) {
      LogListing listing = list();
      if (listing.hasGapAbove(number) && listings < LISTINGS) {
        continue; // Entries were folded between two pages of the listing.
      }
      try {
        return after(number, listing);
      } catch (NoSuchFileException e) {
        if (listings == LISTINGS) {
          throw e;
        }
      }
    }
  }

  private List<NumberedEntry<E>> after(long number, LogListing listing)
      throws IOException, CorruptLogException {
    List<NumberedEntry<E>> entries = new ArrayList<>();
    long expected = Math.max(number, listing.checkpoint()) + 1;
    for (long found : listing.entries()) {
      if (found <= number) {
        continue;
      }
      if (found != expected) {
        throw new CorruptLogException(
            directory
                + ": entry "
                + expected
                + " is missing, but entry "
                + found
                + " exists. A file of the log was removed. Restore "
                + entryPath(expected)
                + " from a copy. If earlier entries are missing too, restore the checkpoint that replaced them.");
      }
      entries.add(read(found));
      expected++;
    }
    return entries;
  }

  /**
   * Returns the checkpoint, if there is one, and the entries after it, in order. Fails if a number
   * among them is missing.
   */
  public List<NumberedEntry<E>> all() throws IOException, CorruptLogException {
    for (int listings = 1; ; listings++) {
      LogListing listing = list();
      if (listing.hasGapAbove(0) && listings < LISTINGS) {
        continue;
      }
      try {
        List<NumberedEntry<E>> all = new ArrayList<>();
        if (listing.checkpoint() > 0) {
          all.add(read(listing.checkpoint(), checkpointPath(listing.checkpoint())));
        }
        all.addAll(after(listing.checkpoint(), listing));
        return all;
      } catch (NoSuchFileException e) {
        if (listings == LISTINGS) {
          throw e;
        }
      }
    }
  }

  /** Returns the file of an entry; empty if it is folded or was never written. */
  public Optional<StoredFile> file(long number) throws IOException {
    return storage.find(entryPath(number));
  }

  /** Reads one entry; {@link NoSuchFileException} if there is none with this number. */
  public NumberedEntry<E> read(long number) throws IOException, CorruptLogException {
    return read(number, entryPath(number));
  }

  private NumberedEntry<E> read(long number, StoragePath file)
      throws IOException, CorruptLogException {
    return new NumberedEntry<>(number, format.read(storage, file));
  }

  /**
   * Appends an entry at a number, if no entry has that number.
   *
   * @throws OutcomeUnknownException if the entry may or may not be in the log: call {@link #settle}
   *     until it returns
   * @throws IOException if the entry is not in the log, and no pending rename could put it there
   */
  public AppendOutcome<E> append(long number, E entry) throws IOException, CorruptLogException {
    StoragePath temporary = newTemporary(number, entry.attempt());
    write(temporary, format.write(entry));
    try {
      storage.rename(temporary, entryPath(number));
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      return settle(number, entry);
    } catch (IOException e) {
      throw new OutcomeUnknownException(
          storage.location()
              + entryPath(number)
              + ": it is not known whether the entry was appended: "
              + e.getMessage(),
          e);
    }
    return appended(new NumberedEntry<>(number, entry));
  }

  /**
   * Resolves the unknown outcome of an append. First deletes the temporary files of all tries of
   * this entry, so that a delayed rename cannot take effect any more. Then reads the entry with the
   * number. If there is none, and no other owner has fenced this one, the append is withdrawn: the
   * entry can never appear. Each try has a new temporary name, so a late rename never exposes a
   * half-written file.
   */
  public AppendOutcome<E> settle(long number, E entry) throws IOException, CorruptLogException {
    try {
      boolean takenBack = takeBack(storage.list(directory), number, entry.attempt());
      Optional<NumberedEntry<E>> existing = find(number);
      if (existing.isEmpty()) {
        Optional<NumberedEntry<E>> fence = fenceAbove(number);
        if (fence.isPresent()) {
          // The entry may have been appended, published by the next owner, and folded; or it was
          // never appended. In both cases this owner is fenced.
          return new AppendOutcome.Collided<>(fence.get());
        }
        return new AppendOutcome.Withdrawn<>(
            takenBack ? "the rename had not taken effect" : "the temporary entry was gone");
      }
      return existing.get().entry().attempt().equals(entry.attempt())
          ? appended(existing.get())
          : new AppendOutcome.Collided<>(existing.get());
    } catch (OutcomeUnknownException e) {
      throw e;
    } catch (IOException e) {
      throw new OutcomeUnknownException(
          storage.location()
              + entryPath(number)
              + ": the outcome of the append cannot be read: "
              + e.getMessage(),
          e);
    }
  }

  /** Removes the temporary files of all tries of an attempt. Returns whether any file existed. */
  private boolean takeBack(List<StoredFile> files, long number, UUID attempt) throws IOException {
    boolean takenBack = false;
    for (StoredFile file : files) {
      if (file.path().name().startsWith(temporaries(number, attempt))) {
        takenBack |= storage.delete(file.path());
      }
    }
    return takenBack;
  }

  /**
   * Returns the newest entry above {@code number}, or a checkpoint at or above it. {@code number}
   * is the number of the owner's last entry, so either result means that this owner is fenced.
   * Costs one listing if the owner is not fenced.
   */
  public Optional<NumberedEntry<E>> fenceAbove(long number)
      throws IOException, CorruptLogException {
    return fenceAbove(number, list());
  }

  private Optional<NumberedEntry<E>> fenceAbove(long number, LogListing listing)
      throws IOException, CorruptLogException {
    if (listing.endsAt(number)) {
      return Optional.empty();
    }
    return lastOrCheckpoint()
        .filter(
            last ->
                last.entry().number() > number
                    || (last.entry().number() == number && last.checkpoint()))
        .map(Last::entry);
  }

  /**
   * Replaces all entries up to a number by a checkpoint. Called by the log's owner when no reader
   * needs these entries any more. Owners that fold at the same number write the same content. Of
   * several checkpoints the highest is valid.
   */
  public void fold(long through, E checkpoint) throws IOException {
    StoragePath temporary = newTemporary(through, checkpoint.attempt());
    write(temporary, format.write(checkpoint));
    try {
      storage.rename(temporary, checkpointPath(through));
    } catch (FileAlreadyExistsException e) {
      LOG.info("{}: another owner has folded the log up to {} already", directory, through);
    }
    removeLeftovers(through);
  }

  /**
   * Removes folded entries, and temporary files of attempts up to {@code number}. Such attempts can
   * no longer succeed.
   */
  public void removeLeftovers(long number) throws IOException {
    List<StoredFile> files = storage.list(directory);
    long checkpoint = LogListing.highest(files, LogListing.CHECKPOINT_NAME);
    for (StoredFile file : files) {
      boolean folded =
          LogListing.number(file, LogListing.ENTRY_NAME).orElse(Long.MAX_VALUE) <= checkpoint
              || LogListing.number(file, LogListing.CHECKPOINT_NAME).orElse(Long.MAX_VALUE)
                  < checkpoint;
      boolean left =
          LogListing.number(file, LogListing.TEMPORARY_NAME).orElse(Long.MAX_VALUE) <= number;
      if ((folded || left) && storage.delete(file.path()) && left) {
        LOG.info("removed {}, a temporary file of an attempt that did not succeed", file.path());
      }
    }
  }

  private void write(StoragePath temporary, byte[] text) throws IOException {
    try (OutputStream out = storage.create(temporary)) {
      out.write(text);
    }
  }

  private AppendOutcome<E> appended(NumberedEntry<E> entry)
      throws IOException, CorruptLogException {
    try {
      List<StoredFile> files = storage.list(directory);
      takeBack(files, entry.number(), entry.entry().attempt());
      return new AppendOutcome.Appended<>(entry, fenceAbove(entry.number(), LogListing.of(files)));
    } catch (IOException e) {
      throw new OutcomeUnknownException(
          directory
              + ": entry "
              + entry.number()
              + " was appended, but the log cannot be listed: "
              + e.getMessage(),
          e);
    }
  }

  private Optional<NumberedEntry<E>> find(long number) throws IOException, CorruptLogException {
    try {
      return Optional.of(read(number));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private LogListing list() throws IOException {
    return LogListing.of(storage.list(directory));
  }

  private StoragePath entryPath(long number) {
    return directory.child(String.format("%020d.json", number));
  }

  private StoragePath checkpointPath(long number) {
    return directory.child(String.format("%020d.checkpoint.json", number));
  }

  private StoragePath newTemporary(long number, UUID attempt) {
    return directory.child(temporaries(number, attempt) + UUID.randomUUID() + ".tmp");
  }

  /** Returns the prefix of the names of an attempt's temporary files. */
  private static String temporaries(long number, UUID attempt) {
    return String.format(".%020d.%s.", number, attempt);
  }
}
