package io.tidemark.registry.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.http.Reply.Failure;
import io.tidemark.registry.http.Reply.Found;
import io.tidemark.registry.http.Reply.Missing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RoundsTest {
  private static final SchemaDocument DOCUMENT = new SchemaDocument("\"int\"", "AVRO", List.of());

  private final Deque<Reply> replies = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final List<Long> timeoutsMs = new ArrayList<>();
  private final List<Long> waitsMs = new ArrayList<>();
  private long requestTakesMs;
  private boolean closed;
  private long nowMs = 1_000_000;

  @Test
  void answerOfTheFirstEndpointEndsTheLookup() throws Exception {
    replies.add(new Found(DOCUMENT));
    assertThat(rounds(settings()).get("/x")).contains(DOCUMENT);
    assertThat(asked).containsExactly("http://one/x");
  }

  @Test
  void notFoundIsAnAnswerAndIsNotRetried() throws Exception {
    replies.add(new Missing());
    assertThat(rounds(settings()).get("/x")).isEqualTo(Optional.empty());
    assertThat(asked).hasSize(1);
  }

  @Test
  void nextEndpointIsAskedWithoutAWaitAndPreferredFromThenOn() throws Exception {
    Rounds rounds = rounds(settings());
    replies.add(passing());
    replies.add(new Found(DOCUMENT));
    assertThat(rounds.get("/x")).contains(DOCUMENT);
    replies.add(new Found(DOCUMENT));
    assertThat(rounds.get("/y")).contains(DOCUMENT);
    assertThat(asked).containsExactly("http://one/x", "http://two/x", "http://two/y");
    assertThat(waitsMs).isEmpty();
  }

  @Test
  void passingFailureIsRetriedInRoundsWithGrowingWaits() {
    for (int i = 0; i < 8; i++) {
      replies.add(passing());
    }
    assertThatThrownBy(
            () -> rounds(settings().rounds(4).backoffMs(100).maxBackoffMs(250)).get("/x"))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("it is tired. it is tired. Tried 4 times in ");
    assertThat(asked).hasSize(8);
    assertThat(waitsMs).hasSize(3);
    assertThat(waitsMs.get(0)).isBetween(0L, 100L);
    assertThat(waitsMs.get(1)).isBetween(0L, 200L);
    assertThat(waitsMs.get(2)).isBetween(0L, 250L);
  }

  @Test
  void waitsFillTheirWholeRange() {
    ConfluentSettings.Builder settings =
        settings().rounds(1_000).backoffMs(100).maxBackoffMs(100).totalTimeoutMs(1_000_000);
    for (int i = 0; i < 2_000; i++) {
      replies.add(passing());
    }
    assertThatThrownBy(() -> rounds(settings).get("/x"))
        .isInstanceOf(RegistryUnavailableException.class);
    assertThat(waitsMs).hasSize(999).contains(0L, 50L, 100L);
    assertThat(waitsMs).allSatisfy(wait -> assertThat(wait).isBetween(0L, 100L));
  }

  @Test
  void lastingFailureIsNotRetried() {
    replies.add(lasting());
    replies.add(lasting());
    assertThatThrownBy(() -> rounds(settings()).get("/x"))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage("it refuses. it refuses. Tried once in 0 ms.");
    assertThat(asked).hasSize(2);
  }

  @Test
  void registrysOwnWaitIsKept() throws Exception {
    replies.add(new Failure("busy.", true, 7_000, null));
    replies.add(lasting());
    replies.add(new Found(DOCUMENT));
    assertThat(rounds(settings()).get("/x")).contains(DOCUMENT);
    assertThat(waitsMs).containsExactly(7_000L);
  }

  @Test
  void waitThatWouldOutlastTheTotalTimeEndsTheLookupAtOnce() {
    replies.add(new Failure("busy.", true, 60_000, null));
    replies.add(lasting());
    assertThatThrownBy(() -> rounds(settings().totalTimeoutMs(30_000)).get("/x"))
        .isInstanceOf(RegistryUnavailableException.class);
    assertThat(waitsMs).isEmpty();
  }

  @Test
  void totalTimeBoundsTheLastRequest() {
    requestTakesMs = 10_000;
    for (int i = 0; i < 3; i++) {
      replies.add(passing());
    }
    assertThatThrownBy(
            () -> rounds(settings().backoffMs(0).maxBackoffMs(0).totalTimeoutMs(25_000)).get("/x"))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("Tried 2 times in 25000 ms.");
    assertThat(timeoutsMs).containsExactly(10_000L, 10_000L, 5_000L);
  }

  @Test
  void closingEndsTheWait() {
    closed = true;
    replies.add(passing());
    replies.add(passing());
    assertThatThrownBy(() -> rounds(settings()).get("/x"))
        .isInstanceOf(RegistryUnavailableException.class);
    assertThat(asked).hasSize(2);
  }

  private static Failure passing() {
    return new Failure("it is tired.", true, 0, null);
  }

  private static Failure lasting() {
    return new Failure("it refuses.", false, 0, null);
  }

  private static ConfluentSettings.Builder settings() {
    return ConfluentSettings.builder("http://one,http://two");
  }

  private Rounds rounds(ConfluentSettings.Builder settings) {
    return new Rounds(
        settings.build(),
        (endpoint, path, timeoutMs) -> {
          asked.add(endpoint + path);
          timeoutsMs.add(timeoutMs);
          nowMs += Math.min(requestTakesMs, timeoutMs);
          return replies.remove();
        },
        () -> MILLISECONDS.toNanos(nowMs),
        new SplittableRandom(42),
        ms -> {
          waitsMs.add(ms);
          nowMs += ms;
          return !closed;
        });
  }
}
