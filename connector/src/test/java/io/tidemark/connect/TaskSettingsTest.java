package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.intake.FlushSchedule;
import io.tidemark.connect.intake.PartitionEnds;
import io.tidemark.connect.intake.PipelineSettings;
import io.tidemark.connect.intake.SettingsDraft;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.log.OperatorConsent;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The settings of a task, by the keys of its configuration. */
final class TaskSettingsTest {
  private static final UUID STEP = UUID.fromString("8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c");

  private static final Claimant TASK = new Claimant("quotes", 3, "worker");

  @Test
  void eachSettingHasTheValueOfItsKey() {
    Map<String, String> config = new HashMap<>();
    config.put("name", "quotes");
    config.put("topics", "quotes");
    config.put("kafka.bootstrap.servers", "localhost:9092");
    config.put("schema.registry.url", "http://localhost:8081");
    config.put("store.url", "hdfs://localhost:8020");
    config.put("batch.records", "1001");
    config.put("batch.bytes", "1002");
    config.put("batch.offset.ranges", "1003");
    config.put("batch.interval.ms", "1004");
    config.put("file.min.bytes", "1018");
    config.put("file.max.delay.ms", "1019");
    config.put("shutdown.timeout.ms", "1005");
    config.put("retry.backoff.ms", "1006");
    config.put("hive.registration.backlog", "1007");
    config.put("log.retained.entries", "1008");
    config.put("filename.offset.zero.pad.width", "9");
    config.put("behavior.on.null.values", "ignore");
    config.put("dead.letters.in.flight", "1010");
    config.put("dead.letter.timeout.ms", "1011");
    config.put("cluster.check.timeout.ms", "1012");
    config.put("completeness.end.check.interval.ms", "1013");
    config.put("completeness.lateness.ms", "1014");
    config.put("partitioner.class", "HourlyPartitioner");
    config.put("rotate.schedule.interval.ms", "1015");
    config.put("timezone", "UTC");
    config.put("rate.records.per.second", "1016");
    config.put("operator.consent", STEP.toString());
    config.put("on.refusal", "stop-task");
    config.put("refusal.deadline.ms", "1017");

    ConnectorConfig parsed = new ConnectorConfig(config);
    PipelineSettings settings =
        TaskRuntime.settings(parsed, new TableSettings(parsed), parsed.logId(), TASK);

    assertThat(settings.partitionEnds().map(PartitionEnds::latenessMs)).contains(1_014L);
    assertThat(settings.partitionEnds().map(PartitionEnds::task)).contains(3);
    assertThat(settings)
        .isEqualTo(
            SettingsDraft.settings(
                "quotes",
                TASK,
                draft -> {
                  draft.batchRecords = 1_001;
                  draft.batchBytes = 1_002;
                  draft.batchOffsetRanges = 1_003;
                  draft.batchIntervalMs = 1_004;
                  draft.fileMinBytes = 1_018;
                  draft.fileMaxDelayMs = 1_019;
                  draft.closeTimeoutMs = 1_005;
                  draft.backoffMs = 1_006;
                  draft.registrationBacklog = 1_007;
                  draft.retainedEntries = 1_008;
                  draft.offsetDigits = 9;
                  draft.nullValues = NullValues.IGNORE;
                  draft.deadLettersInFlight = 1_010;
                  draft.deadLetterTimeoutMs = 1_011;
                  draft.clusterCheckTimeoutMs = 1_012;
                  draft.endCheckIntervalMs = 1_013;
                  draft.partitionEnds = settings.partitionEnds();
                  draft.flushSchedule = Optional.of(new FlushSchedule(1_015, ZoneId.of("UTC")));
                  draft.recordsPerSecond = 1_016;
                  draft.consent = new OperatorConsent(Set.of(STEP));
                  draft.onRefusal = OnRefusal.STOP_TASK;
                  draft.refusalDeadline = Duration.ofMillis(1_017);
                }));
    // The draft passes its values by position, too.
    assertThat(settings.batchRecords()).isEqualTo(1_001);
    assertThat(settings.batchBytes()).isEqualTo(1_002);
    assertThat(settings.batchIntervalMs()).isEqualTo(1_004);
    assertThat(settings.fileMinBytes()).isEqualTo(1_018);
    assertThat(settings.longestWaitMs()).isEqualTo(1_019);
    assertThat(settings.closeTimeoutMs()).isEqualTo(1_005);
    assertThat(settings.backoffMs()).isEqualTo(1_006);
    assertThat(settings.deadLetterTimeoutMs()).isEqualTo(1_011);
    assertThat(settings.clusterCheckTimeoutMs()).isEqualTo(1_012);
    assertThat(settings.endCheckIntervalMs()).isEqualTo(1_013);
    assertThat(settings.registrationBacklog()).isEqualTo(1_007);
    assertThat(settings.retainedEntries()).isEqualTo(1_008);
    assertThat(settings.offsetDigits()).isEqualTo(9);
  }
}
