package io.tidemark.benchmarks.run;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.Work;

/**
 * One combination to measure.
 *
 * @param record the name of a reference record
 * @param codec Avro's name of a codec
 */
record Cell(String record, Work work, Contender contender, String codec, int threads) {

  @Override
  public String toString() {
    return "%s %s %s %s, %d thread%s"
        .formatted(
            record, work.label(), contender.label(), codec, threads, threads == 1 ? "" : "s");
  }
}
