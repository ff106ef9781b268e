package io.tidemark.connect.it.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.metrics.ReadNames;
import io.tidemark.stack.FreePorts;
import io.tidemark.stack.JavaInstallation;
import io.tidemark.stack.Polling;
import io.tidemark.stack.release.Releases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The metrics that Prometheus reads from a worker with the JMX exporter as its agent, and the rules
 * of config/. The profile readers puts the agent into target.
 */
@Tag("readers")
@Tag("long")
final class ExporterAgentIT {
  private static final Path AGENT = Path.of("target", "exporter", "jmx_prometheus_javaagent.jar");
  private static final String NAME = "scraped";
  private static final int READINGS = 250;

  private static final String FAILED = ReadNames.FAILED_TASKS + "{connector=\"" + NAME + "\"}";

  /** Example: {@code tidemark_task_health_code{connector="sales",task="0"} 0.0}. */
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)\\{(.*)\\} (\\S+)");

  @Test
  void everyNumberThatAlertsAndDashboardReadIsScrapedFromAWorker() throws Exception {
    URI metrics = URI.create("http://localhost:" + FreePorts.next() + "/metrics");
    String agent =
        "-javaagent:%s=localhost:%d:%s"
            .formatted(AGENT.toAbsolutePath(), metrics.getPort(), ReadNames.RULES.toRealPath());
    try (RealStack stack = RealStack.start(Releases.USUAL, JavaInstallation.ofThisJvm(), agent)) {
      SourceTopic topic = stack.topic(NAME, 2);
      topic.send(Readings.V1, 0, READINGS);
      // On a busy machine a service may take longer to answer.
      Deployment connector =
          stack.deploy(
              ConnectorSettings.of(NAME, topic)
                  .with("on.refusal", "stop-task")
                  .with("validation.connect", "false"));
      connector.landsExactly();

      Polling.until(
          "the worker's agent gives what has landed",
          RealStack.DEADLINE,
          () -> {
            Map<String, Double> now = scrape(metrics);
            double landed = sum(now, "tidemark_topic_partition_records_landed_total");
            String table = "kind=\"table\",name=\"landed." + NAME + '"';
            boolean evaluated =
                now.keySet().stream()
                    .anyMatch(
                        sample ->
                            sample.startsWith("tidemark_completeness_held_code{")
                                && sample.contains(table));
            return landed == 2 * READINGS && evaluated
                ? Optional.empty()
                : Optional.of(
                    "%s records have landed by %s, completeness evaluated: %s"
                        .formatted(landed, metrics, evaluated));
          });
      Map<String, Double> samples = scrape(metrics);
      Set<String> names = new HashSet<>();
      samples.forEach(
          (sample, value) -> {
            // The age of completeness is below 0 for a table that was never complete.
            if (value >= 0 || sample.startsWith("tidemark_completeness_")) {
              names.add(sample.substring(0, sample.indexOf('{')));
            }
          });
      assertThat(names).containsAll(ReadNames.ofAlertsAndDashboard());
      for (int each = 0; each < 2; each++) {
        String place = "{connector=\"%s\",partition=\"%d\",task=\"0\",topic=\"%s\"}";
        assertThat(samples)
            .containsEntry(
                "tidemark_topic_partition_committed_offset" + place.formatted(NAME, each, NAME),
                (double) READINGS)
            .containsEntry(
                "tidemark_topic_partition_lag_records" + place.formatted(NAME, each, NAME), 0.0);
      }
      assertThat(samples)
          .containsEntry("tidemark_task_health_code{connector=\"scraped\",task=\"0\"}", 0.0)
          .containsEntry(FAILED, 0.0);

      topic.sendRaw(0, new byte[] {1});
      connector.awaitFailure();
      Polling.until(
          "the worker's agent gives the failed task",
          RealStack.DEADLINE,
          () -> {
            Double failed = scrape(metrics).get(FAILED);
            return Double.valueOf(1).equals(failed)
                ? Optional.empty()
                : Optional.of("%s is %s".formatted(FAILED, failed));
          });
    }
  }

  private static double sum(Map<String, Double> samples, String name) {
    return samples.entrySet().stream()
        .filter(sample -> sample.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** The metrics of config/'s rules, by name and labels. */
  private static Map<String, Double> scrape(URI metrics) {
    Map<String, Double> samples = new TreeMap<>();
    for (String line : get(metrics).lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if ((line.startsWith("tidemark_") || line.startsWith(ReadNames.FAILED_TASKS))
          && sample.matches()) {
        samples.put(
            "%s{%s}".formatted(sample.group(1), sample.group(2)), Double.valueOf(sample.group(3)));
      }
    }
    return samples;
  }

  private static String get(URI metrics) {
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(metrics.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(metrics + ": interrupted", e);
    }
  }
}
