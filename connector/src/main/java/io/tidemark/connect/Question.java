package io.tidemark.connect;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A question to a service that may not answer in time: it is asked in a thread of its own, which is
 * left to end by itself where nobody waits for it any longer.
 */
final class Question<T> {
  private final FutureTask<T> answer;

  /**
   * Asks.
   *
   * @param of whom, for the thread's name
   */
  Question(String of, Callable<T> question) {
    answer = new FutureTask<>(question);
    Thread asking = new Thread(answer, "tidemark-validate-" + of);
    asking.setDaemon(true);
    // Clients look for their classes with it, and the caller's is the worker's.
    asking.setContextClassLoader(Question.class.getClassLoader());
    asking.start();
  }

  /**
   * Waits for the answer.
   *
   * @throws ExecutionException there is none, for the reason in the cause, of whatever kind
   * @throws TimeoutException there is none yet; the question is given up
   */
  T await(Duration longest) throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return answer.get(Math.max(0, longest.toNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException e) {
      answer.cancel(true);
      throw e;
    }
  }
}
