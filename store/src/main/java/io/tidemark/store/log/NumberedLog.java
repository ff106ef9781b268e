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
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log: a directory of numbered entries, each a file that is put atomically or not at all. Safe
 * for use by many threads and processes. At most one append at the same number succeeds.
 *
 * <p>A checkpoint replaces all entries up to its number. It is written before these entries are
 * deleted. Readers ignore files of replaced entries, also files that appear late.
 *
 * <p>Example: {@code /logs/stock-quotes/quotes/3/00000000000000000042.json}
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

  public void create() throws IOException {
    storage.makeDirectories(directory);
  }

  /** Returns the entry with the highest number; the checkpoint if no entry follows it. */
  public Optional<NumberedEntry<E>> last() throws IOException, CorruptLogException {
    return newest(listing -> true);
  }

  private Optional<NumberedEntry<E>> newest(Predicate<LogListing> wanted)
      throws IOException, CorruptLogException {
    return fromListing(
        LogListing::last,
        listing ->
            listing.isEmpty() || !wanted.test(listing)
                ? Optional.empty()
                : Optional.of(from(listing.last(), listing).get(0)));
  }

  private interface Reading<T> {
    T of(LogListing listing) throws IOException, CorruptLogException;
  }

  /**
   * Lists the log and reads files. Repeats this if another owner has folded the log meanwhile: if a
   * file is missing, or if a number is missing that is above the number that {@code after} returns.
   * Entries may be folded between two pages of a listing.
   */
  private <T> T fromListing(ToLongFunction<LogListing> after, Reading<T> reading)
      throws IOException, CorruptLogException {
    for (int listings = 1; ; listings++) {
      LogListing listing = list();
      boolean last = listings == LISTINGS;
      if (!last && listing.hasGapAbove(after.applyAsLong(listing))) {
        continue;
      }
      try {
        return reading.of(listing);
      } catch (NoSuchFileException e) {
        if (last) {
          throw e;
        }
      }
    }
  }

  /** Returns the last entry and the entry before it. Fails if the entry before is missing. */
  public Optional<LogEnd<E>> end() throws IOException, CorruptLogException {
    return fromListing(
        listing -> listing.last() - 2,
        listing -> {
          if (listing.isEmpty()) {
            return Optional.empty();
          }
          List<NumberedEntry<E>> entries = from(listing.last() - 1, listing);
          NumberedEntry<E> last = entries.remove(entries.size() - 1);
          return Optional.of(new LogEnd<>(entries.stream().findFirst(), last));
        });
  }

  /** Returns the number of the checkpoint; 0 if there is none. */
  public long checkpoint() throws IOException {
    return list().checkpoint();
  }

  /** Returns the entries above a number that are not folded. Fails if a number is missing. */
  public List<NumberedEntry<E>> after(long number) throws IOException, CorruptLogException {
    return fromListing(listing -> number, listing -> after(number, listing));
  }

  /** Returns the entries from a number on, and the checkpoint if it is at the number or later. */
  private List<NumberedEntry<E>> from(long number, LogListing listing)
      throws IOException, CorruptLogException {
    List<NumberedEntry<E>> entries = new ArrayList<>();
    long checkpoint = listing.checkpoint();
    if (checkpoint > 0 && checkpoint >= number) {
      entries.add(read(checkpoint, checkpointPath(checkpoint)));
    }
    entries.addAll(after(number - 1, listing));
    return entries;
  }

  private List<NumberedEntry<E>> after(long number, LogListing listing)
      throws IOException, CorruptLogException {
    List<NumberedEntry<E>> entries = new ArrayList<>();
    long next = Math.max(number, listing.checkpoint()) + 1;
    for (long found : listing.entries().keySet()) {
      if (found <= number) {
        continue;
      }
      if (found != next) {
        throw new CorruptLogException(
            "%s: entry %d is missing, but entry %d exists. A file of the log was removed. Restore %s from a copy. If earlier entries are missing too, restore the checkpoint that replaced them."
                .formatted(directory, next, found, entryPath(next)));
      }
      entries.add(read(found));
      next++;
    }
    return entries;
  }

  /** Lists the log. What was read before, and is above the listed checkpoint, is not folded. */
  public LogListing list() throws IOException {
    return LogListing.of(storage.list(directory));
  }

  /** Reads a checkpoint; empty if there is none with this number. */
  public Optional<NumberedEntry<E>> findCheckpoint(long number)
      throws IOException, CorruptLogException {
    return find(number, checkpointPath(number));
  }

  /** Reads one entry; empty if it is folded or was never written. */
  public Optional<NumberedEntry<E>> find(long number) throws IOException, CorruptLogException {
    return find(number, entryPath(number));
  }

  private Optional<NumberedEntry<E>> find(long number, StoragePath file)
      throws IOException, CorruptLogException {
    return format.find(storage, file).map(found -> new NumberedEntry<>(number, found));
  }

  /** Returns the checkpoint, if any, and the entries after it. Fails if a number is missing. */
  public List<NumberedEntry<E>> all() throws IOException, CorruptLogException {
    return fromListing(listing -> 0, listing -> from(1, listing));
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
   * Appends an entry at a number, if no entry has that number. After an {@link
   * OutcomeUnknownException} call {@link #resolve} until it returns. After another {@link
   * IOException} the entry is not in the log, and no pending rename could put it there.
   */
  public AppendOutcome<E> append(long number, E entry) throws IOException, CorruptLogException {
    StoragePath temporary = write(number, entry);
    try {
      storage.rename(temporary, entryPath(number));
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      return resolve(number, entry);
    } catch (IOException e) {
      throw unknown(number, "it is not known whether the entry was appended", e);
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
  public AppendOutcome<E> resolve(long number, E entry) throws IOException, CorruptLogException {
    try {
      boolean withdrawn = withdraw(storage.list(directory), number, entry.attempt());
      Optional<NumberedEntry<E>> existing = find(number);
      if (existing.isPresent() && existing.get().entry().attempt().equals(entry.attempt())) {
        return appended(existing.get());
      }
      // Without an entry at the number, this one may have been appended, published by the next
      // owner, and folded; or it was never appended. A fence means the same in both cases.
      Optional<NumberedEntry<E>> winner = existing.isPresent() ? existing : fenceAbove(number);
      return winner.isPresent()
          ? new AppendOutcome.Collided<>(winner.get())
          : new AppendOutcome.Withdrawn<>(
              withdrawn ? "the rename had not taken effect" : "the temporary entry was gone");
    } catch (OutcomeUnknownException e) {
      throw e;
    } catch (IOException e) {
      throw unknown(number, "the outcome of the append cannot be read", e);
    }
  }

  private OutcomeUnknownException unknown(long number, String problem, IOException cause) {
    return new OutcomeUnknownException(
        "%s%s: %s: %s"
            .formatted(storage.location(), entryPath(number), problem, cause.getMessage()),
        cause);
  }

  /** Removes the temporary files of all tries of an attempt. Returns whether any file existed. */
  private boolean withdraw(List<StoredFile> files, long number, UUID attempt) throws IOException {
    boolean removed = false;
    for (StoredFile file : files) {
      if (file.path().name().startsWith(temporaries(number, attempt))) {
        removed |= storage.delete(file.path());
      }
    }
    return removed;
  }

  /**
   * Returns the newest entry above an owner's last one, or a checkpoint at or above it: this owner
   * is fenced. Costs one listing if it is not.
   */
  public Optional<NumberedEntry<E>> fenceAbove(long number)
      throws IOException, CorruptLogException {
    return fenceAbove(number, list());
  }

  private Optional<NumberedEntry<E>> fenceAbove(long number, LogListing listing)
      throws IOException, CorruptLogException {
    return listing.endsAt(number) ? Optional.empty() : newest(newer -> !newer.endsAt(number));
  }

  /**
   * Replaces all entries up to a number by a checkpoint. Called by the log's owner when no reader
   * needs them any more. Owners that fold at the same number write the same content. Of several
   * checkpoints the highest is valid.
   */
  public void fold(long through, E checkpoint) throws IOException {
    StoragePath temporary = write(through, checkpoint);
    try {
      storage.rename(temporary, checkpointPath(through));
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      // Another owner was first, or the client has repeated the call: see PutIfAbsent.
      if (storage.find(checkpointPath(through)).isEmpty()) {
        throw e;
      }
      LOG.info("{}: the log is folded up to {} already", directory, through);
    }
    removeLeftovers(through);
  }

  /** Removes folded entries, and temporary files of attempts up to a number, which are over. */
  public void removeLeftovers(long number) throws IOException {
    List<StoredFile> files = storage.list(directory);
    long checkpoint = LogListing.highest(files, LogListing.CHECKPOINT_NAME);
    for (StoredFile file : files) {
      boolean folded =
          LogListing.isUpTo(checkpoint, file, LogListing.ENTRY_NAME)
              || LogListing.isUpTo(checkpoint - 1, file, LogListing.CHECKPOINT_NAME);
      boolean left = LogListing.isUpTo(number, file, LogListing.TEMPORARY_NAME);
      if ((folded || left) && storage.delete(file.path()) && left) {
        LOG.info("removed {}, a temporary file of an attempt that did not succeed", file.path());
      }
    }
  }

  private StoragePath write(long number, E entry) throws IOException {
    StoragePath temporary =
        directory.child(temporaries(number, entry.attempt()) + UUID.randomUUID() + ".tmp");
    byte[] text = format.write(entry);
    try (OutputStream out = storage.create(temporary)) {
      out.write(text);
    }
    return temporary;
  }

  private AppendOutcome<E> appended(NumberedEntry<E> entry)
      throws IOException, CorruptLogException {
    try {
      List<StoredFile> files = storage.list(directory);
      withdraw(files, entry.number(), entry.entry().attempt());
      return new AppendOutcome.Appended<>(entry, fenceAbove(entry.number(), LogListing.of(files)));
    } catch (IOException e) {
      throw unknown(entry.number(), "the entry was appended, but the log cannot be listed", e);
    }
  }

  private StoragePath entryPath(long number) {
    return directory.child(String.format("%020d.json", number));
  }

  private StoragePath checkpointPath(long number) {
    return directory.child(String.format("%020d.checkpoint.json", number));
  }

  /** Returns the prefix of the names of an attempt's temporary files. */
  private static String temporaries(long number, UUID attempt) {
    return String.format(".%020d.%s.", number, attempt);
  }
}
