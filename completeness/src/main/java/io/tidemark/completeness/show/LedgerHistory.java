package io.tidemark.completeness.show;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.table.TableName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads {@code tidemark_partitions} from the store: every completion since the ledger began. As a
 * query does, it reads the newest fold of each month, and the files after that fold. Thread-safe.
 */
public final class LedgerHistory {

  /**
   * Maximum number of times that a month is listed. It is listed again if it was folded meanwhile.
   */
  private static final int LISTINGS = 5;

  private final Storage storage;
  private final StoragePath ledgerDirectory;
  private final String logId;

  /**
   * Creates the reader of a log's ledger; {@code ledgerDirectory} is the directory of all ledgers.
   */
  public LedgerHistory(Storage storage, StoragePath ledgerDirectory, String logId) {
    this.storage = storage;
    this.ledgerDirectory = ledgerDirectory;
    this.logId = logId;
  }

  /**
   * A row.
   *
   * @param hivePartition the path of the Hive partition; empty for a whole table
   * @param revision the number of the ledger's entry
   * @param completion whether the row is the total at a completion; if not, it counts late records
   */
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
    String ofLog = LedgerTable.WATERMARKS.partition(logId).path();
    SortedSet<String> months = new TreeSet<>();
    for (StoragePath root :
        List.of(
            LedgerTable.PARTITIONS.root(ledgerDirectory),
            LedgerTable.PARTITIONS.foldedRoot(ledgerDirectory))) {
      for (StoredFile month : storage.list(root.child(ofLog))) {
        if (month.directory()) {
          months.add(ofLog + "/" + month.path().name());
        }
      }
    }
    for (String month : months) {
      month(month, table.toString(), rows);
    }
  }

  private void month(String month, String table, Consumer<Row> rows) throws IOException {
    long read = 0;
    for (int listings = 1; ; listings++) {
      try {
        long fold = newestFold(month);
        if (fold > read) {
          String name = RowFile.name(fold);
          read(
              foldsOf(month).child(name.replace(".avro", "")).child(name), read, fold, table, rows);
          read = fold;
        }
        StoragePath singles = LedgerTable.PARTITIONS.root(ledgerDirectory).child(month);
        for (StoredFile file : storage.list(singles)) {
          OptionalLong entry = RowFile.ledgerEntry(file.path().name());
          if (!file.directory() && entry.isPresent() && entry.getAsLong() > read) {
            read(file.path(), read, entry.getAsLong(), table, rows);
            read = entry.getAsLong();
          }
        }
        return;
      } catch (NoSuchFileException | FileNotFoundException e) {
        // A newer fold has replaced the file: list the month again.
        if (listings == LISTINGS) {
          throw e;
        }
      }
    }
  }

  private StoragePath foldsOf(String month) {
    return LedgerTable.PARTITIONS.foldedRoot(ledgerDirectory).child(month);
  }

  private long newestFold(String month) throws IOException {
    long newest = 0;
    for (StoredFile directory : storage.list(foldsOf(month))) {
      String name = directory.path().name() + ".avro";
      OptionalLong entry = RowFile.ledgerEntry(name);
      if (entry.isPresent() && storage.find(directory.path().child(name)).isPresent()) {
        newest = Math.max(newest, entry.getAsLong());
      }
    }
    return newest;
  }

  /** Passes on the rows with revisions above {@code after} and up to {@code through}. */
  private void read(
      StoragePath path, long after, long through, String table, Consumer<Row> consumer)
      throws IOException {
    GenericDatumReader<GenericRecord> reader = new GenericDatumReader<>();
    reader.setExpected(LedgerTable.PARTITIONS.schema());
    try (InputStream in = storage.open(path);
        DataFileStream<GenericRecord> rows = new DataFileStream<>(in, reader)) {
      for (GenericRecord row : rows) {
        long revision = (Long) row.get("revision");
        if (table.contentEquals((CharSequence) row.get("table_name"))
            && revision > after
            && revision <= through) {
          consumer.accept(row(row, revision));
        }
      }
    } catch (AvroRuntimeException e) {
      throw new IOException(
          "%s%s: the rows of the ledger cannot be read: %s. The file was damaged. Restore it from a copy."
              .formatted(storage.location(), path, e.getMessage()),
          e);
    }
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
