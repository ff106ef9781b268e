package io.tidemark.completeness.show;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The rows that a query of a ledger's table finds: those in the visible files of its Hive
 * partitions.
 */
record ShownRows(Storage storage, MemoryCatalog catalog) {

  List<GenericRecord> of(String table) throws IOException {
    TableName name = new TableName("ledgers", table);
    List<GenericRecord> rows = new ArrayList<>();
    for (HivePartition partition : catalog.partitions(name)) {
      String location = catalog.location(name, partition).orElseThrow();
      rows.addAll(in(storage, new StoragePath(location.substring(storage.location().length()))));
    }
    return rows;
  }

  /** The rows of the visible files of a directory. */
  static List<GenericRecord> in(Storage storage, StoragePath directory) throws IOException {
    List<GenericRecord> rows = new ArrayList<>();
    for (StoredFile file : storage.list(directory)) {
      if (!file.directory() && !file.path().name().startsWith(".")) {
        try (InputStream in = storage.open(file.path());
            DataFileStream<GenericRecord> stream =
                new DataFileStream<>(in, new GenericDatumReader<>())) {
          stream.forEach(rows::add);
        }
      }
    }
    return rows;
  }
}
