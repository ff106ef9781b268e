package io.tidemark.connect.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random schedules of faults, for some seconds.
 *
 * <p>The system property {@code io.tidemark.faults.schedules} is the largest number of schedules,
 * and {@link FaultSeconds} limits the time. The seed of the first schedule is {@code
 * io.tidemark.faults.seed}, by default always the same, so that the same commit has the same
 * result; the others have the seeds that follow. A failure names its seed; {@code
 * -Dio.tidemark.faults.seed=SEED -Dio.tidemark.faults.schedules=1} runs it alone.
 */
@Tag("faults")
class SchedulesTest {
  private static final long SCHEDULES = Long.getLong("io.tidemark.faults.schedules", 100_000);
  private static final long SEED = Long.getLong("io.tidemark.faults.seed", 1);
  private static final int FAILURES_TOLD = 10;

  /** From these numbers of schedules on, a run must have reached most hazards, or all. */
  private static final int REACH_MOST = 1_000;

  private static final int REACH_ALL = 5_000;

  @Test
  void noScheduleOfFaultsLosesOrDoublesARecord() {
    AtomicLong lost = new AtomicLong();
    AtomicLong doubled = new AtomicLong();
    AtomicLong completions = new AtomicLong();
    AtomicLong untrue = new AtomicLong();
    AtomicLong missing = new AtomicLong();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    Set<Hazard> reached = ConcurrentHashMap.newKeySet();
    AtomicLong tried = new AtomicLong();
    FaultSeconds time = FaultSeconds.begin(1);
    long begunNanos = System.nanoTime();
    LongStream.range(SEED, SEED + SCHEDULES)
        .parallel()
        .filter(seed -> time.remains())
        .forEach(
            seed -> {
              tried.incrementAndGet();
              try {
                Verdict verdict = Schedule.run(seed);
                lost.addAndGet(verdict.lost().size());
                doubled.addAndGet(verdict.doubled().size());
                completions.addAndGet(verdict.completions());
                untrue.addAndGet(verdict.untrue().size());
                missing.addAndGet(verdict.missing().size());
                reached.addAll(verdict.reached());
                if (!verdict.good()) {
                  failures.add("seed " + seed + ": " + verdict);
                }
              } catch (AssertionError | RuntimeException e) {
                failures.add("seed " + seed + ": " + e + caused(e));
              }
            });
    failures.forEach(System.out::println);
    System.out.printf(
        "schedules with %d of the seeds from %d to %d, %.1f ms each%n",
        tried.get(),
        SEED,
        SEED + SCHEDULES - 1,
        (System.nanoTime() - begunNanos) / 1e6 / tried.get());
    new FaultCount("schedules", tried.get(), lost.get(), doubled.get()).report();
    new CompletionCount(completions.get(), untrue.get(), missing.get()).report();
    assertThat(failures.stream().limit(FAILURES_TOLD)).isEmpty();
    if (tried.get() >= REACH_MOST) {
      Set<Hazard> all = EnumSet.allOf(Hazard.class);
      if (tried.get() < REACH_ALL) {
        all.removeAll(Hazard.RARE);
      }
      assertThat(reached).containsAll(all);
    }
  }

  private static String caused(Throwable failure) {
    return failure.getCause() == null ? "" : ": " + failure.getCause();
  }
}
