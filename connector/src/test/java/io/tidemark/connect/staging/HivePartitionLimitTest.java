package io.tidemark.connect.staging;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.pipeline.TestTask;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Table;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** Tasks of one table create the Hive partitions that they may create, one after another. */
class HivePartitionLimitTest {
  private static final int MOST = 1_000;
  private static final List<String> COLUMNS = List.of("dt", "key");
  private static final Table TABLE = TestTask.table("quotes", new FieldPartitioned(COLUMNS));
  private static final Instant BEGIN = Instant.parse("2026-11-21T07:00:00Z");

  private final AtomicLong ms = new AtomicLong();
  private final MemoryStorage storage =
      new MemoryStorage(
          new Clock() {
            @Override
            public Instant instant() {
              return BEGIN.plusMillis(ms.get());
            }

            @Override
            public ZoneOffset getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
              return this;
            }
          });
  private int keys;

  @Test
  void oneTaskCreatesAsManyAsTheLimit() throws Exception {
    assertThat(create(task(), 2 * MOST)).isEqualTo(MOST);
  }

  @Test
  void restartOfTheTaskAddsAHundredth() throws Exception {
    int all = 0;
    for (int start = 0; start < 20; start++) {
      all += create(task(), MOST / 4);
    }

    assertThat(all).isBetween(MOST, MOST + 16 * MOST / 100);
  }

  @Test
  void eachOtherTaskAddsAHundredth() throws Exception {
    List<HivePartitionLimit> tasks = List.of(task(), task(), task(), task());
    int all = 0;
    for (int round = 0; round < MOST; round++) {
      for (HivePartitionLimit task : tasks) {
        all += create(task, 1);
      }
    }

    assertThat(all).isBetween(MOST, MOST + 4 * MOST / 100);
  }

  @Test
  void directoriesThatDidNotChangeInADayDoNotCount() throws Exception {
    assertThat(create(task(), MOST)).isEqualTo(MOST);

    ms.addAndGet(Duration.ofDays(1).toMillis());

    assertThat(create(task(), 2 * MOST)).isEqualTo(MOST);
  }

  @Test
  void fullLimitOfATaskThatRunsOnIsFreeAgainAfterADay() throws Exception {
    HivePartitionLimit task = task();
    assertThat(create(task, MOST / 2)).isEqualTo(MOST / 2);
    ms.addAndGet(Duration.ofHours(12).toMillis());
    assertThat(create(task, MOST)).isEqualTo(MOST / 2);

    ms.addAndGet(Duration.ofHours(12).toMillis());

    assertThat(create(task, MOST)).isEqualTo(MOST / 2);
  }

  @Test
  void existingHivePartitionIsAlwaysPermitted() throws Exception {
    HivePartition old = next();
    storage.makeDirectories(TABLE.layout().partitionDirectory(old));
    ms.addAndGet(Duration.ofDays(2).toMillis());
    HivePartitionLimit task = task();
    create(task, 2 * MOST);

    assertThat(task.admits(new Destination(TABLE, SCHEMA, old))).isTrue();
  }

  private static final TableSchema SCHEMA =
      new TableSchema(1, Schema.createRecord("Quote", null, null, false, List.of()));

  private HivePartitionLimit task() {
    long begun = ms.get();
    return new HivePartitionLimit(
        MOST,
        storage,
        () -> ms.get() - begun,
        Clock.fixed(BEGIN.plusMillis(begun), ZoneOffset.UTC));
  }

  private int create(HivePartitionLimit task, int count) throws Exception {
    int created = 0;
    for (int i = 0; i < count; i++) {
      HivePartition partition = next();
      if (task.admits(new Destination(TABLE, SCHEMA, partition))) {
        storage.makeDirectories(TABLE.layout().partitionDirectory(partition));
        created++;
      }
    }
    return created;
  }

  private HivePartition next() {
    return new HivePartition(COLUMNS, List.of("2026-11-21", "k" + keys++));
  }
}
