package io.tidemark.completeness.reckon;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.log.CorruptLogException;
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
 * The log directory of the configuration, which must be the one that lands the tables. With a wrong
 * {@code logs.dir}, each log would seem to have lost its entries.
 */
record OwnLogDirectory(Storage storage, StoragePath directory) {
  /** Rejects the log directory if all tables are landed by another one. */
  void require(Collection<TableLayout> tables) throws IOException, CorruptLogException {
    Set<LogIdentity> owners = new LinkedHashSet<>();
    for (TableLayout table : tables) {
      owners.addAll(new TableOwner(storage, table).owners());
    }
    Optional<UUID> uuid = LogOwner.uuid(storage, directory);
    if (owners.isEmpty()
        || owners.stream().map(LogIdentity::uuid).anyMatch(uuid.stream().toList()::contains)) {
      return;
    }
    throw new CorruptLogException(
        "%s%s: %s, and the tables are landed by the log directory %s. Nothing is reported complete meanwhile. If logs.dir or log.id is wrong, correct it. If the log directory was removed or replaced, put it back. If it is permanently lost, follow the error of the connector's tasks."
            .formatted(
                storage.location(),
                directory,
                uuid.map(each -> "this log directory has UUID " + each)
                    .orElse("there is no log directory"),
                owners.iterator().next()));
  }
}
