package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that the connector does not have. */
class UnknownKeysTest {

  /** The distance of two texts takes time and memory for each pair of their characters. */
  @ParameterizedTest
  @ValueSource(strings = {"hive.", "kafka.", "hadoop.", "topic.", "x"})
  void keyOfAMegabyteIsNotComparedAsAWhole(String prefix) {
    String key = prefix + "k".repeat(1 << 20);

    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          assertThat(UnknownKeys.problem(key)).isNotNull();
          assertThat(HadoopClientKeys.problem(key, "1")).isNotNull();
        });
  }

  @Test
  void typingErrorIsAnsweredWithTheKey() {
    assertThat(UnknownKeys.problem("hive.metastore.uri"))
        .hasValueSatisfying(
            problem -> assertThat(problem).contains("Did you mean hive.metastore.uris?"));
  }
}
