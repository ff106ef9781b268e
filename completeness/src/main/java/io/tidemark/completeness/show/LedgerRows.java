package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.BatchTally;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;

/** Creates the rows of the entry with a number for the ledger's tables. */
record LedgerRows(long ledgerEntry) {
  private static final long NO_TIMESTAMP = -1;

  private static final DateTimeFormatter MILLISECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  List<GenericRecord> watermarks(LedgerState state) {
    List<GenericRecord> rows = new ArrayList<>();
    for (Map.Entry<String, TopicState> each : state.topics().entrySet()) {
      TopicState topic = each.getValue();
      rows.add(watermark("topic", each.getKey(), topic.through(), topic.askedAt(), topic.held()));
    }
    for (Map.Entry<String, TableState> each : state.tables().entrySet()) {
      TableState table = each.getValue();
      Optional<Instant> asked = table.through().flatMap(any -> state.askedAt(table.topics()));
      rows.add(watermark("table", each.getKey(), table.through(), asked, table.held()));
    }
    for (Map.Entry<String, GroupState> each : state.groups().entrySet()) {
      GroupState group = each.getValue();
      Optional<Instant> none = Optional.empty();
      rows.add(watermark("group", each.getKey(), group.through(), none, group.held()));
    }
    state
        .announcements()
        .ifPresent(all -> all.open().forEach((id, batch) -> rows.add(announced(id, batch, state))));
    return rows;
  }

  /** Returns the row of an announced batch, with the snapshot's time if the batch is complete. */
  private GenericRecord announced(String id, AnnouncedBatch batch, LedgerState state) {
    Optional<Instant> askedAt = batch.verdict().map(BatchVerdict::askedAt);
    GenericRecord row =
        watermark(
            "batch",
            id,
            askedAt.filter(asked -> batch.complete()),
            askedAt,
            batch.held(state.topics()));
    BatchTally counted = batch.countedRecords();
    row.put("announced", batch.announcedRecords());
    row.put("landed", counted.landed());
    row.put("dead_lettered", counted.deadLettered());
    row.put("skipped", counted.skipped());
    return row;
  }

  private GenericRecord watermark(
      String kind,
      String name,
      Optional<Instant> through,
      Optional<Instant> askedAt,
      Optional<HeldBecause> held) {
    return row(LedgerTable.WATERMARKS)
        .set("kind", kind)
        .set("name", name)
        .set("complete_through", orNull(through.map(LedgerRows::secondsBefore)))
        .set("asked_at", orNull(askedAt.map(MILLISECONDS::format)))
        .set("held_because", orNull(held.map(HeldBecause::toString)))
        .set("ledger_entry", ledgerEntry)
        .build();
  }

  /**
   * Returns a row for each completion, and a row for each Hive partition with late records, which
   * counts them. It has no {@code asked_at}, because it is not a completion.
   */
  List<GenericRecord> partitions(LedgerEntry.Reckoning reckoning) {
    return Stream.concat(
            reckoning.sums().stream()
                .filter(sum -> sum.late() > 0)
                .map(sum -> partition(sum, Optional.empty())),
            reckoning.completions().stream()
                .map(each -> partition(each.total(), Optional.of(each.askedAt()))))
        .toList();
  }

  private GenericRecord partition(HivePartitionTotal total, Optional<Instant> askedAt) {
    return total(row(LedgerTable.PARTITIONS), total)
        .set("from_time", orNull(total.from().map(LedgerRows::secondsBefore)))
        .set("until_time", orNull(total.until().map(LedgerRows::secondsAfter)))
        .set("revision", ledgerEntry)
        .set("asked_at", orNull(askedAt.map(MILLISECONDS::format)))
        .build();
  }

  static GenericRecordBuilder total(GenericRecordBuilder row, HivePartitionTotal total) {
    return row.set("table_name", total.table().toString())
        .set("hive_partition", total.hivePartition().path())
        .set("records", total.records())
        .set("bytes", total.bytes())
        .set("files", total.files())
        .set("late", total.late())
        .set("partial", total.partial());
  }

  /** Returns a row for each Hive partition of each batch, or one row if nothing landed. */
  static List<GenericRecord> batches(List<SettledEntry> accounted, Instant writtenAt) {
    List<GenericRecord> rows = new ArrayList<>();
    for (SettledEntry.Batch batch :
        accounted.stream().flatMap(entry -> entry.asBatch().stream()).toList()) {
      if (batch.sums().isEmpty()) {
        rows.add(batch(batch, Optional.empty(), writtenAt));
      }
      batch.sums().forEach(sum -> rows.add(batch(batch, Optional.of(sum), writtenAt)));
    }
    return rows;
  }

  private static GenericRecord batch(
      SettledEntry.Batch batch, Optional<HivePartitionSum> sum, Instant writtenAt) {
    return batch(row(LedgerTable.BATCHES), batch)
        .set("generation", (long) batch.state().generation().number())
        .set("table_name", orNull(sum.map(each -> each.table().toString())))
        .set("hive_partition", orNull(sum.map(each -> each.hivePartition().path())))
        .set("records", sum.map(HivePartitionSum::records).orElse(0L))
        .set("bytes", sum.map(HivePartitionSum::bytes).orElse(0L))
        .set("files", sum.map(HivePartitionSum::files).orElse(0L))
        .set("min_time", orNull(sum.flatMap(each -> timeText(each.minTimestamp()))))
        .set("max_time", orNull(sum.flatMap(each -> timeText(each.maxTimestamp()))))
        .set("written_at", MILLISECONDS.format(writtenAt))
        .build();
  }

  static GenericRecordBuilder batch(GenericRecordBuilder row, SettledEntry.Batch batch) {
    row.set("topic", batch.topic())
        .set("topic_partition", batch.topicPartition())
        .set("entry", batch.number())
        .set("first_offset", batch.range().first())
        .set("next_offset", batch.range().next());
    return counted(row, batch.counts());
  }

  static GenericRecordBuilder counted(GenericRecordBuilder row, RecordCounts counts) {
    return row.set("landed", counts.landed())
        .set("dead_lettered", counts.deadLettered())
        .set("skipped", counts.skipped())
        .set("not_delivered", counts.notDelivered())
        .set("lost", counts.lost());
  }

  /** Returns an event time in milliseconds since 1970; empty if it is missing. */
  static Optional<Long> time(long epochMillis) {
    return Optional.of(epochMillis).filter(millis -> millis != NO_TIMESTAMP);
  }

  private static Optional<String> timeText(long epochMillis) {
    return time(epochMillis).map(Instant::ofEpochMilli).map(MILLISECONDS::format);
  }

  /** Returns a time in seconds, so that times compare as text; rounded down, for readers. */
  private static String secondsBefore(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Returns the end of a Hive partition in seconds, rounded up. */
  private static String secondsAfter(Instant time) {
    return secondsBefore(time.plusNanos(999_999_999));
  }

  private static GenericRecordBuilder row(LedgerTable table) {
    return new GenericRecordBuilder(table.schema());
  }

  private static <T> @Nullable T orNull(Optional<T> value) {
    return value.orElse(null);
  }
}
