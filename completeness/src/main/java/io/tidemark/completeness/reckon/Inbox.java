package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Assignments;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.store.Mailbox;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts that the ledger has not read yet, each a file. Tasks put and replace their accounts;
 * the reckoner reads and deletes them. Not thread-safe. But several objects, also of other
 * processes, may use the same inbox.
 *
 * <p>Example: {@code /ledger/logs/sales/inbox/01795248014445-8c6d8dc8-….json}
 */
public final class Inbox {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);

  /** Tasks put what they have each hour, so later accounts have what one of this age has. */
  private static final long REPEATED_MS = Duration.ofHours(2).toMillis();

  private final Storage storage;
  private final Mailbox files;
  private final String logId;
  private final int filesMost;
  private final long bytesMost;

  /** Names of unreadable accounts. Each such account is reported once, and not opened again. */
  private final Set<String> damaged = new HashSet<>();

  /** Accounts that were read and are not deleted yet. They are not opened again. */
  private final Map<String, Received> known = new HashMap<>();

  /** {@code bytesMost} is the limit of one account, and of all that one read returns together. */
  public Inbox(Storage storage, LedgerDirectories folders, int filesMost, long bytesMost) {
    this.storage = storage;
    this.files = new Mailbox(storage, folders.inbox());
    this.logId = folders.logId();
    this.filesMost = filesMost;
    this.bytesMost = bytesMost;
  }

  /** An account in the inbox, and when it was put, by the store's clock. */
  public record Received(StoragePath file, Instant at, Account account) {

    Assignments.Report assigned() {
      return new Assignments.Report(at, account);
    }

    /** Returns whether the ledger has read the logs up to all valid pointers, or never will. */
    boolean isDone(LedgerState state, Set<LogPointer> refuted) {
      return account.logs().stream()
          .allMatch(pointer -> refuted.contains(pointer) || isDone(state, pointer));
    }

    private boolean isDone(LedgerState state, LogPointer pointer) {
      Position position = state.topic(pointer.topic()).at().get(pointer.topicPartition());
      if (position != null && pointer.number() <= position.number()) {
        return true;
      }
      // The log is not read until an operator acknowledges the gap, and then up to a later account.
      return state.holds().stream()
          .filter(hold -> hold.isGap(pointer.topic(), pointer.topicPartition()))
          .anyMatch(hold -> hold.acknowledgedAt().filter(at::isAfter).isEmpty());
    }
  }

  /**
   * The result of a read of the inbox.
   *
   * @param accounts the accounts, the oldest first by their names
   * @param problems place, problem, cause and cure for each account that cannot be read. Such
   *     accounts are not deleted, and later ones replace them
   * @param more whether further accounts remain for the next read
   */
  public record Look(List<Received> accounts, List<String> problems, boolean more) {

    public Look {
      accounts = List.copyOf(accounts);
      problems = List.copyOf(problems);
    }
  }

  /** Puts an account; see {@link Mailbox#put(Instant, byte[])}. */
  public StoragePath put(Account account, Instant now) throws IOException {
    return files.put(now, Account.FORMAT.write(account));
  }

  public Look look() throws IOException {
    List<Received> accounts = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    long bytes = 0;
    boolean more = false;
    List<StoredFile> all = files.list();
    long newest = all.stream().mapToLong(StoredFile::modifiedMs).max().orElse(0);
    for (StoredFile file : all) {
      String name = file.path().name();
      listed.add(name);
      if (more || damaged.contains(name)) {
        continue;
      }
      if (accounts.size() + problems.size() == filesMost
          || (file.bytes() <= bytesMost && bytes + file.bytes() > bytesMost)) {
        more = true;
        continue;
      }
      try {
        Received account = known.get(name);
        if (account == null) {
          account = read(file);
          known.put(name, account);
        }
        accounts.add(account);
        bytes += file.bytes();
      } catch (NoSuchFileException e) {
        LOG.debug("{} was deleted by another reckoner meanwhile", file.path());
      } catch (CorruptLogException | IOException e) {
        if (e instanceof IOException away && file.modifiedMs() > newest - REPEATED_MS) {
          throw away; // It may be the only one that has a topic-partition.
        }
        damaged.add(name);
        problems.add(
            PrintableText.messageOf(e)
                + " The task's next account replaces it. The account stays in the inbox. It can be removed.");
      }
    }
    damaged.retainAll(listed);
    known.keySet().retainAll(listed);
    return new Look(accounts, problems, more);
  }

  private Received read(StoredFile file) throws IOException, CorruptLogException {
    String place = storage.location() + file.path();
    if (file.bytes() > bytesMost) {
      throw new CorruptLogException(
          "%s: the file has %d bytes, and an account has at most %d. It was damaged, or another program wrote it."
              .formatted(place, file.bytes(), bytesMost));
    }
    Account account = Account.FORMAT.read(storage, file.path());
    if (!account.log().equals(logId)) {
      throw new CorruptLogException(
          "%s: this is an account of the log \"%s\", not of \"%s\". It was copied from another ledger."
              .formatted(place, account.log(), logId));
    }
    return new Received(file.path(), Instant.ofEpochMilli(file.modifiedMs()), account);
  }

  /** Deletes accounts, unless they are already deleted. */
  public void delete(Collection<StoragePath> accounts) throws IOException {
    for (StoragePath file : accounts) {
      storage.delete(file);
    }
  }
}
