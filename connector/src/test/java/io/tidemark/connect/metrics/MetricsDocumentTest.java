package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.metrics.Metric.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Holds docs/METRICS.md and the exporter's rules to the declared metrics. */
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

            Generated from the declared metrics; a test holds it there. They are attributes of MBeans in the JMX domain
            `tidemark.connect`. Each attribute's MBeanInfo has its description, and its unit as the descriptor's `units`.
            Counters only grow until their MBean goes; gauges rise and fall. Reading them costs the records nothing: all is
            counted once a chunk, a file, a call or a batch.

            A connector with a ledger has one MBean more, `tidemark.connect:type=ledger-metrics,connector=NAME`, on the worker
            that runs the connector: `CompleteThrough` and its age, `HeldBecause`, `NewestCompletion`, `PendingSnapshots`,
            `LastCycleAgeMs` and `Problem`. [COMPLETENESS.md](COMPLETENESS.md) explains them.

            ## Prometheus and Grafana

            | file | what it is |
            |---|---|
            | [jmx-exporter.yml](../config/prometheus/jmx-exporter.yml) | rules of the [Prometheus JMX exporter](https://github.com/prometheus/jmx_exporter), a Java agent of the worker; generated |
            | [alerts.yml](../config/prometheus/alerts.yml) | alert rules: held, no commit, a refusal, dead letters, a backlog of registrations, lost offsets |
            | [tidemark.json](../config/grafana/tidemark.json) | a dashboard; import it, and choose the Prometheus that scrapes the workers |

            Give the agent to each worker when it starts, with a port of its own and the rules. Kafka's scripts take JVM options
            from `KAFKA_OPTS`:

                export KAFKA_OPTS="-javaagent:/opt/jmx_prometheus_javaagent-1.5.0.jar=9404:/etc/tidemark/jmx-exporter.yml"
                bin/connect-distributed.sh worker.properties

            The agent's jar is among the [releases](https://github.com/prometheus/jmx_exporter/releases) of the exporter; Maven
            Central has it up to 1.0.1. It answers on all network interfaces, to anybody: write `=HOST:9404:…` for one interface,
            or close the port to others. A worker whose port is taken does not start. Let Prometheus scrape
            `http://WORKER:9404/metrics` of every worker, because Connect may run a task on any of them.

            Two tests hold the rules: with the exporter 1.5.0 on the MBeans of a task, and with the agent 1.0.1 in a real worker.
            Every name in the three files must be among what it gives.
            Texts, such as `HeldBecause`, are not exported: read them by JMX, or in the worker's log.
            """);
    for (Declared bean : Declared.BEANS) {
      StringBuilder name = new StringBuilder("tidemark.connect:type=").append(bean.type());
      bean.keys()
          .forEach(
              key -> name.append(',').append(key).append('=').append(key.toUpperCase(Locale.ROOT)));
      text.append("\n## ")
          .append(bean.type())
          .append("\n\n`")
          .append(name)
          .append("`\n\n")
          .append(bean.about())
          .append("\n\n| attribute, name in Prometheus | unit | what it is | when it moves |\n")
          .append("|---|---|---|---|\n");
      bean.metrics().forEach(metric -> text.append(row(bean, metric)));
    }
    return text.toString();
  }

  private static String row(Declared bean, Metric<?> metric) {
    String exported =
        metric.kind() == Kind.TEXT
            ? ""
            : "<br>`" + metric.prometheusName(bean.prometheusPrefix()) + "`";
    String unit =
        metric.kind() == Kind.TEXT
            ? "text"
            : metric.unit() + ", " + metric.kind().name().toLowerCase(Locale.ROOT);
    return "| `%s`%s | %s | %s | %s |%n"
        .formatted(metric.name(), exported, unit, metric.description(), metric.advice());
  }

  private static String rules() {
    StringBuilder text =
        new StringBuilder(
            """
            # Rules of the Prometheus JMX exporter for Tidemark. Generated from the declared metrics: see docs/METRICS.md.
            includeObjectNames:
              - "tidemark.connect:*"
            rules:
            """);
    for (Declared bean : Declared.BEANS) {
      StringBuilder name = new StringBuilder("tidemark.connect<type=").append(bean.type());
      bean.keys().forEach(key -> name.append(", ").append(key).append("=(.+)"));
      for (Metric<?> metric : bean.metrics()) {
        if (metric.kind() != Kind.TEXT) {
          text.append(rule(bean, metric, name + "><>" + metric.name() + ": "));
        }
      }
    }
    return text.toString();
  }

  private static String rule(Declared bean, Metric<?> metric, String pattern) {
    StringBuilder text =
        new StringBuilder()
            .append("  - pattern: '%s'%n".formatted(pattern))
            .append("    name: %s%n".formatted(metric.prometheusName(bean.prometheusPrefix())))
            .append("    type: %s%n".formatted(metric.kind()))
            .append("    help: '%s'%n".formatted(metric.description().replace("'", "''")));
    if (!metric.unit().factor().isEmpty()) {
      text.append("    valueFactor: %s%n".formatted(metric.unit().factor()));
    }
    text.append("    labels:\n");
    for (int key = 0; key < bean.keys().size(); key++) {
      text.append("      %s: \"$%d\"%n".formatted(bean.keys().get(key), key + 1));
    }
    return text.toString();
  }
}
