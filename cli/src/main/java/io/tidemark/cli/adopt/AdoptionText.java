package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.AdoptionReport.Partition;
import io.tidemark.cli.adopt.AdoptionReport.Topic;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as text. */
public final class AdoptionText {
  /** The most pending renames of a topic-partition that are shown. */
  private static final int RENAMES_MOST = 1_000;

  private AdoptionText() {}

  public static List<String> lines(AdoptionReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("connector %s".formatted(report.connector()));
    addRefusals(lines, report.refusals());
    report.topics().forEach(each -> addTopic(lines, each));
    lines.add("");
    lines.add("all topics: " + report.verdict());
    return lines;
  }

  private static void addTopic(List<String> lines, Topic topic) {
    lines.add("");
    lines.add("topic %s in %s: %s".formatted(topic.topic(), topic.directory(), topic.verdict()));
    if (topic.leftovers() > 0) {
      lines.add(
          "  %d temporary files with %d bytes in +tmp"
              .formatted(topic.leftovers(), topic.leftoverBytes()));
    }
    topic.notes().forEach(each -> lines.add("  note: " + each));
    addRefusals(lines, topic.refusals());
    topic.partitions().forEach(each -> addPartition(lines, each));
  }

  private static void addPartition(List<String> lines, Partition partition) {
    Decision decision = partition.decision();
    String next =
        decision.next().isPresent()
            ? number(decision.next().getAsLong())
            : "that of a new connector";
    lines.add(
        "  partition %d: %s, next offset %s (%s)"
            .formatted(
                partition.topicPartition().partition(),
                decision.verdict(),
                next,
                decision.source()));
    if (partition.files() > 0) {
      NamedOffsets names = partition.names();
      lines.add(
          "    %s files, %s records, %s bytes, offsets %s to %s in names, %s in gaps, %s files overlap"
              .formatted(
                  number(partition.files()),
                  partition.records() < 0 ? "unknown" : number(partition.records()),
                  number(partition.bytes()),
                  number(names.first()),
                  number(names.next() - 1),
                  number(names.gaps().size()),
                  number(names.overlaps())));
      if (!names.gaps().ranges().isEmpty()) {
        lines.add("    gaps: " + Findings.list(names.gaps().ranges()));
      }
    }
    lines.add("    " + partition.log());
    for (Rename each : decision.pending().stream().limit(RENAMES_MOST).toList()) {
      lines.add("    pending: rename %s to %s".formatted(each.temporary(), each.target()));
    }
    if (decision.pending().size() > RENAMES_MOST) {
      lines.add("    pending: %d renames in all".formatted(decision.pending().size()));
    }
    decision.notes().forEach(each -> lines.add("    note: " + each));
    addRefusals(lines, decision.refusals());
  }

  private static void addRefusals(List<String> lines, List<Refusal> refusals) {
    for (Refusal each : refusals) {
      lines.add("  REFUSED %s: %s".formatted(each.place(), each.problem()));
      lines.add("    what to do: " + each.cure());
    }
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
