package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.jmx.JmxCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.completeness.reckon.ReckonerHealth;
import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.ServiceCalls;
import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.health.Waits;
import io.tidemark.connect.pipeline.PipelineLoad;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.batch.RejectedRecord;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.metrics.KafkaMetricsContext;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * The metrics that the Prometheus JMX exporter makes of a task's MBeans with the rules in config/,
 * and the alerts and dashboards that read them.
 */
final class ExporterTest {
  private static final String CONNECTOR = "exported, with a comma";
  private static final String VERSION = "0.1.0-SNAPSHOT-20261128.044740-8190fd92";

  private long nowMs = 1_000;
  private final MeasuredPool pool = new MeasuredPool(1, Thread::new);
  private final Waits waits = new Waits(Map.of(), () -> nowMs, Clock.systemUTC());
  private final MetricBean<?> task =
      TaskMetrics.bean(
          CONNECTOR,
          3,
          new TaskMetrics.Source(
              VERSION,
              new TaskThread(),
              pool,
              pool,
              pool,
              pool,
              () -> 5_000_000_000L,
              CompiledPlans.shared(),
              () -> new PipelineLoad(HealthState.REFUSED, "full", 42, 41, 7, 6, 5, 4, 3, 2),
              kind -> kind == RejectedRecord.Kind.DAMAGED ? 3 : 0,
              600_000));
  private final List<MetricBean<?>> services =
      Arrays.stream(Service.values())
          .<MetricBean<?>>map(
              service ->
                  ServiceMetrics.bean(
                      CONNECTOR, 3, new ServiceCalls(service, "somewhere", () -> nowMs), waits))
          .toList();
  private final TopicPartitionMetrics topicPartitions = new TopicPartitionMetrics(CONNECTOR, 3);
  private final ReckonerHealth health =
      new ReckonerHealth(
          true,
          Map.of("default.orders", Instant.ofEpochSecond(1_000)),
          Map.of("group:sales", "NO_MEMBER default.payments@payments"),
          2,
          Map.of(),
          Optional.of(Instant.ofEpochSecond(4_000)),
          true,
          Optional.empty());
  private final LedgerMetrics ledger =
      new LedgerMetrics(
          CONNECTOR, () -> health, Clock.fixed(Instant.ofEpochSecond(4_600), ZoneOffset.UTC));

  /** As a worker of Connect registers its own metrics. */
  private final Metrics worker =
      new Metrics(
          new MetricConfig(),
          List.of(new JmxReporter()),
          Time.SYSTEM,
          new KafkaMetricsContext("kafka.connect"));

  @BeforeEach
  void register() {
    worker.addMetric(
        worker.metricName(
            "connector-failed-task-count",
            "connect-worker-metrics",
            Map.of("connector", CONNECTOR)),
        (config, now) -> 2);
    task.register();
    services.forEach(MetricBean::register);
    ledger.register();
    ledger.update(health);
    TopicPartitionProgress progress = new TopicPartitionProgress(() -> nowMs);
    topicPartitions.take(new TopicPartition("orders.new", 7), progress);
    progress.end(160);
    progress.committed(150, new RecordCounts(41, 1, 2, 5, 1), 3, 4_096);
    nowMs += 1_500;
  }

  @AfterEach
  void unregister() {
    worker.close();
    topicPartitions.close();
    ledger.close();
    services.forEach(MetricBean::close);
    task.close();
    pool.shutdown();
  }

  @Test
  void exporterGivesEveryNumberAndNothingElse() throws Exception {
    Set<String> declared = new TreeSet<>(Set.of(ReadNames.FAILED_TASKS));
    for (BeanType<?> bean : Exported.types()) {
      bean.metrics().stream()
          .filter(metric -> !bean.row(metric).kind().equals("text"))
          .forEach(metric -> declared.add(Exported.name(bean, metric)));
    }
    assertThat(exportedNames()).isEqualTo(declared);
  }

  @Test
  void valuesHaveTheirUnitAndLabels() throws Exception {
    assertThat(value("tidemark_topic_partition_landed_bytes_total")).isEqualTo(4_096);
    assertThat(value("tidemark_topic_partition_last_commit_age_seconds")).isEqualTo(1.5);
    assertThat(value("tidemark_topic_partition_lag_records")).isEqualTo(10);
    assertThat(value("tidemark_task_codec_seconds_total")).isEqualTo(5);
    assertThat(value("tidemark_task_health_code")).isEqualTo(2);
    DataPointSnapshot point = find("tidemark_topic_partition_lag_records").getDataPoints().get(0);
    assertThat(point.getLabels().get("connector")).isEqualTo("\"" + CONNECTOR + "\"");
    assertThat(point.getLabels().get("task")).isEqualTo("3");
    assertThat(point.getLabels().get("topic")).isEqualTo("orders.new");
    assertThat(point.getLabels().get("partition")).isEqualTo("7");
  }

  @Test
  void versionIsALabel() throws Exception {
    assertThat(value("tidemark_task_version")).isEqualTo(1);
    DataPointSnapshot point = find("tidemark_task_version").getDataPoints().get(0);
    assertThat(point.getLabels().get("version")).isEqualTo(VERSION);
    assertThat(point.getLabels().get("task")).isEqualTo("3");
  }

  @Test
  void failedTasksAreExportedByConnector() throws Exception {
    assertThat(value(ReadNames.FAILED_TASKS)).isEqualTo(2);
    assertThat(find(ReadNames.FAILED_TASKS).getDataPoints().get(0).getLabels().get("connector"))
        .contains(CONNECTOR);
  }

  @Test
  void completenessIsExportedByTableAndGroup() throws Exception {
    assertThat(value("tidemark_ledger_last_cycle_age_seconds")).isEqualTo(600);
    Map<String, Double> ages =
        find("tidemark_completeness_complete_through_age_seconds").getDataPoints().stream()
            .collect(
                Collectors.toMap(
                    point -> point.getLabels().get("kind") + " " + point.getLabels().get("name"),
                    point -> ((GaugeSnapshot.GaugeDataPointSnapshot) point).getValue()));
    assertThat(ages)
        .containsOnly(Map.entry("table default.orders", 3_600.0), Map.entry("group sales", -0.001));
  }

  @Test
  void alertsAreRulesOfNamesThatAreExported() throws Exception {
    Map<String, Object> alerts = new Yaml().load(Files.readString(ReadNames.ALERTS));
    JsonNode rules = new ObjectMapper().valueToTree(alerts).path("groups").path(0).path("rules");
    assertThat(rules).hasSizeGreaterThanOrEqualTo(5);
    for (JsonNode rule : rules) {
      assertThat(rule.path("alert").asText()).startsWith("Tidemark");
      assertThat(ReadNames.in(rule.path("expr").asText())).as(rule.toString()).isNotEmpty();
      assertThat(rule.path("annotations").path("summary").asText()).endsWith(".");
    }
    assertThat(exportedNames()).containsAll(ReadNames.in(Files.readString(ReadNames.ALERTS)));
  }

  @Test
  void dashboardShowsNamesThatAreExported() throws Exception {
    JsonNode panels = new ObjectMapper().readTree(ReadNames.DASHBOARD.toFile()).path("panels");
    assertThat(panels).isNotEmpty();
    for (JsonNode panel : panels) {
      String shown =
          StreamSupport.stream(panel.path("targets").spliterator(), false)
              .map(target -> target.path("expr").asText())
              .collect(Collectors.joining(" "));
      assertThat(ReadNames.in(shown)).as(panel.path("title").asText()).isNotEmpty();
    }
    assertThat(exportedNames()).containsAll(ReadNames.in(Files.readString(ReadNames.DASHBOARD)));
  }

  private static double value(String name) throws Exception {
    DataPointSnapshot point = find(name).getDataPoints().get(0);
    if (point instanceof CounterSnapshot.CounterDataPointSnapshot counter) {
      return counter.getValue();
    }
    return ((GaugeSnapshot.GaugeDataPointSnapshot) point).getValue();
  }

  private static MetricSnapshot find(String name) throws Exception {
    return exported().stream()
        .filter(each -> nameOf(each).equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " is not exported"));
  }

  private static Set<String> exportedNames() throws Exception {
    return exported().stream()
        .map(ExporterTest::nameOf)
        .filter(name -> name.startsWith("tidemark_") || name.equals(ReadNames.FAILED_TASKS))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The name of a counter as Prometheus shows it, with its suffix. */
  private static String nameOf(MetricSnapshot metric) {
    String name = metric.getMetadata().getName();
    return metric instanceof CounterSnapshot ? name + "_total" : name;
  }

  private static MetricSnapshots exported() throws Exception {
    PrometheusRegistry registry = new PrometheusRegistry();
    new JmxCollector(Files.readString(ReadNames.RULES)).register(registry);
    return registry.scrape();
  }
}
