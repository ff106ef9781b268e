package io.tidemark.benchmarks.articles;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures cases in rounds: each round runs every case in turn, in a separate short JVM, so that
 * other load of the machine affects all cases alike. Used by one thread.
 */
public final class Rounds {
  private final int rounds;
  private final boolean terminal;
  private final long deadlineNanos;
  private final LongSupplier nanoClock;

  /** Measures a case once. */
  @FunctionalInterface
  public interface Fork<C, R> {
    R measure(C testCase) throws IOException, InterruptedException;
  }

  /**
   * Creates rounds; the time limit starts here.
   *
   * @param rounds the number of rounds, unless the options set another number
   */
  public Rounds(ArticleOptions options, int rounds) {
    this(options.rounds().orElse(rounds), options.budget(), options.terminal(), System::nanoTime);
  }

  Rounds(int rounds, Duration budget, boolean terminal, LongSupplier nanoClock) {
    this.rounds = rounds;
    this.terminal = terminal;
    this.nanoClock = nanoClock;
    deadlineNanos = nanoClock.getAsLong() + budget.toNanos();
  }

  /**
   * Measures all cases and returns their results by round. When the time is over, the present round
   * ends early and no further one begins, but every case has its first fork.
   */
  public <C, R> Map<C, List<R>> measure(List<C> cases, Fork<C, R> fork)
      throws IOException, InterruptedException {
    Map<C, List<R>> results = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < cases.size(); i++) {
        if (round > 1 && nanoClock.getAsLong() > deadlineNanos) {
          progress("the time is over in round " + round, true);
          return results;
        }
        C testCase = cases.get(i);
        progress(
            "round %d of %d, %d of %d: %s".formatted(round, rounds, i + 1, cases.size(), testCase),
            i % 10 == 0);
        results.computeIfAbsent(testCase, key -> new ArrayList<>()).add(fork.measure(testCase));
      }
    }
    progress("%d rounds of %d cases".formatted(rounds, cases.size()), true);
    if (terminal) {
      System.out.println();
    }
    return results;
  }

  private void progress(String what, boolean now) {
    if (terminal) {
      System.out.printf("\r%-78.78s", what);
      System.out.flush();
    } else if (now) {
      System.out.println(what);
    }
  }
}
