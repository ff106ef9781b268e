package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.BatchTally;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.OpenBatch;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.jspecify.annotations.Nullable;

/** Creates the rows of an entry for the ledger's tables. */
final class LedgerRows {
  /** The value of a missing timestamp. */
  private static final long NO_TIMESTAMP = -1;

  private static final DateTimeFormatter MILLISECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private LedgerRows() {}

  /** Returns a row for each topic, table, group and announced batch. */
  static List<GenericRecord> watermarks(long ledgerEntry, LedgerState state) {
    List<GenericRecord> rows = new ArrayList<>();
    state
        .topics()
        .forEach(
            (name, topic) ->
                rows.add(
                    watermark(
                        ledgerEntry,
                        "topic",
                        name,
                        topic.through(),
                        topic.askedAt(),
                        topic.held())));
    state
        .tables()
        .forEach(
            (name, table) ->
                rows.add(
                    watermark(
                        ledgerEntry,
                        "table",
                        name,
                        table.through(),
                        table.through().flatMap(through -> askedAt(state, table.topics())),
                        table.held())));
    state
        .groups()
        .forEach(
            (name, group) ->
                rows.add(
                    watermark(
                        ledgerEntry,
                        "group",
                        name,
                        group.through(),
                        Optional.empty(),
                        group.held())));
    state
        .announcements()
        .ifPresent(
            all ->
                all.open()
                    .forEach((id, batch) -> rows.add(announced(ledgerEntry, id, batch, state))));
    return rows;
  }

  /**
   * Returns the row of an announced batch. If the batch is complete, the row has the time of the
   * snapshot that proves it.
   */
  private static GenericRecord announced(
      long ledgerEntry, String id, OpenBatch batch, LedgerState state) {
    Optional<Instant> askedAt = batch.verdict().map(BatchVerdict::askedAt);
    GenericRecord row =
        watermark(
            ledgerEntry,
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

  /** Returns the time of the earliest snapshot on which a table's completeness depends. */
  private static Optional<Instant> askedAt(LedgerState state, List<String> topics) {
    return topics.stream()
        .flatMap(topic -> Optional.ofNullable(state.topics().get(topic)).stream())
        .map(TopicState::askedAt)
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder());
  }

  private static GenericRecord watermark(
      long ledgerEntry,
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
   * Returns a row for each completion, and a row for each Hive partition with late records. A row
   * of the second kind counts the late records. It has no {@code asked_at}, because it is not a
   * completion.
   */
  static List<GenericRecord> partitions(long ledgerEntry, LedgerEntry.Reckoning reckoning) {
    List<GenericRecord> rows = new ArrayList<>();
    for (HivePartitionTotal sum : reckoning.sums()) {
      if (sum.late() > 0) {
        rows.add(partition(ledgerEntry, sum, Optional.empty()));
      }
    }
    for (Completion completion : reckoning.completions()) {
      rows.add(partition(ledgerEntry, completion.total(), Optional.of(completion.askedAt())));
    }
    return rows;
  }

  private static GenericRecord partition(
      long ledgerEntry, HivePartitionTotal total, Optional<Instant> askedAt) {
    return row(LedgerTable.PARTITIONS)
        .set("table_name", total.table().toString())
        .set("hive_partition", total.hivePartition().path())
        .set("from_time", orNull(total.from().map(LedgerRows::secondsBefore)))
        .set("until_time", orNull(total.until().map(LedgerRows::secondsAfter)))
        .set("revision", ledgerEntry)
        .set("asked_at", orNull(askedAt.map(MILLISECONDS::format)))
        .set("records", total.records())
        .set("bytes", total.bytes())
        .set("files", total.files())
        .set("late", total.late())
        .set("partial", total.partial())
        .build();
  }

  /** Returns a row for each Hive partition of each batch, or one row if nothing landed. */
  static List<GenericRecord> batches(List<AccountedEntry> taken, Instant writtenAt) {
    List<GenericRecord> rows = new ArrayList<>();
    for (AccountedEntry entry : taken) {
      entry.asBatch().ifPresent(each -> addRows(each, writtenAt, rows));
    }
    return rows;
  }

  private static void addRows(
      AccountedEntry.Batch batch, Instant writtenAt, List<GenericRecord> rows) {
    if (batch.sums().isEmpty()) {
      rows.add(batch(batch, Optional.empty(), writtenAt));
    }
    batch.sums().forEach(sum -> rows.add(batch(batch, Optional.of(sum), writtenAt)));
  }

  private static GenericRecord batch(
      AccountedEntry.Batch batch, Optional<HivePartitionSum> sum, Instant writtenAt) {
    return row(LedgerTable.BATCHES)
        .set("topic", batch.topic())
        .set("topic_partition", batch.topicPartition())
        .set("generation", (long) batch.state().generation().number())
        .set("entry", batch.number())
        .set("first_offset", batch.range().first())
        .set("next_offset", batch.range().next())
        .set("landed", batch.counts().landed())
        .set("dead_lettered", batch.counts().deadLettered())
        .set("skipped", batch.counts().skipped())
        .set("not_delivered", batch.counts().notDelivered())
        .set("lost", batch.counts().lost())
        .set("table_name", orNull(sum.map(each -> each.table().toString())))
        .set("hive_partition", orNull(sum.map(each -> each.hivePartition().path())))
        .set("records", sum.map(HivePartitionSum::records).orElse(0L))
        .set("bytes", sum.map(HivePartitionSum::bytes).orElse(0L))
        .set("files", sum.map(HivePartitionSum::files).orElse(0L))
        .set("min_time", orNull(sum.flatMap(each -> time(each.minTimestamp()))))
        .set("max_time", orNull(sum.flatMap(each -> time(each.maxTimestamp()))))
        .set("written_at", MILLISECONDS.format(writtenAt))
        .build();
  }

  private static Optional<String> time(long epochMillis) {
    return epochMillis == NO_TIMESTAMP
        ? Optional.empty()
        : Optional.of(MILLISECONDS.format(Instant.ofEpochMilli(epochMillis)));
  }

  /**
   * Returns a time in seconds, so that times can be compared as text. The time is rounded down,
   * because readers check whether it has been reached.
   */
  private static String secondsBefore(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Returns the end of a Hive partition in seconds, rounded up. */
  private static String secondsAfter(Instant time) {
    Instant before = time.truncatedTo(ChronoUnit.SECONDS);
    return (before.equals(time) ? before : before.plusSeconds(1)).toString();
  }

  private static GenericRecordBuilder row(LedgerTable table) {
    return new GenericRecordBuilder(table.schema());
  }

  private static <T> @Nullable T orNull(Optional<T> value) {
    return value.orElse(null);
  }
}
