package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Compares docs/METRICS.md and the exporter's rules with the declared metrics. */
final class MetricsDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "METRICS.md");
  private static final String WRITE = "tidemark.docs.write";

  @Test
  void documentHasEveryMetric() throws IOException {
    assertGenerated(DOCUMENT, document());
  }

  @Test
  void exportersRulesHaveEveryMetric() throws IOException {
    assertGenerated(ReadNames.RULES, rules());
  }

  @Test
  void nothingElseIsDescribed() {
    List<String> declared = new ArrayList<>();
    for (BeanType<?> bean : Exported.types()) {
      declared.add(bean.name());
      bean.metrics().forEach(metric -> declared.add(bean.name() + "." + metric.name()));
    }
    assertThat(BeanType.ROWS.keySet()).containsExactlyElementsOf(declared);
  }

  @Test
  void textsAndNumbersHaveKindsOfTheirs() {
    for (BeanType<?> bean : Exported.types()) {
      for (Metric<?> metric : bean.metrics()) {
        BeanType.Row row = bean.row(metric);
        assertThat(row.kind())
            .as(metric.name())
            .isIn(metric.isText() ? List.of("text", "info") : List.of("counter", "gauge"));
        assertThat(row.unit().isEmpty()).as(metric.name()).isEqualTo(metric.isText());
      }
    }
  }

  private static void assertGenerated(Path file, String generated) throws IOException {
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(file, generated);
    }
    assertThat(Files.readString(file))
        .as(
            "%s differs from the declared metrics; generate it: mvn test -pl connector -am"
                + " -Dtest=MetricsDocumentTest -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
            file, WRITE)
        .isEqualTo(generated);
  }

  private static String document() {
    StringBuilder text =
        new StringBuilder(
            """
            # Metrics

            Generated from the code. The metrics are attributes of MBeans in the JMX domain `tidemark.connect`. A counter only grows
            until its MBean is removed; a gauge rises and falls. Counters are updated once per file, call, batch or chunk (the part
            of a batch that one thread gets). [RELIABILITY.md](RELIABILITY.md#states) defines the states and the
            [classes of offsets](RELIABILITY.md#classes-of-offsets).

            ## Prometheus and Grafana

            | file | purpose |
            |---|---|
            | [jmx-exporter.yml](../config/prometheus/jmx-exporter.yml) | rules of the [Prometheus JMX exporter](https://github.com/prometheus/jmx_exporter), a Java agent of the worker; generated |
            | [alerts.yml](../config/prometheus/alerts.yml) | [alert rules](OPERATIONS.md#monitoring) |
            | [tidemark.json](../config/grafana/tidemark.json) | a dashboard; import it, and choose the Prometheus that scrapes the workers |

            Start each worker with the agent, a free port and the rules:

                export KAFKA_OPTS="-javaagent:/opt/jmx_prometheus_javaagent-1.5.0.jar=9404:/etc/tidemark/jmx-exporter.yml"
                bin/connect-distributed.sh worker.properties

            The jar is among the exporter's [releases](https://github.com/prometheus/jmx_exporter/releases). Tested are the agent
            1.0.1, and the rules with the library 1.5.0. The agent listens on all network interfaces without authentication: write
            `=HOST:9404:…` for one, or close the port to others. A worker whose port is in use does not start. Scrape
            `http://WORKER:9404/metrics` of every worker: Connect may run a task on any.

            The rules convert times to seconds. A failed task and a stopped connector have no MBean in `tidemark.connect`:
            `connect_worker_failed_tasks`, from an MBean of Connect, is the number of a connector's failed tasks, with
            [exceptions](OPERATIONS.md#failed-tasks).

            ## Texts by JMX

            `Health`, `HeldBecause` and `Problem` are texts, which are not exported: read them in the worker's log, or by JMX.
            `JMX_PORT` opens JMX on a worker's network interfaces, without authentication: close the port to other machines, or set
            `KAFKA_JMX_OPTS`. On the worker's machine this prints the texts of its tasks:

                JMX_PORT=9999 bin/connect-distributed.sh worker.properties
                kafka-run-class.sh org.apache.kafka.tools.JmxTool --jmx-url service:jmx:rmi:///jndi/rmi://localhost:9999/jmxrmi \\
                  --object-name 'tidemark.connect:type=task-metrics,*' --attributes Health,HeldBecause \\
                  --report-format properties --one-time true
            """);
    for (BeanType<?> bean : Exported.types()) {
      StringBuilder name = new StringBuilder("tidemark.connect:type=").append(bean.name());
      bean.keys()
          .forEach(
              key -> name.append(',').append(key).append('=').append(key.toUpperCase(Locale.ROOT)));
      text.append("\n## ")
          .append(bean.name())
          .append("\n\n`")
          .append(name)
          .append("`\n\n")
          .append(bean.row().text())
          .append("\n\n| attribute, name in Prometheus | unit (JMX) | meaning | action |\n")
          .append("|---|---|---|---|\n");
      bean.metrics().forEach(metric -> text.append(row(bean, metric)));
    }
    return text.toString();
  }

  private static String row(BeanType<?> bean, Metric<?> metric) {
    BeanType.Row row = bean.row(metric);
    String exported = row.kind().equals("text") ? "" : "<br>`" + Exported.name(bean, metric) + "`";
    String unit = metric.isText() ? "text" : row.unit() + ", " + row.kind();
    return "| `%s`%s | %s | %s | %s |%n"
        .formatted(metric.name(), exported, unit, row.meaning(), action(bean, metric));
  }

  /** Returns what an operator does when a metric changes; empty if it only explains others. */
  private static String action(BeanType<?> bean, Metric<?> metric) {
    String[] parts = bean.row(metric).text().split(BeanType.ACTION, 2);
    return parts.length > 1 ? parts[1] : "";
  }

  private static String rules() {
    StringBuilder text =
        new StringBuilder(
            """
            # Rules of the Prometheus JMX exporter for Tidemark. Generated from the declared metrics: see docs/METRICS.md.
            includeObjectNames:
              - "tidemark.connect:*"
              - "kafka.connect:type=connect-worker-metrics,connector=*"
            rules:
              # A failed task has no MBean of Tidemark. Connect has this one for each connector of the worker.
              - pattern: 'kafka.connect<type=connect-worker-metrics, connector=(.+)><>connector-failed-task-count: '
                name: connect_worker_failed_tasks
                type: GAUGE
                help: 'Failed tasks of the connector on this worker.'
                labels:
                  connector: "$1"
            """);
    for (BeanType<?> bean : Exported.types()) {
      StringBuilder name = new StringBuilder("tidemark.connect<type=").append(bean.name());
      bean.keys().forEach(key -> name.append(", ").append(key).append("=(.+)"));
      for (Metric<?> metric : bean.metrics()) {
        String kind = bean.row(metric).kind();
        if (!kind.equals("text")) {
          String value = kind.equals("info") ? "(.+)" : "";
          text.append(rule(bean, metric, name + "><>" + metric.name() + ": " + value));
        }
      }
    }
    return text.toString();
  }

  private static String rule(BeanType<?> bean, Metric<?> metric, String pattern) {
    BeanType.Row row = bean.row(metric);
    boolean info = row.kind().equals("info");
    StringBuilder text =
        new StringBuilder()
            .append("  - pattern: '%s'%n".formatted(pattern))
            .append("    name: %s%n".formatted(Exported.name(bean, metric)))
            .append(
                "    type: %s%n".formatted(info ? "GAUGE" : row.kind().toUpperCase(Locale.ROOT)))
            .append("    help: '%s'%n".formatted(row.meaning().replace("'", "''")));
    if (!Exported.factor(row.unit()).isEmpty()) {
      text.append("    valueFactor: %s%n".formatted(Exported.factor(row.unit())));
    }
    if (info) {
      text.append("    value: 1\n");
    }
    text.append("    labels:\n");
    for (int key = 0; key < bean.keys().size(); key++) {
      text.append("      %s: \"$%d\"%n".formatted(bean.keys().get(key), key + 1));
    }
    if (info) {
      text.append(
          "      %s: \"$%d\"%n"
              .formatted(metric.name().toLowerCase(Locale.ROOT), bean.keys().size() + 1));
    }
    return text.toString();
  }
}
