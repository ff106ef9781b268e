package io.tidemark.store.commit;

import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.JsonFormat;
import io.tidemark.store.table.LogIdentity;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableOwner;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The identity file of a log directory: the connector that owns the log directory, and its UUID. In
 * this class, "log" is the log directory. A log that was removed and recreated has another UUID.
 *
 * <p>Example: {@code /logs/stock-quotes/identity.json} with {@code
 * {"version":1,"log":"stock-quotes","connector":"stock-quotes","uuid":"1b4e…"}}
 */
public record LogOwner(String log, String connector) {
  static final String FILE_NAME = "identity.json";
  private static final JsonFormat<Stored> FORMAT =
      JsonFormat.fixed("the identity of the log", Stored.class);

  public static boolean existsIn(Storage storage, StoragePath logDirectory) throws IOException {
    return storage.find(logDirectory.child(FILE_NAME)).isPresent();
  }

  /** Returns the UUID of a log directory; empty if it has no identity file. */
  public static Optional<UUID> uuid(Storage storage, StoragePath logDirectory)
      throws IOException, CorruptLogException {
    return FORMAT.find(storage, logDirectory.child(FILE_NAME)).map(Stored::uuid);
  }

  private record Stored(String log, String connector, UUID uuid) {}

  /** Puts this identity, or rejects that of another connector. Returns the log's UUID. */
  public UUID establish(Storage storage, StoragePath logDirectory)
      throws IOException, CorruptLogException {
    new PutIfAbsent(storage, logDirectory)
        .ensure(FILE_NAME, FORMAT.write(new Stored(log, connector, UUID.randomUUID())));
    return require(storage, logDirectory.child(FILE_NAME)).uuid();
  }

  /** Rejects a log without an identity file. It is the first file of a log, so it was removed. */
  public void requireNew(Storage storage, StoragePath logDirectory)
      throws IOException, CorruptLogException {
    if (CommitLog.topics(storage, logDirectory).isEmpty() || existsIn(storage, logDirectory)) {
      return; // Another task may have created both meanwhile.
    }
    throw new CorruptLogException(
        "%s%s is missing, but the log directory has commit logs: the file was removed. Restore it from a copy. If there is none, create it again: {\"version\":1,\"log\":\"%s\",\"connector\":\"%s\",\"uuid\":\"…\"} with the uuid from .tidemark/logs of its tables."
            .formatted(storage.location(), logDirectory.child(FILE_NAME), log, connector));
  }

  /** Checks the identity file as {@link #establish}, if there is one. Writes nothing. */
  public void requireIfExists(Storage storage, StoragePath logDirectory)
      throws IOException, CorruptLogException {
    if (existsIn(storage, logDirectory)) {
      require(storage, logDirectory.child(FILE_NAME));
    }
  }

  /**
   * Rejects a log directory if all tables are landed by another one. With a wrong {@code logs.dir},
   * each log would seem to have lost its entries.
   */
  public static void requireTables(
      Storage storage, StoragePath logDirectory, Collection<TableLayout> tables)
      throws IOException, CorruptLogException {
    Set<LogIdentity> owners = new LinkedHashSet<>();
    for (TableLayout table : tables) {
      owners.addAll(new TableOwner(storage, table).owners());
    }
    Optional<UUID> uuid = uuid(storage, logDirectory);
    if (!owners.isEmpty()
        && owners.stream().map(LogIdentity::uuid).noneMatch(uuid.stream().toList()::contains)) {
      throw new CorruptLogException(
          "%s%s: %s, and the tables are landed by the log directory %s. Nothing is reported complete meanwhile. If logs.dir or log.id is wrong, correct it. If the log directory was removed or replaced, put it back. If it is permanently lost, follow the error of the connector's tasks."
              .formatted(
                  storage.location(),
                  logDirectory,
                  uuid.map(each -> "this log directory has UUID " + each)
                      .orElse("there is no log directory"),
                  owners.iterator().next()));
    }
  }

  private Stored require(Storage storage, StoragePath file)
      throws IOException, CorruptLogException {
    Stored owner = FORMAT.read(storage, file);
    if (!owner.log().equals(log)) {
      throw new CorruptLogException(
          "%s%s: this is the identity of the log directory \"%s\", not of \"%s\". The file was damaged, edited or copied from another log directory. Restore it from a copy."
              .formatted(storage.location(), file, owner.log(), log));
    }
    if (!owner.connector().equals(connector)) {
      throw new CorruptLogException(
          "%s%s: the log directory belongs to connector \"%s\", not to connector \"%s\". Two connectors on one log directory would lose or duplicate records. To land the topics again, set another log.id, topics.dir and hive.table.name. To continue this log directory, give this connector that name. If no connector has that name, the file was damaged: restore it from a copy."
              .formatted(storage.location(), file, owner.connector(), connector));
    }
    return owner;
  }
}
