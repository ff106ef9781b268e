package io.tidemark.benchmarks.run;

import io.tidemark.benchmarks.jmh.PassBenchmark;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the cells in rounds: each round runs every cell in a separate short JVM, so that other load
 * of the machine affects all cells alike. Used by one thread.
 */
final class Rounds {
  /** The options of every fork; the heap is much larger than any contender needs. */
  static final List<String> JVM_OPTIONS = List.of("-Xms1g", "-Xmx1g");

  private final RunOptions options;
  private final Path temporary;
  private final long deadlineNanos;
  private final Map<InputKey, Input> inputs = new HashMap<>();
  private final Map<Cell, List<Measurement.Fork>> forks = new LinkedHashMap<>();

  private record InputKey(String record, long bytes) {}

  private record Input(int records, double bytesPerRecord) {}

  /**
   * Creates rounds.
   *
   * @param temporary the directory for files of forks
   */
  Rounds(RunOptions options, Path temporary) {
    this.options = options;
    this.temporary = temporary;
    deadlineNanos = System.nanoTime() + options.budget().toNanos();
  }

  /**
   * Measures all cells and returns their medians. When the time is over, the present round ends
   * early and no further one begins, but every cell has its first fork.
   */
  List<Measurement> measure(List<Cell> cells) throws RunnerException {
    if (cells.isEmpty()) {
      return List.of();
    }
    for (int round = 1; round <= options.rounds(); round++) {
      for (int i = 0; i < cells.size(); i++) {
        if (round > 1 && System.nanoTime() > deadlineNanos) {
          System.out.printf("%nThe time is over in round %d.%n", round);
          return results();
        }
        progress(round, i, cells);
        Cell cell = cells.get(i);
        forks.computeIfAbsent(cell, key -> new ArrayList<>()).add(fork(cell));
      }
    }
    progress(options.rounds(), cells.size(), cells);
    return results();
  }

  private List<Measurement> results() {
    System.out.println();
    return forks.entrySet().stream()
        .map(
            entry ->
                Measurement.of(
                    entry.getKey(), input(entry.getKey()).bytesPerRecord, entry.getValue()))
        .toList();
  }

  private void progress(int round, int done, List<Cell> cells) {
    String line =
        done < cells.size()
            ? "round %d of %d, %d of %d: %s"
                .formatted(round, options.rounds(), done + 1, cells.size(), cells.get(done))
            : "%d rounds of %d cells".formatted(round, cells.size());
    if (options.terminal()) {
      System.out.printf("\r%-78s", line);
      System.out.flush();
    } else if (done % 10 == 0) {
      System.out.println(line);
    }
  }

  private Measurement.Fork fork(Cell cell) throws RunnerException {
    var jmh =
        new OptionsBuilder()
            .include(PassBenchmark.class.getName() + ".pass")
            .param("record", cell.record())
            .param("work", cell.work().label())
            .param("contender", cell.contender().label())
            .param("codec", cell.codec())
            .param("parallelism", String.valueOf(cell.parallelism()))
            .threads(cell.callers())
            .forks(1)
            .warmupIterations(options.warmups())
            .warmupTime(milliseconds(options.warmup()))
            .measurementIterations(options.iterations())
            .measurementTime(milliseconds(options.iteration()))
            .addProfiler(GCProfiler.class)
            .jvmArgs(JVM_OPTIONS.toArray(String[]::new))
            .jvmArgsAppend("-Djava.io.tmpdir=" + temporary)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    Collection<RunResult> results = new Runner(jmh).run();
    RunResult result = results.iterator().next();
    double perPass = result.getPrimaryResult().getScore();
    Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
    if (allocated == null) {
      throw new IllegalStateException(
          "JMH's gc profiler says nothing of allocation, only "
              + result.getSecondaryResults().keySet());
    }
    int records = input(cell).records;
    return new Measurement.Fork(perPass / records / cell.callers(), allocated.getScore() / records);
  }

  private Input input(Cell cell) {
    return inputs.computeIfAbsent(
        new InputKey(cell.record(), PassBenchmark.inputBytes(cell.work())),
        key -> {
          byte[][] datums = ReferenceRecord.named(key.record).datums(key.bytes);
          long bytes = 0;
          for (byte[] datum : datums) {
            bytes += datum.length;
          }
          return new Input(datums.length, (double) bytes / datums.length);
        });
  }

  private static TimeValue milliseconds(Duration time) {
    return TimeValue.milliseconds(time.toMillis());
  }
}
