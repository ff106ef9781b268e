package io.tidemark.connect.pipeline;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The content of a table for readers: the rows of its published files, read by Avro's own library.
 */
public final class LandedRows {
  private LandedRows() {}

  /**
   * The {@code key} of each row below a table's root, in the order of files and of rows within
   * them.
   */
  public static List<String> keys(Storage storage, StoragePath root) throws IOException {
    List<String> keys = new ArrayList<>();
    for (StoredFile file : storage.list(root)) {
      String name = file.path().name();
      if (name.startsWith(".") || name.startsWith("_")) {
        continue;
      }
      if (file.directory()) {
        keys.addAll(keys(storage, file.path()));
        continue;
      }
      try (InputStream in = storage.open(file.path());
          DataFileStream<GenericRecord> rows =
              new DataFileStream<>(in, new GenericDatumReader<>())) {
        for (GenericRecord row : rows) {
          keys.add(row.get("key").toString());
        }
      }
    }
    return keys;
  }

  /** All staged files and staging directories below a table's root. */
  public static List<StoredFile> staged(Storage storage, StoragePath root) throws IOException {
    List<StoredFile> staged = new ArrayList<>();
    for (StoredFile directory : storage.list(root.child(".staging"))) {
      storage.list(directory.path()).stream()
          .filter(file -> !file.path().name().startsWith("published+")) // the last marker file
          .forEach(staged::add);
    }
    return staged;
  }

  public static List<CommitEntry.Batch> batches(Storage storage, StoragePath logDirectory)
      throws Exception {
    List<CommitEntry.Batch> batches = new ArrayList<>();
    for (NumberedEntry<CommitEntry> entry : new CommitLog(storage, logDirectory).after(0)) {
      batches.addAll(
          entry
              .entry()
              .<List<CommitEntry.Batch>>match(
                  claim -> List.of(),
                  List::of,
                  skip -> List.of(),
                  checkpoint -> List.of(),
                  adopted -> List.of()));
    }
    return batches;
  }
}
