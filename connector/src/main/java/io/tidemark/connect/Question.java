package io.tidemark.connect;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A request to a service that may not respond in time. It runs in a separate thread. If the caller
 * stops waiting, the thread is interrupted and ends later.
 */
final class Question<T> {
  private final FutureTask<T> answer;

  /** Starts the request. {@code of} is part of the thread's name. */
  Question(String of, Callable<T> question) {
    answer = new FutureTask<>(question);
    TaskThreads.factory("tidemark-validate-" + of).newThread(answer).start();
  }

  /** If there is no response in time, the request is cancelled. */
  T await(Duration longest) throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return answer.get(Math.max(0, longest.toNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException e) {
      answer.cancel(true);
      throw e;
    }
  }
}
