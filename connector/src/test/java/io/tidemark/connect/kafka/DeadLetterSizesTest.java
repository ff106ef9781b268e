package io.tidemark.connect.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records of a topic that would be too large as dead letters. */
final class DeadLetterSizesTest {
  private static final long DEFAULT = 1_048_588;

  private static final DeadLetterSizes BY_DEFAULT = new DeadLetterSizes("letters", 1_048_576);

  @Test
  void defaultsAreAccepted() {
    assertThat(BY_DEFAULT.problem(Map.of("quotes", DEFAULT, "letters", DEFAULT))).isEmpty();
    assertThat(BY_DEFAULT.problem(Map.of("quotes", DEFAULT))).isEmpty();
    assertThat(BY_DEFAULT.problem(Map.of())).isEmpty();
  }

  @Test
  void producerThatSendsLessThanTheLargestRecordIsNamed() {
    assertThat(BY_DEFAULT.problem(Map.of("quotes", 5_000_000L, "letters", 9_000_000L)))
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains(
                        "max.message.bytes of quotes is 5000000",
                        "a dead letter may have 1048588 bytes")
                    .contains("Raise producer.override.max.request.size."));
    assertThat(
            new DeadLetterSizes("letters", 5_000_000)
                .problem(Map.of("quotes", 5_000_000L, "letters", 9_000_000L)))
        .as("the headers need more")
        .isPresent();
    assertThat(
            new DeadLetterSizes("letters", 5_100_000)
                .problem(Map.of("quotes", 5_000_000L, "letters", 5_100_000L)))
        .isEmpty();
  }

  @Test
  void deadLetterTopicThatAcceptsLessThanTheLargestRecordIsNamed() {
    assertThat(
            new DeadLetterSizes("letters", 9_000_000)
                .problem(Map.of("quotes", 5_000_000L, "letters", DEFAULT)))
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains("may have 1048588 bytes", "Raise max.message.bytes of letters."));
    assertThat(BY_DEFAULT.problem(Map.of("quotes", DEFAULT, "letters", 500_000L))).isPresent();
  }
}
