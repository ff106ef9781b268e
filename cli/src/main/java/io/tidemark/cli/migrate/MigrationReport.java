package io.tidemark.cli.migrate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.IndentedTexts;
import io.tidemark.store.PrintableText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A migrated configuration, and the notes about it.
 *
 * @param adoptable whether {@code tidemark adopt} knows the sink, its format and its partitioner
 * @param lost settings whose function has no counterpart
 * @param checks settings to complete or to check
 * @param blocked why Tidemark cannot do what the old connector does
 * @param errors of the connector's validation
 * @param unknown keys that no rule knows
 */
public record MigrationReport(
    OldSink sink,
    boolean adoptable,
    Map<String, String> settings,
    List<String> changes,
    List<String> lost,
    List<String> checks,
    List<String> blocked,
    List<String> errors,
    List<String> unknown) {

  public MigrationReport {
    changes = List.copyOf(changes);
    lost = List.copyOf(lost);
    checks = List.copyOf(checks);
    blocked = List.copyOf(blocked);
    errors = List.copyOf(errors);
    unknown = List.copyOf(unknown);
  }

  /** Returns the new configuration, in the form of the old one. */
  public String json(boolean wrapped) throws JsonProcessingException {
    Map<String, Object> root = new LinkedHashMap<>(settings);
    if (wrapped) {
      Map<String, Object> config = new LinkedHashMap<>(root);
      root.clear();
      root.put("name", config.getOrDefault("name", ""));
      config.remove("name");
      root.put("config", config);
    }
    return new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValueAsString(root)
        .replaceAll("(?m)^( *\"[^\"]+\") : ", "$1: ");
  }

  /** Returns the notes as lines, and what to do before and after. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("The old connector is %s.".formatted(sink.title()));
    section(lines, "Not possible with Tidemark:", blocked);
    section(lines, "Rejected by the connector's validation:", errors);
    section(lines, "Changed:", changes);
    section(lines, "Without a counterpart:", lost);
    section(lines, "Not known, and left out:", unknown);
    section(lines, "To set or to check:", checks);
    section(lines, "Before:", steps("before"));
    section(lines, "After:", steps("after"));
    return lines.stream().map(PrintableText::line).toList();
  }

  private List<String> steps(String when) {
    String other = sink.rules().equals("hdfs") ? "hdfs" : "others";
    String tables = adoptable ? "adopt" : sink.rules().equals("hdfs") ? "new" : "others";
    return IndentedTexts.read(MigrationReport.class, "steps.txt").entrySet().stream()
        .filter(
            each ->
                each.getKey().startsWith(when + " all ")
                    || each.getKey().startsWith(when + " " + other + " ")
                    || each.getKey().startsWith(when + " " + tables + " "))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static void section(List<String> lines, String title, List<String> notes) {
    if (!notes.isEmpty()) {
      lines.add("");
      lines.add(title);
      notes.forEach(note -> lines.add("- " + note));
    }
  }

  /** 3 if the connector rejects the configuration, 1 if there is something to decide, else 0. */
  public ExitCode exitCode() {
    if (!blocked.isEmpty() || !errors.isEmpty()) {
      return ExitCode.OPERATOR;
    }
    return lost.isEmpty() && unknown.isEmpty() && checks.isEmpty()
        ? ExitCode.YES
        : ExitCode.NOT_YET;
  }
}
