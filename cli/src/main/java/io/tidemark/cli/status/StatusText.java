package io.tidemark.cli.status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A status for a terminal. */
public final class StatusText {
  private StatusText() {}

  /**
   * Returns the status as lines.
   *
   * @param address the options of the next call: {@code --connector sales --connect URL}
   */
  public static List<String> lines(Status status, String address) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "connector %s: %s, ledger entry %d, read at %s"
            .formatted(
                status.connector(),
                status.state().connector(),
                status.ledgerEntry(),
                seconds(status.at())));
    status.away().ifPresent(away -> lines.addAll(held("", away)));
    if (!status.subjects().isEmpty()) {
      lines.add("");
      lines.addAll(table(status.subjects()));
    }
    if (!status.waits().isEmpty()) {
      lines.add("");
      lines.add("Waits of tasks that may need an operator:");
      status.waits().forEach(wait -> lines.add("  " + wait));
    }
    lines.addAll(batches(status.batches()));
    if (!status.holds().isEmpty()) {
      lines.add("");
      lines.add(
          "Holds: tables with these offsets are not complete until an operator acknowledges the offsets.");
      for (OpenHold open : status.holds()) {
        lines.add("  %s %s: %s".formatted(open.hold().kind(), open.argument(), open.problem()));
        lines.add(
            "    tidemark repair %s --acknowledge '%s' --reason TEXT --execute"
                .formatted(address, open.argument()));
      }
    }
    return lines;
  }

  /** Returns the number of complete batches, and the incomplete ones. */
  private static List<String> batches(List<BatchStatus> batches) {
    List<String> lines = new ArrayList<>();
    if (batches.isEmpty()) {
      return lines;
    }
    List<BatchStatus> open = batches.stream().filter(each -> each.held().isPresent()).toList();
    lines.add("");
    lines.add(
        "Announced batches: %d complete, %d not."
            .formatted(batches.size() - open.size(), open.size()));
    for (BatchStatus each : open) {
      lines.add("  batch %s: %s".formatted(each.id(), each.figures()));
      each.held().ifPresent(held -> lines.addAll(held("    ", held)));
    }
    return lines;
  }

  private static List<String> table(List<Subject> subjects) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("kind", "name", "complete through", "asked at", "lag", "reason"));
    for (Subject each : subjects) {
      rows.add(
          List.of(
              each.kind(),
              each.name(),
              each.through().map(StatusText::seconds).orElse("never"),
              each.askedAt().map(StatusText::seconds).orElse("-"),
              each.lag().map(StatusText::lag).orElse("-"),
              each.held().map(Held::reason).orElse("-")));
    }
    int[] widths = new int[6];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < rows.size(); at++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = rows.get(at).get(i);
        line.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
      }
      lines.add(line.toString().stripTrailing());
      Optional<Held> held = at == 0 ? Optional.empty() : subjects.get(at - 1).held();
      held.ifPresent(each -> lines.addAll(held("       ", each)));
    }
    return lines;
  }

  /** Returns the reason of a wait, and what to do, as lines. */
  public static List<String> held(String indent, Held held) {
    return List.of(
        indent + held.reason() + " " + held.detail() + ".",
        indent + "what to do: " + held.cure() + ".");
  }

  private static String seconds(Instant instant) {
    return Instant.ofEpochSecond(instant.getEpochSecond()).toString();
  }

  /**
   * Returns a duration as text. Examples: {@code 42s}, {@code 7m 03s}, {@code 3h 07m}, {@code 2d
   * 03h}.
   */
  public static String lag(Duration lag) {
    long seconds = Math.max(0, lag.toSeconds());
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return String.format(Locale.ROOT, "%dm %02ds", seconds / 60, seconds % 60);
    }
    return seconds < 86_400
        ? String.format(Locale.ROOT, "%dh %02dm", seconds / 3600, seconds / 60 % 60)
        : String.format(Locale.ROOT, "%dd %02dh", seconds / 86_400, seconds / 3600 % 24);
  }
}
