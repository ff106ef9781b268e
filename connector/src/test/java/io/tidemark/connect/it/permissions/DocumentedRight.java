package io.tidemark.connect.it.permissions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A row of the table of Kafka's permissions in docs/OPERATIONS.md.
 *
 * @param principal {@code the worker's}, or {@code of kafka.*}
 * @param resource the resource in the document's words. Example: {@code the topics}
 * @param shown where the missing permission shows. Example: {@code the task fails}
 * @param texts the texts that appear there, with {@code NAME} for the connector's name and {@code
 *     TOPIC} for its topic's
 */
public record DocumentedRight(
    String principal, String resource, AclOperation operation, String shown, List<String> texts) {

  public static final String WORKERS = "the worker's";
  public static final String OWN = "of kafka.*";

  /** The resources in rows, for a connector NAME of a topic TOPIC. */
  private static final Map<String, String> RESOURCES =
      Map.of(
          "group connect-NAME", "connect-NAME",
          "the topics", "TOPIC",
          "the dead letter topic", "TOPIC-letters",
          "completeness.batches.topic", "TOPIC-batches",
          "completeness.events.topic", "TOPIC-events");

  /** Example: {@code | the worker's | the topics | READ | the same | the task fails: `Not …` |} */
  private static final Pattern ROW =
      Pattern.compile(
          "\\| (the worker's|of `kafka\\.\\*`) \\| ([^|]+) \\| ([A-Z]+) \\| [^|]+ \\| ([^:|]+): ([^|]+) \\|");

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

  public static List<DocumentedRight> all() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "OPERATIONS.md")).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(
            row ->
                new DocumentedRight(
                    plain(row.group(1)),
                    plain(row.group(2)),
                    AclOperation.fromString(row.group(3)),
                    row.group(4),
                    QUOTED.matcher(row.group(5)).results().map(found -> found.group(1)).toList()))
        .toList();
  }

  private static String plain(String cell) {
    return cell.replace("`", "");
  }

  /** The right of a user, for one connector and its topic. */
  public KafkaRight of(String user, String connector, String topic) {
    String name = RESOURCES.get(resource);
    if (name == null) {
      throw new AssertionError("docs/OPERATIONS.md names a resource that no test has: " + this);
    }
    return new KafkaRight(
        user,
        resource.startsWith("group ") ? ResourceType.GROUP : ResourceType.TOPIC,
        filled(name, connector, topic),
        operation);
  }

  /** The texts that appear if one connector lacks this permission. */
  public List<String> textsOf(String connector, String topic) {
    return texts.stream().map(text -> filled(text, connector, topic)).toList();
  }

  private static String filled(String text, String connector, String topic) {
    Map<String, String> values = Map.of("NAME", connector, "TOPIC", topic);
    return Pattern.compile("NAME|TOPIC")
        .matcher(text)
        .replaceAll((MatchResult found) -> Matcher.quoteReplacement(values.get(found.group())));
  }

  /** Example: {@code the worker's: READ, the topics}. */
  @Override
  public String toString() {
    return principal + ": " + operation + ", " + resource;
  }
}
