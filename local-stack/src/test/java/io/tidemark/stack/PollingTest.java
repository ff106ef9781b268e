package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class PollingTest {

  @Test
  void waitEndsWhenNothingIsMissing() {
    Queue<Optional<String>> looks =
        new ArrayDeque<>(List.of(Optional.of("this"), Optional.empty()));
    Polling.until("all is there", Duration.ofMinutes(1), looks::remove);
    assertThat(looks).isEmpty();
  }

  @Test
  void deadlineNamesWhatIsStillMissing() {
    assertThatThrownBy(() -> Polling.until("it works", Duration.ZERO, () -> Optional.of("a part")))
        .isInstanceOf(ServerFailedException.class)
        .hasMessage("it works: did not happen within 0 s: a part");
  }
}
