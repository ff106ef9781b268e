package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QuestionTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void answerIsWaitedFor() throws Exception {
    assertThat(new Question<>("test", () -> 7).await(LONG)).isEqualTo(7);
  }

  /** A missing class is an error. It must not be reported as a service that does not answer. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failureOfAnyKindIsTold(boolean error) {
    Question<Integer> question =
        new Question<>(
            "test",
            () -> {
              if (error) {
                throw new NoClassDefFoundError("org/example/Absent");
              }
              throw new IOException("refused");
            });

    assertThatThrownBy(() -> question.await(LONG))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(error ? NoClassDefFoundError.class : IOException.class);
  }

  @Test
  void questionThatNobodyWaitsForIsInterrupted() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Question<Integer> question =
        new Question<>(
            "test",
            () -> {
              asked.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
              return 0;
            });

    // A question that has not begun is not asked at all.
    assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> question.await(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
  }
}
