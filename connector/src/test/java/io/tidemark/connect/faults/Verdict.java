package io.tidemark.connect.faults;

import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.commit.entry.CorruptLogException;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.NumberedEntry;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What has become of the records of a {@link World}: its tables row for row, as Avro's own library
 * reads them, and its logs offset by offset.
 */
final class Verdict {
  private final World world;
  private final Map<String, Integer> rows = new HashMap<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private int files;

  private Verdict(World world) {
    this.world = world;
  }

  static Verdict of(World world) {
    var verdict = new Verdict(world);
    try {
      verdict.judge();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError("the store cannot be read", e);
    }
    return verdict;
  }

  /** Records of which there is no row. */
  List<String> lost() {
    return lost;
  }

  /** Records of which there are several rows. */
  List<String> doubled() {
    return doubled;
  }

  /** Whatever else is not as it should be. */
  List<String> wrong() {
    return wrong;
  }

  boolean good() {
    return lost.isEmpty() && doubled.isEmpty() && wrong.isEmpty();
  }

  @Override
  public String toString() {
    return "lost " + lost + ", doubled " + doubled + ", wrong " + wrong;
  }

  /** How many files are in the tables. */
  int files() {
    return files;
  }

  private void judge() throws IOException, CorruptLogException {
    List<TopicPartition> topicPartitions = world.kafka().topicPartitions();
    for (String topic : Set.copyOf(topicPartitions.stream().map(TopicPartition::topic).toList())) {
      Table table = world.table(topic);
      Set<String> registered = world.catalog().partitions(table.name());
      int before = files;
      readBelow(table, table.layout().root(), registered);
      if (files > before && !world.catalog().hasTable(table.name())) {
        wrong.add("queries do not find " + table.name());
      }
      for (StoredFile claim : world.storage().list(table.layout().stagingRoot())) {
        world.storage().list(claim.path()).forEach(file -> wrong.add("left: " + file.path()));
      }
    }
    rows.forEach(
        (key, count) -> {
          if (count > 1) {
            doubled.add(key);
          }
        });
    for (TopicPartition topicPartition : topicPartitions) {
      List<SourceRecord> records = world.kafka().records(topicPartition);
      records.stream()
          .map(SourceRecord::key)
          .filter(key -> !rows.containsKey(key))
          .forEach(lost::add);
      if (!records.isEmpty()) {
        judgeLog(topicPartition, records);
      }
    }
  }

  private void readBelow(Table table, StoragePath directory, Set<String> registered)
      throws IOException {
    for (StoredFile standing : world.storage().list(directory)) {
      if (standing.path().name().startsWith(".")) {
        continue;
      }
      if (standing.directory()) {
        readBelow(table, standing.path(), registered);
        continue;
      }
      String place = directory.value().substring(table.layout().root().value().length());
      if (!place.isEmpty() && !registered.contains(place.substring(1))) {
        wrong.add("queries do not find " + standing.path());
      }
      files++;
      readFile(standing.path());
    }
  }

  private void readFile(StoragePath file) throws IOException {
    String topicPartition = "";
    long last = -1;
    try (InputStream in = world.storage().open(file);
        DataFileStream<GenericRecord> avro = new DataFileStream<>(in, new GenericDatumReader<>())) {
      for (GenericRecord row : avro) {
        String key = row.get("key").toString();
        rows.merge(key, 1, Integer::sum);
        String from = key.substring(0, key.indexOf('@'));
        long offset = Long.parseLong(key.substring(key.indexOf('@') + 1));
        if (offset <= last || (!topicPartition.isEmpty() && !topicPartition.equals(from))) {
          wrong.add(file + " has " + key + " after " + topicPartition + "@" + last);
        }
        if (!Long.valueOf(SourceRecord.price(key)).equals(row.get("price"))) {
          wrong.add(file + " has another record's bytes in " + key);
        }
        topicPartition = from;
        last = offset;
      }
    }
    if (last < 0) {
      wrong.add(file + " is empty");
    }
  }

  /** The log covers every offset once, each in its class. */
  private void judgeLog(TopicPartition topicPartition, List<SourceRecord> records)
      throws IOException, CorruptLogException {
    LogState state = world.log(topicPartition).last().orElseThrow().entry().state();
    long end = records.get(records.size() - 1).offset() + 1;
    if (state.first() != 0 || state.next() < end || state.counts().landed() != records.size()) {
      wrong.add(topicPartition + ": " + records.size() + " records to " + end + ", but " + state);
    }
    long next = -1;
    for (NumberedEntry entry : world.log(topicPartition).after(0)) {
      if (entry.entry() instanceof CommitEntry.Batch batch) {
        if (next >= 0 && batch.range().first() != next && batch.range().first() != 0) {
          wrong.add(topicPartition + ": entry " + entry.number() + " does not follow " + next);
        }
        next = batch.range().next();
      }
    }
    for (StoredFile file : world.storage().list(world.log(topicPartition).directory())) {
      if (file.path().name().endsWith(".tmp")) {
        wrong.add("left: " + file.path());
      }
    }
  }
}
