package io.tidemark.benchmarks.run;

import io.tidemark.benchmarks.registry.Question;
import java.io.PrintStream;
import java.util.List;

/** Prints the measurements as tables of text, grouped by work. */
final class ResultTable {
  private ResultTable() {}

  static void print(List<Measurement> measurements, PrintStream out) {
    String group = "";
    for (Measurement each : measurements) {
      Cell cell = each.cell();
      String heading =
          "%s of %s (%.0f bytes a record), codec %s, %d thread%s"
              .formatted(
                  cell.work().label(),
                  cell.record(),
                  each.bytesPerRecord(),
                  cell.codec(),
                  cell.threads(),
                  cell.threads() == 1 ? "" : "s");
      if (!heading.equals(group)) {
        out.printf(
            "%n%s%n  %-18s%12s%12s%14s%24s%n",
            heading, "", "ns a record", "MB/s", "allocated, B", "lowest - highest fork");
        group = heading;
      }
      out.printf(
          "  %-18s%12.0f%12.0f%14.1f%14.0f - %.0f%n",
          cell.contender().label(),
          each.nsPerRecord(),
          each.megabytesPerSecond(),
          each.bytesAllocatedPerRecord(),
          each.lowestNsPerRecord(),
          each.highestNsPerRecord());
    }
  }

  static void printLookups(List<LookupMeasurement> lookups, PrintStream out) {
    String group = "";
    for (LookupMeasurement each : lookups) {
      Question question = each.cell().question();
      if (!question.label().equals(group)) {
        out.printf(
            "%n%s %s, %d thread%s%n  %-18s%12s%12s%14s%24s%n",
            LookupCell.WORK,
            question.label(),
            question.threads(),
            question.threads() == 1 ? "" : "s",
            "",
            "ns a lookup",
            "requests",
            "allocated, B",
            "lowest - highest fork");
        group = question.label();
      }
      out.printf(
          "  %-18s%12.0f%12s%14.1f%14.0f - %.0f%n",
          each.cell().contender().label(),
          each.nsPerLookup(),
          each.requests().isPresent() ? Math.round(each.requests().getAsDouble()) : "",
          each.bytesAllocatedPerLookup(),
          each.lowestNsPerLookup(),
          each.highestNsPerLookup());
    }
  }
}
