package io.tidemark.registry.http;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.http.Reply.Failure;
import io.tidemark.registry.http.Reply.Found;
import io.tidemark.registry.http.Reply.Refused;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RoundsTest {
  private static final String ANSWER = "an answer";

  private final Deque<Reply<String>> replies = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final List<Long> timeoutsMs = new ArrayList<>();
  private final List<Long> waitsMs = new ArrayList<>();
  private long requestTakesMs;
  private boolean closed;
  private long nowMs = 1_000_000;

  @Test
  void answerOfTheFirstEndpointEndsTheLookup() throws Exception {
    replies.add(new Found<>(ANSWER));
    assertThat(rounds(settings()).send(request("/x"))).isEqualTo(ANSWER);
    assertThat(asked).containsExactly("http://one/x");
  }

  @Test
  void refusalIsAnAnswerAndIsNotRetried() {
    RegistryRefusedException no =
        new RegistryRefusedException("no such subject", 40401, Reason.SUBJECT_NOT_FOUND);
    replies.add(new Refused<>(no));
    assertThatThrownBy(() -> rounds(settings()).send(request("/x"))).isSameAs(no);
    assertThat(asked).hasSize(1);
  }

  @Test
  void nextEndpointIsAskedWithoutAWaitAndPreferredFromThenOn() throws Exception {
    Rounds rounds = rounds(settings());
    replies.add(passing());
    replies.add(new Found<>(ANSWER));
    assertThat(rounds.send(request("/x"))).isEqualTo(ANSWER);
    replies.add(new Found<>(ANSWER));
    assertThat(rounds.send(request("/y"))).isEqualTo(ANSWER);
    assertThat(asked).containsExactly("http://one/x", "http://two/x", "http://two/y");
    assertThat(waitsMs).isEmpty();
  }

  @Test
  void passingFailureIsRetriedInRoundsWithGrowingWaits() {
    for (int i = 0; i < 8; i++) {
      replies.add(passing());
    }
    assertThatThrownBy(
            () -> rounds(settings().rounds(4).backoffMs(100).maxBackoffMs(250)).send(request("/x")))
        .isInstanceOfSatisfying(
            RegistryUnavailableException.class, e -> assertThat(e.code()).isEqualTo(503))
        .hasMessageContaining("it is tired. it is tired. Tried 4 times in ");
    assertThat(asked).hasSize(8);
    assertThat(waitsMs).hasSize(3);
    assertThat(waitsMs.get(0)).isBetween(0L, 100L);
    assertThat(waitsMs.get(1)).isBetween(0L, 200L);
    assertThat(waitsMs.get(2)).isBetween(0L, 250L);
  }

  @Test
  void waitsFillTheirWholeRange() {
    HttpSettings.Builder settings =
        settings().rounds(1_000).backoffMs(100).maxBackoffMs(100).totalTimeoutMs(1_000_000);
    for (int i = 0; i < 2_000; i++) {
      replies.add(passing());
    }
    assertThatThrownBy(() -> rounds(settings).send(request("/x")))
        .isInstanceOf(RegistryUnavailableException.class);
    assertThat(waitsMs).hasSize(999).contains(0L, 50L, 100L);
    assertThat(waitsMs).allSatisfy(wait -> assertThat(wait).isBetween(0L, 100L));
  }

  @Test
  void lastingFailureIsNotRetried() {
    replies.add(lasting());
    replies.add(lasting());
    assertThatThrownBy(() -> rounds(settings()).send(request("/x")))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage("it refuses. it refuses. Tried once in 0 ms.");
    assertThat(asked).hasSize(2);
  }

  @Test
  void registrysOwnWaitIsKept() throws Exception {
    replies.add(new Failure<>("busy.", 429, true, 7_000, null));
    replies.add(lasting());
    replies.add(new Found<>(ANSWER));
    assertThat(rounds(settings()).send(request("/x"))).isEqualTo(ANSWER);
    assertThat(waitsMs).containsExactly(7_000L);
  }

  @Test
  void waitThatWouldOutlastTheTotalTimeEndsTheLookupAtOnce() {
    replies.add(new Failure<>("busy.", 429, true, 60_000, null));
    replies.add(lasting());
    assertThatThrownBy(() -> rounds(settings().totalTimeoutMs(30_000)).send(request("/x")))
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
            () ->
                rounds(settings().backoffMs(0).maxBackoffMs(0).totalTimeoutMs(25_000))
                    .send(request("/x")))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("Tried 2 times in 25000 ms.");
    assertThat(timeoutsMs).containsExactly(10_000L, 10_000L, 5_000L);
  }

  @Test
  void requestsOfOneLookupShareItsTime() throws Exception {
    requestTakesMs = 10_000;
    Rounds rounds = rounds(settings().totalTimeoutMs(25_000));
    Rounds lookup = rounds.lookup();
    for (int i = 0; i < 3; i++) {
      replies.add(new Found<>(ANSWER));
      assertThat(lookup.send(request("/x"))).isEqualTo(ANSWER);
    }
    assertThat(timeoutsMs).containsExactly(10_000L, 10_000L, 5_000L);
    assertThatThrownBy(() -> lookup.send(request("/x")))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("was not read within 25000 ms");
    assertThat(asked).hasSize(3);

    replies.add(new Found<>(ANSWER));
    assertThat(rounds.send(request("/x"))).isEqualTo(ANSWER);
  }

  @Test
  void closingEndsTheWait() {
    closed = true;
    replies.add(passing());
    replies.add(passing());
    assertThatThrownBy(() -> rounds(settings()).send(request("/x")))
        .isInstanceOf(RegistryUnavailableException.class);
    assertThat(asked).hasSize(2);
  }

  private static Request<String> request(String path) {
    return new Request<>(
        "GET", path, Optional.empty(), "*/*", "an answer", (type, body) -> Optional.of(ANSWER));
  }

  private static Failure<String> passing() {
    return new Failure<>("it is tired.", 503, true, 0, null);
  }

  private static Failure<String> lasting() {
    return new Failure<>("it refuses.", 400, false, 0, null);
  }

  private static HttpSettings.Builder settings() {
    return HttpSettings.builder("http://one,http://two");
  }

  private Rounds rounds(HttpSettings.Builder settings) {
    return new Rounds(
        settings.build(),
        new ScriptedTransport(),
        () -> MILLISECONDS.toNanos(nowMs),
        new SplittableRandom(42),
        ms -> {
          waitsMs.add(ms);
          nowMs += ms;
          return !closed;
        });
  }

  /** Answers each request with the next reply. */
  private final class ScriptedTransport implements Transport {
    @Override
    @SuppressWarnings("unchecked")
    public <T> Reply<T> send(Endpoint endpoint, Request<T> request, long timeoutMs) {
      asked.add(endpoint + request.path());
      timeoutsMs.add(timeoutMs);
      nowMs += Math.min(requestTakesMs, timeoutMs);
      return (Reply<T>) replies.remove();
    }
  }
}
