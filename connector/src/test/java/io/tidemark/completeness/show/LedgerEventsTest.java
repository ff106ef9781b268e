package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class LedgerEventsTest {
  private static final Instant WRITTEN = Ledgers.ASKED.plusSeconds(5);
  private static final TableName OTHER = new TableName("default", "refunds");

  private static List<GenericRecord> events(
      LedgerState before, NumberedEntry<LedgerEntry> entry, List<SettledEntry> accounted) {
    return new LedgerEvents("sales", before, entry).of(accounted);
  }

  private static NumberedEntry<LedgerEntry> quiet() {
    return Ledgers.reckoning(42, WRITTEN, List.of(), List.of());
  }

  private static GenericRecord only(List<GenericRecord> events) {
    assertThat(events).hasSize(1);
    return events.get(0);
  }

  @SuppressWarnings("unchecked")
  private static List<GenericRecord> hivePartitions(GenericRecord event) {
    return (List<GenericRecord>) event.get("hive_partitions");
  }

  @Test
  void batchIsToldWithItsOffsetsClassesAndHivePartitions() {
    GenericRecord event = only(events(Ledgers.STATE, quiet(), List.of(Ledgers.batch(118, 1_000))));

    assertThat(event)
        .hasToString(
            "{\"id\": \"sales/42/batch/batch/orders-3/118/default.orders/0\","
                + " \"kind\": \"batch\", \"subject\": \"batch\", \"log_id\": \"sales\","
                + " \"ledger_entry\": 42, \"written_at\": %d, \"table_name\": \"default.orders\","
                    .formatted(WRITTEN.toEpochMilli())
                + " \"group_name\": null, \"hive_partition\": null, \"from_time\": null,"
                + " \"until_time\": null, \"complete_through\": null, \"asked_at\": null,"
                + " \"snapshot\": null, \"records\": 47, \"bytes\": 470, \"files\": 1,"
                + " \"late\": null, \"partial\": null, \"landed\": 47, \"dead_lettered\": 1,"
                + " \"skipped\": 0, \"not_delivered\": 2, \"lost\": 0, \"topic\": \"orders\","
                + " \"topic_partition\": 3, \"generation\": 2, \"entry\": 118,"
                + " \"first_offset\": 300, \"next_offset\": 350, \"hive_partitions\":"
                + " [{\"hive_partition\": \"dt=2026-11-21/hour=07\", \"records\": 47,"
                + " \"bytes\": 470, \"files\": 1, \"min_time\": 1000, \"max_time\": %d}],"
                    .formatted(Ledgers.EIGHT.toEpochMilli())
                + " \"part\": 0, \"parts\": 1}");
    assertThat(LedgerEvents.key(event)).isEqualTo("default.orders");
  }

  @Test
  void batchWithoutTimesHasNone() {
    GenericRecord event = only(events(Ledgers.STATE, quiet(), List.of(Ledgers.batch(118, -1))));

    assertThat(hivePartitions(event).get(0).get("min_time")).isNull();
  }

  @Test
  void batchOfNothingIsToldOfTheTableThatItsTopicFeeds() {
    GenericRecord event = only(events(Ledgers.STATE, quiet(), List.of(Ledgers.emptyBatch(119))));

    assertThat(LedgerEvents.key(event)).isEqualTo("default.orders");
    assertThat(event.get("not_delivered")).isEqualTo(50L);
    assertThat(hivePartitions(event)).isEmpty();
  }

  @Test
  void batchOfATopicWithoutATableIsKeyedByTheTopic() {
    LedgerState none = LedgerState.initial();
    NumberedEntry<LedgerEntry> entry =
        new NumberedEntry<>(
            42,
            new LedgerEntry.Reckoning(
                UUID.randomUUID(), none, WRITTEN, new TreeMap<>(), List.of(), List.of()));

    assertThat(LedgerEvents.key(only(events(none, entry, List.of(Ledgers.emptyBatch(119))))))
        .isEqualTo("orders");
  }

  @Test
  void batchOfSeveralTablesIsToldOfEach() {
    List<GenericRecord> told =
        events(
            Ledgers.STATE,
            quiet(),
            List.of(
                batch(
                    List.of(
                        sum(OTHER, 7, 3), sum(Ledgers.ORDERS, 7, 2), sum(Ledgers.ORDERS, 8, 5)))));

    assertThat(told)
        .extracting(LedgerEvents::key)
        .containsExactly("default.orders", "default.refunds");
    assertThat(told).extracting(event -> event.get("records")).containsExactly(7L, 3L);
    assertThat(told).extracting(event -> event.get("landed")).containsExactly(10L, 10L);
  }

  @Test
  void batchOfVeryManyHivePartitionsIsToldInParts() {
    List<HivePartitionSum> sums = new ArrayList<>();
    for (int hour = 0; hour < 2 * LedgerEvents.HIVE_PARTITIONS_MOST + 1; hour++) {
      sums.add(sum(Ledgers.ORDERS, hour, 1));
    }

    List<GenericRecord> told = events(Ledgers.STATE, quiet(), List.of(batch(sums)));

    assertThat(told).extracting(event -> event.get("part")).containsExactly(0, 1, 2);
    assertThat(told).extracting(event -> event.get("parts")).containsOnly(3);
    assertThat(told).extracting(event -> hivePartitions(event).size()).containsExactly(500, 500, 1);
    assertThat(told).extracting(event -> event.get("id")).doesNotHaveDuplicates();
  }

  private static HivePartitionSum sum(TableName table, int hour, long records) {
    return new HivePartitionSum(
        table, HivePartition.parse("dt=2026-11-21/hour=" + hour), records, records, 1, 0, 1);
  }

  private static SettledEntry.Batch batch(List<HivePartitionSum> sums) {
    long records = sums.stream().mapToLong(HivePartitionSum::records).sum();
    RecordCounts counts = new RecordCounts(records, 0, 0, 0, 0);
    SettledEntry.Batch like = Ledgers.batch(118, 0);
    return new SettledEntry.Batch(
        "orders",
        3,
        118,
        like.attempt(),
        new SettledState(new Generation(1, "Vees", "X80o"), 300, 300 + records, counts, false),
        new OffsetRange(300, 300 + records),
        counts,
        new NotLanded(OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE),
        sums,
        BatchIdCounts.NONE);
  }

  @Test
  void completionOfAHivePartitionHasWhatItsManifestHas() {
    NumberedEntry<LedgerEntry> entry =
        Ledgers.reckoning(42, WRITTEN, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7)));

    GenericRecord event = only(events(Ledgers.STATE, entry, List.of()));

    assertThat(event.get("id"))
        .isEqualTo("sales/42/completion/hive-partition/default.orders/dt=2026-11-21/hour=07");
    assertThat(event.get("kind")).isEqualTo("completion");
    assertThat(event.get("hive_partition")).isEqualTo("dt=2026-11-21/hour=07");
    assertThat(event.get("from_time")).isEqualTo(Ledgers.SEVEN.toEpochMilli());
    assertThat(event.get("until_time")).isEqualTo(Ledgers.EIGHT.toEpochMilli());
    assertThat(event.get("asked_at")).isEqualTo(Ledgers.ASKED.toEpochMilli());
    assertThat(event.get("snapshot")).isEqualTo(1L);
    assertThat(event.get("records")).isEqualTo(100L);
    assertThat(event.get("late")).isEqualTo(0L);
    assertThat(event.get("partial")).isEqualTo(false);
  }

  @Test
  void whatCameLateIsToldAtOnceAndAgainAsARevision() {
    NumberedEntry<LedgerEntry> entry =
        Ledgers.reckoning(
            42,
            WRITTEN,
            List.of(Ledgers.total(Ledgers.HOUR_7, 7, 7)),
            List.of(new Completion(Ledgers.total(Ledgers.HOUR_7, 107, 7), 1, Ledgers.ASKED)));

    List<GenericRecord> told = events(Ledgers.STATE, entry, List.of());

    assertThat(told).extracting(event -> event.get("kind")).containsExactly("late", "revision");
    assertThat(told).extracting(event -> event.get("records")).containsExactly(7L, 107L);
    assertThat(told).extracting(event -> event.get("late")).containsExactly(7L, 7L);
    assertThat(told.get(0).get("asked_at")).isNull();
  }

  @Test
  void tableIsToldOnceItIsCompleteFurther() {
    LedgerEntry.Reckoning reckoning =
        new LedgerEntry.Reckoning(
            UUID.randomUUID(),
            Ledgers.STATE,
            WRITTEN,
            new TreeMap<>(Map.of("orders", new Covering(1, new RecordCounts(90, 1, 2, 3, 4)))),
            List.of(),
            List.of());
    NumberedEntry<LedgerEntry> entry = new NumberedEntry<>(42, reckoning);

    GenericRecord event = only(events(LedgerState.initial(), entry, List.of()));

    assertThat(event.get("subject")).isEqualTo("table");
    assertThat(event.get("table_name")).isEqualTo("default.orders");
    assertThat(event.get("complete_through")).isEqualTo(Ledgers.EIGHT.toEpochMilli());
    assertThat(event.get("asked_at")).isEqualTo(Ledgers.ASKED.toEpochMilli());
    assertThat(
            List.of("landed", "dead_lettered", "skipped", "not_delivered", "lost").stream()
                .map(event::get))
        .containsExactly(90L, 1L, 2L, 3L, 4L);
    assertThat(events(Ledgers.STATE, entry, List.of())).isEmpty();
  }

  @Test
  void groupIsToldUnderItsName() {
    LedgerState state = Ledgers.STATE;
    LedgerState complete =
        state.with(
            draft ->
                draft.groups =
                    new TreeMap<>(
                        Map.of(
                            "sales",
                            new GroupState(
                                List.of("default.orders"),
                                Optional.of(Ledgers.SEVEN),
                                Optional.empty()))));
    NumberedEntry<LedgerEntry> entry =
        new NumberedEntry<>(
            43,
            new LedgerEntry.Acknowledge(
                UUID.randomUUID(),
                complete,
                WRITTEN,
                "me",
                "known",
                List.of(),
                List.of(),
                List.of()));

    GenericRecord event = only(events(state, entry, List.of()));

    assertThat(event.get("id")).isEqualTo("sales/43/completion/group/sales");
    assertThat(LedgerEvents.key(event)).isEqualTo("sales");
    assertThat(event.get("complete_through")).isEqualTo(Ledgers.SEVEN.toEpochMilli());
  }

  @Test
  void whatIsCompleteNoFurtherIsNotTold() {
    LedgerState further =
        LedgerState.initial()
            .with(
                draft ->
                    draft.tables =
                        new TreeMap<>(
                            Map.of(
                                "default.orders",
                                new TableState(
                                    List.of("orders"),
                                    Optional.of(Ledgers.EIGHT.plusSeconds(1)),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty()))));

    assertThat(events(further, quiet(), List.of())).isEmpty();
  }

  @Test
  void sameEntryMakesTheSameEvents() {
    NumberedEntry<LedgerEntry> entry =
        Ledgers.reckoning(42, WRITTEN, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7)));
    SettledEntry taken = Ledgers.batch(118, 0);

    assertThat(events(LedgerState.initial(), entry, List.of(taken)))
        .isEqualTo(events(LedgerState.initial(), entry, List.of(taken)))
        .hasSize(3);
  }

  @Test
  void everyFieldIsDocumentedAndLaterOnesHaveDefaults() {
    Set<String> required = Set.of("id", "kind", "subject", "log_id", "ledger_entry", "written_at");
    Set<String> withoutDefault = new HashSet<>();
    for (Schema.Field field : LedgerEvents.EVENT.getFields()) {
      assertThat(field.doc()).as(field.name()).isNotBlank();
      if (!field.hasDefaultValue()) {
        withoutDefault.add(field.name());
      }
    }
    assertThat(withoutDefault).isEqualTo(required);
    assertThat(
            GenericData.get()
                .validate(
                    LedgerEvents.EVENT,
                    only(events(Ledgers.STATE, quiet(), List.of(Ledgers.batch(1, 0))))))
        .isTrue();
  }
}
