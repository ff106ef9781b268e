package io.tidemark.cli.migrate;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.IndentedTexts;
import io.tidemark.store.PrintableText;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A sink whose configurations can be migrated.
 *
 * @param title its name for people
 * @param rules the name of its rules: {@code hdfs} has {@code rules-hdfs.txt}
 */
public record OldSink(String title, String rules) {
  private static final Map<String, String> ALL = IndentedTexts.read(OldSink.class, "sinks.txt");

  /** Returns the sink of a class. Throws a failure that lists the known classes. */
  public static OldSink of(String connectorClass) throws CommandFailure {
    // Of the sinks with the name HdfsSinkConnector, most users have Confluent's.
    Optional<OldSink> found =
        ofClass(connectorClass)
            .or(
                () ->
                    connectorClass.contains(".")
                        ? Optional.empty()
                        : ofClass("io.confluent.connect.hdfs." + simple(connectorClass)));
    if (found.isPresent()) {
      return found.get();
    }
    Map<String, OldSink> byAlias = new TreeMap<>();
    ALL.forEach(
        (head, title) -> {
          String known = head.split(": ", 2)[0];
          if (!connectorClass.contains(".") && known.endsWith("." + simple(connectorClass))) {
            byAlias.putIfAbsent(head.split(": ", 2)[1], new OldSink(title, head.split(": ", 2)[1]));
          }
        });
    if (byAlias.size() == 1) {
      return byAlias.values().iterator().next();
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        "connector.class=%s: %s. Known are %s. %s"
            .formatted(
                PrintableText.of(connectorClass),
                byAlias.isEmpty()
                    ? "this sink is not known, so its settings cannot be migrated"
                    : "several sinks have this name",
                ALL.keySet().stream()
                    .map(head -> head.split(": ", 2)[0])
                    .collect(Collectors.joining(", ")),
                byAlias.isEmpty()
                    ? "Begin with a file of the directory config instead."
                    : "Write the whole name of the class."));
  }

  /** Connect accepts HdfsSinkConnector and HdfsSink, too. */
  private static String simple(String connectorClass) {
    return connectorClass.contains(".") || connectorClass.endsWith("Connector")
        ? connectorClass
        : connectorClass + "Connector";
  }

  private static Optional<OldSink> ofClass(String connectorClass) {
    for (Map.Entry<String, String> each : ALL.entrySet()) {
      String[] head = each.getKey().split(": ", 2);
      // *HdfsSinkConnector is any class whose whole name ends like this.
      boolean isOf =
          head[0].startsWith("*")
              ? connectorClass.contains(".") && connectorClass.endsWith(head[0].substring(1))
              : connectorClass.equals(head[0]);
      if (isOf) {
        return Optional.of(new OldSink(each.getValue(), head[1]));
      }
    }
    return Optional.empty();
  }

  /** Whether its files are objects in a store such as S3. */
  boolean writesObjects() {
    return rules.equals("s3") || rules.equals("lenses-objects");
  }

  /** Whether tables, directories and defaults are those of Confluent's sinks. */
  boolean isConfluents() {
    return rules.equals("hdfs") || rules.equals("s3");
  }
}
