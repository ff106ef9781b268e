package io.tidemark.cli.adopt;

import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.HivePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** What Hive sees of the old sink's directories, by their names. */
final class HiveLook {
  private HiveLook() {}

  /**
   * Returns the directories whose rows are invisible in Hive. The sink writes values as they are,
   * while Hive escapes them, and looks for the files of {@code city=50%} in {@code city=50%25}.
   */
  static List<String> invisible(List<String> columns, Set<String> directories) {
    List<String> invisible = new ArrayList<>();
    for (String directory : directories) {
      if (!isVisible(columns, directory)) {
        invisible.add(PrintableText.of(directory));
      }
    }
    return invisible;
  }

  static boolean isVisible(List<String> columns, String directory) {
    for (String level : directory.split("/", -1)) {
      if (level.endsWith("=") || level.contains("%")) {
        return false;
      }
    }
    try {
      HivePartition parsed = HivePartition.parse(directory);
      return parsed.columns().equals(columns) && parsed.path().equals(directory);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns, for each topic that shares its table's name in Hive, all topics of this name. */
  static Map<String, Set<String>> shared(Set<String> topics, UnaryOperator<String> table) {
    Map<String, Set<String>> byTable = new TreeMap<>();
    topics.forEach(
        each -> byTable.computeIfAbsent(table.apply(each), any -> new TreeSet<>()).add(each));
    Map<String, Set<String>> shared = new TreeMap<>();
    byTable.values().stream()
        .filter(each -> each.size() > 1)
        .forEach(each -> each.forEach(topic -> shared.put(topic, each)));
    return shared;
  }

  /** Returns why a table cannot be taken over in Hive. */
  static Optional<Refusal> refusal(OldSink sink, String topic, Set<String> directories) {
    Optional<List<String>> columns = sink.columns();
    if (columns.isEmpty()) {
      return Optional.of(
          new Refusal(
              topic,
              "its directories are not of the form column=value, so they are not Hive partitions",
              "Set hive.integration=false, or begin a new table."));
    }
    // Hive's columns are in lower case.
    List<String> invisible =
        invisible(
            columns.get().stream().map(each -> each.toLowerCase(Locale.ROOT)).toList(),
            directories);
    return invisible.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                topic,
                "rows of %d directories are invisible in Hive, because their values are empty or contain characters that Hive escapes: %s"
                    .formatted(invisible.size(), Findings.list(invisible)),
                "The records of these files do not determine the directories in which Hive looks. Set"
                    + " hive.integration=false, or move these files out of the table."));
  }
}
