package io.tidemark.connect.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Each alert fires when it must, and not earlier, according to Prometheus's own tool. The test is
 * skipped if this tool is not installed.
 */
final class AlertsTest {
  private static final Path CASES = Path.of("src", "test", "prometheus", "alerts-test.yml");

  @Test
  void alertsFireWhenTheyAreTo() throws Exception {
    assumeTrue(isInstalled(), "promtool is not on the PATH (Debian: apt-get install prometheus)");
    Process promtool =
        new ProcessBuilder("promtool", "test", "rules", CASES.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
    assertThat(promtool.waitFor()).as(said).isZero();
  }

  private static boolean isInstalled() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "promtool")));
  }
}
