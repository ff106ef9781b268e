package io.tidemark.connect.ledger.store;

import io.tidemark.connect.ledger.account.Account;
import io.tidemark.connect.ledger.account.AccountFormat;
import io.tidemark.connect.storage.PutIfAbsent;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.storage.log.CorruptLogException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts of tasks that the reckoner has not taken yet, each a file. Tasks only put; the
 * reckoner reads and deletes. One thread uses an object of this class; many objects, also of other
 * processes, may have the same inbox.
 *
 * <p>Example: {@code /ledger/logs/sales/inbox/01795248014445-8c6d8dc8-….json}
 */
public final class Inbox {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final Pattern NAME = Pattern.compile("\\d{14,}-[0-9a-f-]{36}\\.json");

  /** A task that has not renamed its temporary file for so long has died. */
  private static final Duration ABANDONED = Duration.ofDays(1);

  private final Storage storage;
  private final StoragePath directory;
  private final String logId;
  private final int filesMost;
  private final long bytesMost;

  /** Names of those that cannot be read: each is reported once, and opened no more. */
  private final Set<String> damaged = new HashSet<>();

  /** Those that were read and are not deleted yet: they are not opened again. */
  private final Map<String, Received> known = new HashMap<>();

  /**
   * An inbox.
   *
   * @param filesMost so many accounts a look reads at most
   * @param bytesMost so long are the accounts of a look together at most, and each alone
   */
  public Inbox(Storage storage, LedgerFolders folders, int filesMost, long bytesMost) {
    this.storage = storage;
    this.directory = folders.inbox();
    this.logId = folders.logId();
    this.filesMost = filesMost;
    this.bytesMost = bytesMost;
  }

  /**
   * An account as it came.
   *
   * @param at when the store had it, by the store's clock
   */
  public record Received(StoragePath file, Instant at, Account account) {}

  /**
   * What a look has found.
   *
   * @param accounts the oldest ones by their names
   * @param problems of accounts that cannot be read, each with place, problem, cause and cure. They
   *     stay where they are, and what they bring is read from the log
   * @param more there are further accounts for the next look
   */
  public record Look(List<Received> accounts, List<String> problems, boolean more) {

    public Look {
      accounts = List.copyOf(accounts);
      problems = List.copyOf(problems);
    }
  }

  /**
   * Puts an account.
   *
   * @param now for its name, by which people find it and listings are in order; no rule depends on
   *     it
   * @throws IOException the store is away, and the account may come or not: put it again. That it
   *     comes twice does no harm
   */
  public void put(Account account, Instant now) throws IOException {
    String name =
        String.format(
            Locale.ROOT, "%014d-%s.json", Math.max(0, now.toEpochMilli()), UUID.randomUUID());
    if (!new PutIfAbsent(storage, directory).put(name, AccountFormat.write(account))) {
      throw new IOException(
          "%s%s: the account was not put, its temporary file is gone: the inbox was removed. It is tried again."
              .formatted(storage.location(), directory.child(name)));
    }
  }

  /** Reads accounts, the oldest first. */
  public Look look() throws IOException {
    List<StoredFile> files = storage.list(directory);
    removeAbandoned(files);
    List<Received> accounts = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    long bytes = 0;
    boolean more = false;
    for (StoredFile file : files) {
      String name = file.path().name();
      if (file.directory() || !NAME.matcher(name).matches()) {
        continue;
      }
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
      } catch (CorruptLogException e) {
        damaged.add(name);
        problems.add(
            e.getMessage()
                + " The account stays there; what it tells of is read from the commit log once a later account comes. It can be removed.");
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
          "%s: the file has %d bytes, and an account at most %d. It was damaged, or put there by something else."
              .formatted(place, file.bytes(), bytesMost));
    }
    try (InputStream in = storage.open(file.path())) {
      Account account = AccountFormat.read(in.readAllBytes(), place);
      if (!account.log().equals(logId)) {
        throw new CorruptLogException(
            "%s: this is an account of the log \"%s\", not of \"%s\". It was copied from another ledger."
                .formatted(place, account.log(), logId));
      }
      return new Received(file.path(), Instant.ofEpochMilli(file.modifiedMs()), account);
    }
  }

  /** What tasks left that died while they wrote, by the store's clock alone. */
  private void removeAbandoned(List<StoredFile> files) throws IOException {
    long newest = files.stream().mapToLong(StoredFile::modifiedMs).max().orElse(0);
    for (StoredFile file : files) {
      String name = file.path().name();
      if (!file.directory()
          && name.startsWith(".")
          && name.endsWith(".tmp")
          && file.modifiedMs() < newest - ABANDONED.toMillis()
          && storage.delete(file.path())) {
        LOG.info("removed {}, left by a task that stopped", file.path());
      }
    }
  }

  /** Deletes accounts that were taken. Those that are gone already do not matter. */
  public void delete(Collection<StoragePath> files) throws IOException {
    int deleted = 0;
    for (StoragePath file : files) {
      if (storage.delete(file)) {
        deleted++;
      }
    }
    LOG.debug("{}: deleted {} of {} accounts", directory, deleted, files.size());
  }
}
