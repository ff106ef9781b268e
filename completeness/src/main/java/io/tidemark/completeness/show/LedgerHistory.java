package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.table.TableName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads {@code tidemark_partitions} from the store: every completion since the ledger began. As a
 * query does, it reads the newest merged file of each month, and the files after it. Thread-safe.
 */
public record LedgerHistory(Storage storage, LedgerDirectories folders) {
  /** Maximum number of times that a month is listed, if its files are merged meanwhile. */
  private static final int LISTINGS = 5;

  /** The total of a Hive partition at a completion; otherwise the count of its late records. */
  public record Row(
      String hivePartition,
      long revision,
      boolean completion,
      long records,
      long bytes,
      long files,
      boolean partial) {}

  /** Passes the rows of a table to a consumer, sorted by month and then by revision. */
  public void forEach(TableName table, Consumer<Row> rows) throws IOException {
    StoragePath singles = LedgerTable.PARTITIONS.directory(folders);
    StoragePath merged =
        LedgerTable.PARTITIONS.mergedRoot(folders.root()).child(LedgerTable.ofLog(folders));
    SortedSet<String> months = new TreeSet<>();
    for (StoragePath directory : List.of(singles, merged)) {
      for (StoredFile month : storage.list(directory)) {
        if (month.directory()) {
          months.add(month.path().name());
        }
      }
    }
    for (String month : months) {
      month(singles.child(month), merged.child(month), table.toString(), rows);
    }
  }

  private void month(StoragePath singles, StoragePath merged, String table, Consumer<Row> rows)
      throws IOException {
    long read = 0;
    for (int listings = 1; ; listings++) {
      try {
        List<StoredFile> files = new ArrayList<>(storage.list(singles));
        RowFile.newestMerged(storage, merged).ifPresent(newest -> files.add(0, newest));
        for (StoredFile file : files) {
          OptionalLong entry = RowFile.ledgerEntry(file);
          if (entry.isPresent() && entry.getAsLong() > read) {
            read(file.path(), read, entry.getAsLong(), table, rows);
            read = entry.getAsLong();
          }
        }
        return;
      } catch (NoSuchFileException | FileNotFoundException e) {
        // A newer merged file has replaced the file: list the month again.
        if (listings == LISTINGS) {
          throw e;
        }
      }
    }
  }

  /** Passes on the rows with revisions above {@code after} and up to {@code last}. */
  private void read(StoragePath path, long after, long last, String table, Consumer<Row> rows)
      throws IOException {
    RowFile.read(
        storage,
        path,
        new GenericDatumReader<>(LedgerTable.PARTITIONS.schema(), LedgerTable.PARTITIONS.schema()),
        "",
        row -> {
          long revision = (Long) row.get("revision");
          if (table.contentEquals((CharSequence) row.get("table_name"))
              && revision > after
              && revision <= last) {
            rows.accept(row(row, revision));
          }
        });
  }

  private static Row row(GenericRecord row, long revision) {
    return new Row(
        row.get("hive_partition").toString(),
        revision,
        row.get("asked_at") != null,
        (Long) row.get("records"),
        (Long) row.get("bytes"),
        (Long) row.get("files"),
        (Boolean) row.get("partial"));
  }
}
