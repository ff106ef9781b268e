package io.tidemark.connect.faults;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * The outcome of the records of a {@link World}: the rows of its tables, read by Avro's own
 * library, and the offsets of its logs.
 */
final class Verdict {
  private final World world;
  private final Map<String, Integer> rows = new HashMap<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);
  private final Set<String> landedTopics = new HashSet<>();
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

  /** Records without a row, and dead letters that are missing in the topic. */
  List<String> lost() {
    return lost;
  }

  /** Records of which there are several rows. */
  List<String> doubled() {
    return doubled;
  }

  /** All other errors. */
  List<String> wrong() {
    return wrong;
  }

  /** The number of completions. */
  long completions() {
    return world.reckoners().map(each -> each.check().statements()).orElse(0L);
  }

  /** The completions that were false. */
  List<String> untrue() {
    return world.reckoners().map(each -> each.check().untrue()).orElse(List.of());
  }

  /** The completions that were missing in time. */
  List<String> missing() {
    return world.reckoners().map(SimulatedReckoners::missing).orElse(List.of());
  }

  boolean good() {
    return lost.isEmpty()
        && doubled.isEmpty()
        && wrong.isEmpty()
        && untrue().isEmpty()
        && missing().isEmpty();
  }

  @Override
  public String toString() {
    return "lost %s, doubled %s, wrong %s, untrue %s, missing %s"
        .formatted(lost, doubled, wrong, untrue(), missing());
  }

  /** The hazards that the run reached. */
  Set<Hazard> reached() {
    return reached;
  }

  /** The number of files in the tables. */
  int files() {
    return files;
  }

  private void judge() throws IOException, CorruptLogException {
    noteReached();
    LogVerdict logs = new LogVerdict(world, rows, lost, wrong, reached);
    for (Table table : world.tables().all()) {
      judgeTable(table, logs);
    }
    logs.judgeLeftovers(World.LOGS.child(World.LOG_ID));
    rows.forEach(
        (key, count) -> {
          if (count > 1) {
            doubled.add(key);
          }
        });
    lost.addAll(world.delivered().unaccounted(this::arrived));
    if (world.delivered().examined() > 0) {
      reached.add(Hazard.DELIVERED_THEN_RECREATED);
    }
    for (TopicPartition each : world.connector().unassigned()) {
      if (!world.operator().changedLog(each)) {
        logs.judgeLog(each);
      }
    }
    for (TopicPartition each : world.after().expected()) {
      List<SourceRecord> records = world.kafka().records(each);
      long begun = logs.begun(each);
      records.stream()
          .filter(record -> record.offset() >= begun && !arrived(record))
          .map(SourceRecord::key)
          .forEach(lost::add);
      if (!records.isEmpty()) {
        logs.judgeCounts(each, records);
      }
      logs.judgeLog(each);
    }
  }

  private void noteReached() {
    world.reckoners().ifPresent(each -> each.check().requireClosed());
    world.reckoners().ifPresent(each -> reached.addAll(each.reached()));
    reached.addAll(world.operator().reached());
    reached.addAll(world.refusals().reached());
    SimulatedKafka kafka = world.kafka();
    note(kafka.metadata().formerAnswers() > 0, Hazard.STALE_METADATA);
    note(kafka.metadata().outdatedAnswers() > 0, Hazard.OUTDATED_METADATA);
    note(kafka.metadata().deposedAnswers() > 0, Hazard.DEPOSED_LEADER);
    note(kafka.metadata().singleDissents() > 0, Hazard.SINGLE_DISSENT);
    note(kafka.transactions() > 0, Hazard.OPEN_TRANSACTION);
    note(kafka.leadersLost() > 0, Hazard.NO_LEADER);
    note(kafka.jumps() > 0, Hazard.JUMPED);
    note(world.connector().deletedUnpublished(), Hazard.DELETED_UNPUBLISHED);
    note(world.connector().openedLater(), Hazard.OPENED);
  }

  private void note(boolean so, Hazard hazard) {
    if (so) {
      reached.add(hazard);
    }
  }

  private void judgeTable(Table table, LogVerdict logs) throws IOException, CorruptLogException {
    Set<String> registered = world.catalog().paths(table.name());
    int before = files;
    landedTopics.clear();
    readBelow(table, table.layout().root(), registered);
    note(landedTopics.size() > 1, Hazard.SHARED_TABLE);
    if (files > before
        && !world.catalog().exists(table.name())
        && !world.connector().mayLack(table.name())) {
      wrong.add("queries do not find " + table.name());
    }
    List<StagingDirectories> ownerless =
        world.connector().unassigned().stream()
            .map(each -> new StagingDirectories(world.storage(), World.LOG_ID, each))
            .toList();
    for (StoredFile claim : world.storage().list(table.layout().stagingRoot())) {
      if (ownerless.stream().anyMatch(each -> each.isOfClaim(claim.path().name()))) {
        continue; // The next claim removes what is left.
      }
      world.storage().list(claim.path()).stream()
          .filter(file -> !file.path().name().startsWith("published+")) // the last mark
          .forEach(file -> wrong.add("left: " + file.path()));
    }
    if (!world.connector().hasTasks(table.name()) || world.tables().isFormer(table.name())) {
      return; // Nobody removes temporary files.
    }
    if (ownerless.isEmpty()) {
      logs.judgeLeftovers(table.layout().metadataDirectory().child("logs"));
      logs.judgeLeftovers(table.layout().metadataDirectory().child("catalog"));
    }
    if (new LayoutFile(world.storage(), table.layout()).read().isPresent()) {
      // Before the first commit a table has no layout. A layout that was begun waits for the
      // next commit.
      logs.judgeLeftovers(table.layout().metadataDirectory());
    }
  }

  private boolean arrived(SourceRecord record) {
    return world.tables().lands(record)
        ? rows.containsKey(record.key())
        : world.tables().arrivesElsewhere(record);
  }

  private void readBelow(Table table, StoragePath directory, Set<String> registered)
      throws IOException {
    for (StoredFile existing : world.storage().list(directory)) {
      if (VisibleRows.hidden(existing.path())) {
        continue;
      }
      if (existing.directory()) {
        readBelow(table, existing.path(), registered);
        continue;
      }
      String place = directory.value().substring(table.layout().root().value().length());
      if (!place.isEmpty()
          && !registered.contains(place.substring(1))
          && !world.connector().mayLack(table.name())) {
        wrong.add("queries do not find " + existing.path());
      }
      files++;
      readFile(table, existing.path(), place);
    }
  }

  private void readFile(Table table, StoragePath file, String place) throws IOException {
    String topicPartition = "";
    long last = -1;
    try (InputStream in = world.storage().open(file);
        DataFileStream<GenericRecord> avro = new DataFileStream<>(in, new GenericDatumReader<>())) {
      for (GenericRecord row : avro) {
        String key = row.get("key").toString();
        rows.merge(key, 1, Integer::sum);
        String from = key.substring(0, key.indexOf('@'));
        long offset = SourceRecord.offset(key);
        boolean continues =
            topicPartition.isEmpty() || topicPartition.equals(from) || !world.hasNoticed(key);
        if (offset <= last || !continues) {
          wrong.add(file + " has " + key + " after " + topicPartition + "@" + last);
        }
        if (!Long.valueOf(SourceRecord.price(key)).equals(row.get("price"))) {
          wrong.add(file + " has another record's bytes in " + key);
        }
        if (!isRouted(table, key)) {
          wrong.add(file + " has " + key + ", which goes to another table");
        }
        if (place.contains("market=") && !place.equals(placeOf(row.get("market").toString()))) {
          wrong.add(file + " has a record of the market " + row.get("market"));
        }
        topicPartition = from;
        last = offset;
      }
    }
    if (last < 0) {
      wrong.add(file + " is empty");
    }
  }

  /** True if the rules select this table for the record. */
  private boolean isRouted(Table table, String key) {
    RecordHistory.Held held = world.kafka().history().find(key).orElseThrow();
    String topic = held.topicPartition().topic();
    landedTopics.add(topic);
    return world.tables().mayHave(table.name(), topic, held.record());
  }

  private static String placeOf(String market) {
    return "/" + new HivePartition(List.of("market"), List.of(market)).path();
  }
}
