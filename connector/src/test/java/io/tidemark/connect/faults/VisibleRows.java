package io.tidemark.connect.faults;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The rows of tables as readers find them. Each file is read once, because published files never
 * change. While a table is moved elsewhere, its rows are kept here.
 */
final class VisibleRows {
  private final World world;
  private final Set<StoragePath> read = new HashSet<>();

  /** The place of each row, by its key. */
  private final Map<String, Place> places = new HashMap<>();

  /** A table and the path of a Hive partition, which is empty for an unpartitioned table. */
  private record Place(TableName table, String path) {}

  VisibleRows(World world) {
    this.world = world;
  }

  /** From now on there are only the rows that are read again. */
  void forget() {
    read.clear();
    places.clear();
  }

  /** Reads the new files of a table. */
  void look(Table table) {
    try {
      readBelow(table, table.layout().root());
    } catch (IOException e) {
      throw new AssertionError("the store in memory cannot be read", e);
    }
  }

  private void readBelow(Table table, StoragePath directory) throws IOException {
    for (StoredFile existing : world.storage().list(directory)) {
      if (hidden(existing.path())) {
        continue;
      }
      if (existing.directory()) {
        readBelow(table, existing.path());
      } else if (read.add(existing.path())) {
        String place = directory.value().substring(table.layout().root().value().length());
        readFile(
            existing.path(), new Place(table.name(), place.isEmpty() ? place : place.substring(1)));
      }
    }
  }

  /** True if Hive ignores the file. */
  static boolean hidden(StoragePath path) {
    return path.name().startsWith(".") || path.name().startsWith("_");
  }

  private void readFile(StoragePath file, Place place) throws IOException {
    try (InputStream in = world.storage().open(file);
        DataFileStream<GenericRecord> avro = new DataFileStream<>(in, new GenericDatumReader<>())) {
      for (GenericRecord row : avro) {
        places.put(row.get("key").toString(), place);
      }
    }
  }

  boolean has(SourceRecord record) {
    return places.containsKey(record.key());
  }

  boolean isIn(TableName table, SourceRecord record) {
    Place place = places.get(record.key());
    return place != null && place.table().equals(table);
  }

  /** True if the catalog shows the table and the Hive partition in which a record has landed. */
  boolean registered(SourceRecord record) {
    Place place = places.get(record.key());
    return place != null
        && world.catalog().exists(place.table())
        && (place.path().isEmpty() || world.catalog().paths(place.table()).contains(place.path()));
  }

  /** The keys of the rows in a Hive partition of a table. */
  Set<String> in(TableName table, HivePartition partition) {
    Place place = new Place(table, partition.path());
    return places.entrySet().stream()
        .filter(each -> each.getValue().equals(place))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** The offsets of a topic-partition, in one of the topic's lives, that have a row. */
  LongStream landedOffsets(TopicPartition topicPartition, int life) {
    String keys = SourceRecord.keys(topicPartition, life);
    return places.keySet().stream()
        .filter(key -> key.startsWith(keys))
        .mapToLong(SourceRecord::offset);
  }
}
