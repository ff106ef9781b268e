package io.tidemark.benchmarks.run;

import static io.tidemark.benchmarks.contenders.Contender.FAST_READER;
import static io.tidemark.benchmarks.contenders.Contender.FAST_SERDE;
import static io.tidemark.benchmarks.contenders.Contender.MEMCPY;
import static io.tidemark.benchmarks.contenders.Contender.OURS;
import static io.tidemark.benchmarks.contenders.Contender.OURS_INTERPRETER;
import static io.tidemark.benchmarks.contenders.Contender.STOCK;

import io.tidemark.benchmarks.contenders.Contender;
import io.tidemark.benchmarks.contenders.Work;
import io.tidemark.benchmarks.records.ReferenceRecord;
import io.tidemark.benchmarks.registry.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A target of the project, with the result of a run.
 *
 * @param claim the claim. Example: {@code check-copy of Mix-300, null, against stock}
 * @param unit the unit. Example: {@code times}
 * @param atLeast whether the bound is a minimum; otherwise it is a maximum
 */
record Target(String claim, double value, double bound, String unit, boolean atLeast) {

  boolean met() {
    return atLeast ? value >= bound : value <= bound;
  }

  /** Returns all targets for which the run has measured both sides. */
  static List<Target> of(List<Measurement> measurements) {
    var found = new Finder(measurements);
    var targets = new ArrayList<Target>();
    found.faster("StockQuote-78", Work.CHECK_COPY, "null", STOCK, 25).ifPresent(targets::add);
    found.faster("Mix-300", Work.CHECK_COPY, "null", STOCK, 25).ifPresent(targets::add);
    found.faster("User-81", Work.CHECK_COPY, "null", STOCK, 20).ifPresent(targets::add);
    for (String record : List.of("StockQuote-78", "Mix-300", "User-81")) {
      found.faster(record, Work.FILE, "snappy", MEMCPY, 0.9).ifPresent(targets::add);
    }
    found.faster("StockQuote-78", Work.FILE, "snappy", STOCK, 11).ifPresent(targets::add);
    found.faster("Mix-300", Work.FILE, "snappy", STOCK, 8).ifPresent(targets::add);
    found.faster("StockQuote-v1-v2", Work.REWRITE, "null", STOCK, 20).ifPresent(targets::add);
    found.faster("StockQuote-v1-v2", Work.REWRITE, "null", FAST_READER, 10).ifPresent(targets::add);
    found
        .faster("StockQuote-v1-v2-fields", Work.REWRITE, "null", FAST_SERDE, 10)
        .ifPresent(targets::add);
    found
        .faster("Parcel-v1-v2", Work.REWRITE, "null", OURS_INTERPRETER, 1.1)
        .ifPresent(targets::add);
    found.twoThreads("StockQuote-78", Work.CHECK_COPY, "null", 1.8).ifPresent(targets::add);
    found.twoThreads("StockQuote-78", Work.FILE, "snappy", 1.8).ifPresent(targets::add);
    found.twoThreads("Parcel-650", Work.FILE, "snappy", 1.5).ifPresent(targets::add);
    found.twoThreads("Parcel-650", Work.ONE_FILE, "snappy", 1.5).ifPresent(targets::add);
    for (ReferenceRecord record : ReferenceRecord.all()) {
      for (Work work : List.of(Work.DECODE, Work.ENCODE)) {
        found.faster(record.name(), work, "null", STOCK, 1.5).ifPresent(targets::add);
        found.faster(record.name(), work, "null", FAST_READER, 1).ifPresent(targets::add);
        found.faster(record.name(), work, "null", FAST_SERDE, 0.97).ifPresent(targets::add);
      }
    }
    ReferenceRecord.all().stream()
        .map(ReferenceRecord::name)
        .filter(name -> name.startsWith(CellList.MAPPED))
        .flatMap(name -> found.faster(name, Work.REWRITE, "null", STOCK, 10).stream())
        .forEach(targets::add);
    for (Measurement each : measurements) {
      Cell cell = each.cell();
      boolean bytes = cell.work() != Work.DECODE && cell.work() != Work.ENCODE;
      if (bytes && cell.contender() == OURS && cell.threads() == 1) {
        targets.add(
            new Target(
                "bytes allocated by %s of %s, %s"
                    .formatted(cell.work().label(), cell.record(), cell.codec()),
                each.bytesAllocatedPerRecord(),
                16,
                "bytes a record",
                false));
      }
    }
    return targets;
  }

  /**
   * Returns the targets of registry-client: a hit allocates nothing, and concurrent lookups of one
   * id share a request.
   */
  static List<Target> ofLookups(List<LookupMeasurement> lookups) {
    var targets = new ArrayList<Target>();
    for (LookupMeasurement each : lookups) {
      String client = each.cell().contender().label();
      if (client.startsWith("ours") && each.cell().question() == Question.HIT) {
        targets.add(
            new Target(
                "bytes allocated by a hit of " + client,
                each.bytesAllocatedPerLookup(),
                0.1,
                "bytes a lookup",
                false));
      }
      if (client.startsWith("ours") && each.cell().question() == Question.ONE_COLD_ID) {
        targets.add(
            new Target(
                "requests of %d threads for one cold id, %s"
                    .formatted(each.cell().question().threads(), client),
                each.requests().orElseThrow(),
                1,
                "requests",
                false));
      }
    }
    return targets;
  }

  @Override
  public String toString() {
    return "%-6s %-62s %8.2f %s (%s %s)"
        .formatted(
            met() ? "met" : "MISSED",
            claim,
            value,
            unit,
            atLeast ? "at least" : "at most",
            bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound));
  }

  private record Finder(List<Measurement> measurements) {

    Optional<Target> faster(
        String record, Work work, String codec, Contender compared, double bound) {
      return ns(new Cell(record, work, OURS, codec, 1))
          .flatMap(
              ours ->
                  ns(new Cell(record, work, compared, codec, 1))
                      .map(
                          theirs ->
                              new Target(
                                  "%s of %s, %s, against %s"
                                      .formatted(work.label(), record, codec, compared.label()),
                                  theirs / ours,
                                  bound,
                                  "times",
                                  true)));
    }

    Optional<Target> twoThreads(String record, Work work, String codec, double bound) {
      return ns(new Cell(record, work, OURS, codec, 1))
          .flatMap(
              one ->
                  ns(new Cell(record, work, OURS, codec, 2))
                      .map(
                          two ->
                              new Target(
                                  "%s of %s, %s, by two threads against one"
                                      .formatted(work.label(), record, codec),
                                  one / two,
                                  bound,
                                  "times",
                                  true)));
    }

    private Optional<Double> ns(Cell cell) {
      return measurements.stream()
          .filter(each -> each.cell().equals(cell))
          .map(Measurement::nsPerRecord)
          .findFirst();
    }
  }
}
