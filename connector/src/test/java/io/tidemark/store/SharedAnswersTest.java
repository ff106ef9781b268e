package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SharedAnswersTest {
  private final AtomicLong nowMs = new AtomicLong(10);
  private final AtomicInteger asked = new AtomicInteger();
  private final SharedAnswers<String, Integer> answers = new SharedAnswers<>(nowMs::get);

  @Test
  void answerServesAllWhoBeganBeforeItsQuestion() {
    assertThat(answers.after(8, "a", asked::incrementAndGet)).isEqualTo(1);
    assertThat(answers.after(9, "a", asked::incrementAndGet)).isEqualTo(1);
    assertThat(answers.after(9, "b", asked::incrementAndGet)).isEqualTo(2);
  }

  /** The answer may lack what they wrote just before. */
  @Test
  void answerServesNobodyWhoBeganAtTheTimeOfItsQuestionOrLater() {
    answers.after(9, "a", asked::incrementAndGet);
    nowMs.set(20);
    assertThat(answers.after(10, "a", asked::incrementAndGet)).isEqualTo(2);
    assertThat(answers.after(19, "a", asked::incrementAndGet)).isEqualTo(2);
    nowMs.set(21);
    assertThat(answers.after(20, "a", asked::incrementAndGet)).isEqualTo(3);
  }

  @Test
  void failureServesNobodyElse() throws Exception {
    assertThatThrownBy(
            () ->
                answers.after(
                    9,
                    "a",
                    () -> {
                      throw new IOException("no answer");
                    }))
        .hasMessage("no answer");
    assertThat(answers.after(9, "a", asked::incrementAndGet)).isEqualTo(1);
  }

  @Test
  void whoAsksDuringAQuestionWaitsForItsAnswer() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      all.add(
          threads.submit(
              () ->
                  answers.after(
                      9,
                      "a",
                      () -> {
                        begun.countDown();
                        ends.await();
                        return asked.incrementAndGet();
                      })));
      begun.await();
      for (int each = 0; each < 3; each++) {
        all.add(threads.submit(() -> answers.after(9, "a", asked::incrementAndGet)));
      }
      ends.countDown();
      for (Future<Integer> each : all) {
        assertThat(each.get()).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
