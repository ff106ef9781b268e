package io.tidemark.benchmarks.run;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.Work;

/**
 * One combination to measure.
 *
 * @param record the name of a reference record
 * @param codec Avro's name of a codec
 * @param threads the number of threads. Each fills its own file, except for {@link Work#ONE_FILE}:
 *     there, all compress the same file
 */
record Cell(String record, Work work, Contender contender, String codec, int threads) {

  /** Returns the number of threads that compress one file. */
  int parallelism() {
    return work == Work.ONE_FILE ? threads : 1;
  }

  /** Returns the number of threads that run passes of their own. */
  int callers() {
    return threads / parallelism();
  }

  @Override
  public String toString() {
    return "%s %s %s %s, %d thread%s"
        .formatted(
            record, work.label(), contender.label(), codec, threads, threads == 1 ? "" : "s");
  }
}
