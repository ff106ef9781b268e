package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.NumberedEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;

/** Creates an entry's events, of batches, late records and completions: each time the same ones. */
record LedgerEvents(String logId, LedgerState before, NumberedEntry<LedgerEntry> entry) {
  /**
   * The schema of an event. Fields are never removed, and new fields have defaults. The
   * descriptions of fields ({@code doc}) are part of the registered schema.
   */
  static final Schema EVENT = schema("event.avsc");

  private static final Schema HIVE_PARTITION =
      EVENT.getField("hive_partitions").schema().getElementType();

  /** Maximum number of Hive partitions in one event: Kafka's usual limit of its size is 1 MiB. */
  static final int HIVE_PARTITIONS_MOST = 500;

  static Schema schema(String file) {
    try (InputStream in = LedgerEvents.class.getResourceAsStream(file)) {
      return new Schema.Parser().parse(Objects.requireNonNull(in, file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the events, in the order for sending. See {@link LedgerShow#show}. */
  List<GenericRecord> of(List<SettledEntry> accounted) {
    List<GenericRecord> events = new ArrayList<>();
    if (entry.entry() instanceof LedgerEntry.Reckoning reckoning) {
      for (SettledEntry each : accounted) {
        each.asBatch().ifPresent(batch -> events.addAll(batch(batch)));
      }
      reckoning.sums().stream()
          .filter(sum -> sum.late() > 0)
          .forEach(sum -> events.add(hivePartition("late", sum).build()));
      reckoning.completions().forEach(each -> events.add(completion(each)));
      events.addAll(advanced(reckoning.covered()));
    } else if (entry.entry() instanceof LedgerEntry.Acknowledge) {
      events.addAll(advanced(Map.of()));
    }
    return List.copyOf(events);
  }

  static String key(GenericRecord event) {
    for (String field : List.of("group_name", "table_name", "topic")) {
      Object value = event.get(field);
      if (value != null) {
        return value.toString();
      }
    }
    throw new IllegalArgumentException("an event of nothing: " + event);
  }

  /** Returns an event for each table in which the batch landed, or one event without a table. */
  private List<GenericRecord> batch(SettledEntry.Batch batch) {
    Map<String, List<HivePartitionSum>> byTable = new TreeMap<>();
    for (HivePartitionSum sum : batch.sums()) {
      byTable.computeIfAbsent(sum.table().toString(), table -> new ArrayList<>()).add(sum);
    }
    List<GenericRecord> events = new ArrayList<>();
    if (byTable.isEmpty()) {
      events.add(batch(batch, table(entry.entry().state(), batch.topic()), 0, List.of(List.of())));
    }
    byTable.forEach(
        (table, sums) -> {
          List<List<HivePartitionSum>> parts = parts(sums);
          for (int part = 0; part < parts.size(); part++) {
            events.add(batch(batch, Optional.of(table), part, parts));
          }
        });
    return events;
  }

  private static List<List<HivePartitionSum>> parts(List<HivePartitionSum> sums) {
    List<List<HivePartitionSum>> parts = new ArrayList<>();
    for (int first = 0; first < sums.size(); first += HIVE_PARTITIONS_MOST) {
      parts.add(sums.subList(first, Math.min(sums.size(), first + HIVE_PARTITIONS_MOST)));
    }
    return parts;
  }

  private static Optional<String> table(LedgerState state, String topic) {
    return state.tables().entrySet().stream()
        .filter(table -> table.getValue().topics().contains(topic))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private GenericRecord batch(
      SettledEntry.Batch batch,
      Optional<String> table,
      int part,
      List<List<HivePartitionSum>> parts) {
    List<HivePartitionSum> sums = parts.get(part);
    String place =
        "%s-%d/%d/%s/%d"
            .formatted(
                batch.topic(), batch.topicPartition(), batch.number(), table.orElse(""), part);
    GenericRecordBuilder event =
        LedgerRows.batch(event("batch", "batch", place), batch)
            .set("generation", batch.state().generation().number())
            .set("records", sums.stream().mapToLong(HivePartitionSum::records).sum())
            .set("bytes", sums.stream().mapToLong(HivePartitionSum::bytes).sum())
            .set("files", sums.stream().mapToLong(HivePartitionSum::files).sum())
            .set("hive_partitions", sums.stream().map(LedgerEvents::landed).toList())
            .set("part", part)
            .set("parts", parts.size());
    table.ifPresent(name -> event.set("table_name", name));
    return event.build();
  }

  private static GenericRecord landed(HivePartitionSum sum) {
    GenericRecordBuilder landed =
        new GenericRecordBuilder(HIVE_PARTITION)
            .set("hive_partition", sum.hivePartition().path())
            .set("records", sum.records())
            .set("bytes", sum.bytes())
            .set("files", sum.files());
    LedgerRows.time(sum.minTimestamp()).ifPresent(time -> landed.set("min_time", time));
    LedgerRows.time(sum.maxTimestamp()).ifPresent(time -> landed.set("max_time", time));
    return landed.build();
  }

  /** Returns the event of a completion: a revision if the completion includes late records. */
  private GenericRecord completion(Completion completion) {
    return hivePartition(
            completion.total().late() > 0 ? "revision" : "completion", completion.total())
        .set("asked_at", completion.askedAt().toEpochMilli())
        .set("snapshot", completion.snapshot())
        .build();
  }

  private GenericRecordBuilder hivePartition(String kind, HivePartitionTotal total) {
    GenericRecordBuilder event =
        LedgerRows.total(event(kind, "hive-partition", total.id().toString()), total);
    total.from().ifPresent(from -> event.set("from_time", from.toEpochMilli()));
    // The end is rounded up.
    total
        .until()
        .ifPresent(until -> event.set("until_time", until.plusNanos(999_999).toEpochMilli()));
    return event;
  }

  private List<GenericRecord> advanced(Map<String, Covering> covered) {
    LedgerState state = entry.entry().state();
    List<GenericRecord> events = new ArrayList<>();
    for (Map.Entry<String, TableState> table : state.tables().entrySet()) {
      TableState former = before.tables().get(table.getKey());
      if (further(
          table.getValue().through(), former == null ? Optional.empty() : former.through())) {
        events.add(table(table.getKey(), table.getValue(), covered));
      }
    }
    for (Map.Entry<String, GroupState> group : state.groups().entrySet()) {
      Optional<Instant> through = group.getValue().through();
      GroupState former = before.groups().get(group.getKey());
      if (further(through, former == null ? Optional.empty() : former.through())) {
        events.add(
            event("completion", "group", group.getKey())
                .set("group_name", group.getKey())
                .set("complete_through", through.orElseThrow().toEpochMilli())
                .build());
      }
    }
    return events;
  }

  private static boolean further(Optional<Instant> now, Optional<Instant> before) {
    return now.isPresent() && (before.isEmpty() || now.get().isAfter(before.get()));
  }

  private GenericRecord table(String name, TableState table, Map<String, Covering> covered) {
    LedgerState state = entry.entry().state();
    RecordCounts counts = RecordCounts.NONE;
    for (String topic : table.topics()) {
      Covering covering = covered.get(topic);
      counts = covering == null ? counts : counts.plus(covering.counts());
    }
    GenericRecordBuilder event =
        event("completion", "table", name)
            .set("table_name", name)
            .set("complete_through", table.through().orElseThrow().toEpochMilli());
    state
        .askedAt(table.topics())
        .ifPresent(askedAt -> event.set("asked_at", askedAt.toEpochMilli()));
    return LedgerRows.counted(event, counts).build();
  }

  private GenericRecordBuilder event(String kind, String subject, String place) {
    return new GenericRecordBuilder(EVENT)
        .set("id", "%s/%d/%s/%s/%s".formatted(logId, entry.number(), kind, subject, place))
        .set("kind", kind)
        .set("subject", subject)
        .set("log_id", logId)
        .set("ledger_entry", entry.number())
        .set("written_at", entry.entry().writtenAt().toEpochMilli());
  }
}
