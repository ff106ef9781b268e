package io.tidemark.connect.storage.log;

import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.io.InputStream;
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
 * A log: a directory of numbered entries, each a file that is put there atomically or not at all.
 * Safe for use by many threads and processes; of two that append at the same number one wins.
 *
 * <p>A checkpoint stands for the entries up to its number. It is written before they are removed,
 * and what stands at such a number, or comes there late, is no part of the log.
 *
 * <p>Example: {@code /logs/stock-quotes/quotes/3/00000000000000000042.json}
 *
 * @param <E> the entries
 */
public class NumberedLog<E> {

  private static final Logger LOG = LoggerFactory.getLogger(NumberedLog.class);

  /** How often the log is listed again because what was listed is gone: it was folded since. */
  private static final int LISTINGS = 5;

  private final Storage storage;
  private final StoragePath directory;
  private final EntryFormat<E> format;

  /** The log in a directory, which need not be there yet. */
  public NumberedLog(Storage storage, StoragePath directory, EntryFormat<E> format) {
    this.storage = storage;
    this.directory = directory;
    this.format = format;
  }

  public StoragePath directory() {
    return directory;
  }

  /** Makes the log's directory, where missing. */
  public void create() throws IOException {
    storage.makeDirectories(directory);
  }

  /** The entry with the highest number; the checkpoint, where no entry follows it. */
  public Optional<NumberedEntry<E>> last() throws IOException, CorruptLogException {
    return lastOrCheckpoint().map(Last::entry);
  }

  /** The end of the log, and whether it is a checkpoint. */
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

  /**
   * The last entry with the one before it. That the one before is missing is an error, as in {@link
   * #after}.
   */
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

  /** The number of the checkpoint; 0 where there is none. */
  public long checkpoint() throws IOException {
    return list().checkpoint();
  }

  /**
   * The entries with numbers above {@code number} that are not folded, in order. A number that is
   * missing among them is an error.
   */
  public List<NumberedEntry<E>> after(long number) throws IOException, CorruptLogException {
    for (int listings = 1; ; listings++) {
      LogListing listing = list();
      if (listing.hasGapAbove(number) && listings < LISTINGS) {
        continue; // It came in pages, and entries were folded between two of them.
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
                + " stands there. A file of the log was removed. Restore "
                + entryPath(expected)
                + " from a copy, or where the entries before it are gone, too, the checkpoint that stood for them.");
      }
      entries.add(read(found));
      expected++;
    }
    return entries;
  }

  /**
   * The checkpoint, where there is one, and the entries after it, in order. A number that is
   * missing among them is an error.
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

  /** The file of an entry, as the store shows it; empty where it is folded or never stood there. */
  public Optional<StoredFile> file(long number) throws IOException {
    return storage.find(entryPath(number));
  }

  /** One entry; {@link NoSuchFileException} when there is none with this number. */
  public NumberedEntry<E> read(long number) throws IOException, CorruptLogException {
    return read(number, entryPath(number));
  }

  private NumberedEntry<E> read(long number, StoragePath file)
      throws IOException, CorruptLogException {
    try (InputStream in = storage.open(file)) {
      return new NumberedEntry<>(number, format.read(in.readAllBytes(), storage.location() + file));
    }
  }

  /**
   * Appends an entry at a number, if no entry stands there.
   *
   * @throws OutcomeUnknownException the entry may or may not stand there: call {@link #settle}
   *     until it answers
   * @throws IOException the entry does not stand there and nothing was begun that could put it
   *     there
   */
  public AppendOutcome<E> append(long number, E entry) throws IOException, CorruptLogException {
    StoragePath temporary = newTemporary(number, format.attempt(entry));
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
   * Finds out what became of an append whose outcome is unknown, and takes the entry back if it is
   * not there yet. The rename may still be on its way: only once the temporary file is known to be
   * gone can it no more take effect. The next try has another one, which a late rename does not
   * find half written.
   */
  public AppendOutcome<E> settle(long number, E entry) throws IOException, CorruptLogException {
    try {
      boolean takenBack = takeBack(storage.list(directory), number, format.attempt(entry));
      Optional<NumberedEntry<E>> standing = find(number);
      if (standing.isEmpty()) {
        Optional<NumberedEntry<E>> fence = fenceAbove(number);
        if (fence.isPresent()) {
          // It may have stood there before it was folded; then the next owner has published it.
          return new AppendOutcome.Collided<>(fence.get());
        }
        return new AppendOutcome.Withdrawn<>(
            takenBack ? "the rename had not taken effect" : "the temporary entry was gone");
      }
      return format.attempt(standing.get().entry()).equals(format.attempt(entry))
          ? appended(standing.get())
          : new AppendOutcome.Collided<>(standing.get());
    } catch (OutcomeUnknownException e) {
      throw e;
    } catch (IOException e) {
      throw new OutcomeUnknownException(
          storage.location()
              + entryPath(number)
              + ": what became of the entry cannot be read: "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Removes the temporary files of an attempt, those of former tries too; whether there was one.
   */
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
   * The last entry above {@code number}, the owner's own last, or a checkpoint that has folded it.
   * Only another task's claim, or what followed it, can stand there: so it means that the owner is
   * fenced. A listing shows that there is none; only what stands there is read.
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
   * Puts a checkpoint in the place of all entries up to a number. To be called by the log's owner,
   * when their files are in their tables and their Hive partitions in the catalog. Owners that fold
   * at the same number write the same; of several checkpoints the highest counts.
   */
  public void fold(long through, E checkpoint) throws IOException {
    StoragePath temporary = newTemporary(through, format.attempt(checkpoint));
    write(temporary, format.write(checkpoint));
    try {
      storage.rename(temporary, checkpointPath(through));
    } catch (FileAlreadyExistsException e) {
      LOG.info("{} has been folded up to {} before", directory, through);
    }
    removeLeftovers(through);
  }

  /**
   * Removes what attempts at numbers up to {@code number} left behind, which can no more win, and
   * what is folded.
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
        LOG.info("removed {}, left by an attempt that did not win", file.path());
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
      takeBack(files, entry.number(), format.attempt(entry.entry()));
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

  /** What the names of an attempt's temporary files begin with. */
  private static String temporaries(long number, UUID attempt) {
    return String.format(".%020d.%s.", number, attempt);
  }
}
