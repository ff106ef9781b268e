package io.tidemark.cli.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as text. */
public final class AuditText {
  /** The most findings that are shown; {@code --json} has all. */
  private static final int FINDINGS_MOST = 1_000;

  private static final String ROW = "%-32s  %15s  %9s  %13s  %17s";

  private AuditText() {}

  public static List<String> lines(AuditReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "connector %s: audited at %s against entry %d of its ledger%s"
            .formatted(
                report.connector(),
                report.at(),
                report.ledgerEntry(),
                report.deep() ? ", every record decoded" : ""));
    lines.add("");
    lines.add(ROW.formatted("table", "Hive partitions", "files", "records", "bytes"));
    for (TableReport table : report.tables()) {
      lines.add(
          String.format(
              Locale.ROOT,
              ROW,
              table.table(),
              number(table.hivePartitions()),
              number(table.files()),
              number(table.records()),
              number(table.bytes())));
      if (table.waiting() > 0) {
        lines.add(
            "  %d files are committed and not published yet: the connector publishes them, now or at its next start"
                .formatted(table.waiting()));
      }
    }
    lines.add(
        "Kafka: the offsets of %d topic-partitions were compared"
            .formatted(report.topicPartitions()));
    lines.add("");
    report.findings().stream()
        .limit(FINDINGS_MOST)
        .forEach(
            each -> {
              lines.add("%s %s: %s".formatted(each.kind(), each.place(), each.problem()));
              lines.add("  what to do: " + each.kind().cure() + ".");
            });
    report.unchecked().forEach(each -> lines.add("NOT COMPARED " + each));
    if (report.holds() > 0) {
      lines.add("The ledger has %d open holds: see tidemark status.".formatted(report.holds()));
    }
    lines.add(
        report.findings().isEmpty()
            ? report.unchecked().isEmpty()
                ? "Everything agrees."
                : "Everything that was compared agrees."
            : "%d differences.".formatted(report.findings().size()));
    return lines;
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
