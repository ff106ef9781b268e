package io.tidemark.cli.migrate;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.IndentedTexts;
import io.tidemark.store.PrintableText;
import java.util.Map;
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
    for (Map.Entry<String, String> each : ALL.entrySet()) {
      String[] head = each.getKey().split(": ", 2);
      // *HdfsSinkConnector is any class whose name ends like this.
      boolean isOf =
          head[0].startsWith("*")
              ? connectorClass.endsWith(head[0].substring(1))
              : connectorClass.equals(head[0]);
      if (isOf) {
        return new OldSink(each.getValue(), head[1]);
      }
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        "connector.class=%s: this sink is not known, so its settings cannot be migrated. Known are %s. Begin with a file of the directory config instead."
            .formatted(
                PrintableText.of(connectorClass),
                ALL.keySet().stream()
                    .map(head -> head.split(": ", 2)[0])
                    .collect(Collectors.joining(", "))));
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
