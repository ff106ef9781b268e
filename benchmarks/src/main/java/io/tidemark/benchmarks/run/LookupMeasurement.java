package io.tidemark.benchmarks.run;

import io.tidemark.benchmarks.registry.LookupFork;
import io.tidemark.benchmarks.registry.Question;
import io.tidemark.benchmarks.registry.RegistryHost;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The results of a question to a client: medians over separate JVMs.
 *
 * @param nsPerLookup wall time divided by the lookups of all threads
 * @param bytesAllocatedPerLookup bytes allocated on the Java heap by all threads of the client's
 *     process
 * @param bytesPerSchema the mean length of the schemas' texts
 * @param requests the number of requests to the registry; empty for a full cache
 * @param forks the number of JVMs of the medians
 * @param lowestNsPerLookup the time of the fastest fork
 * @param highestNsPerLookup the time of the slowest fork
 */
record LookupMeasurement(
    LookupCell cell,
    double nsPerLookup,
    double bytesAllocatedPerLookup,
    double bytesPerSchema,
    OptionalDouble requests,
    int forks,
    double lowestNsPerLookup,
    double highestNsPerLookup) {

  /** One fork of a cell. */
  record Fork(LookupFork.Answer answer, long requests) {}

  static LookupMeasurement of(LookupCell cell, List<Fork> forks) {
    double[] times = forks.stream().mapToDouble(fork -> fork.answer().ns()).sorted().toArray();
    return new LookupMeasurement(
        cell,
        Measurement.median(times),
        Measurement.median(
            forks.stream().mapToDouble(fork -> fork.answer().bytesAllocated()).toArray()),
        bytesPerSchema(cell.question().ids()),
        cell.question() == Question.HIT
            ? OptionalDouble.empty()
            : OptionalDouble.of(
                Measurement.median(forks.stream().mapToDouble(Fork::requests).toArray())),
        forks.size(),
        times[0],
        times[times.length - 1]);
  }

  private static double bytesPerSchema(int ids) {
    long bytes = 0;
    for (int id = 0; id < ids; id++) {
      bytes += RegistryHost.schema(id).length();
    }
    return (double) bytes / ids;
  }
}
