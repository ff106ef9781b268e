package io.tidemark.cli.adopt;

import io.tidemark.store.StoragePath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of an HDFS 2 sink that decide where its files are. Directories may contain {@code
 * ${topic}}, and {@code ${1}}, {@code ${2}} … for the groups of {@code topic.capture.groups.regex}.
 */
public record OldSink(Map<String, String> settings) {
  private static final String CONNECTOR = "io.confluent.connect.hdfs.HdfsSinkConnector";
  private static final String FORMAT = "io.confluent.connect.hdfs.avro.AvroFormat";

  // io.confluent.connect.storage.partitioner.FieldPartitioner
  private static final Pattern PARTITIONER =
      Pattern.compile(
          "io\\.confluent\\.connect\\.(?:storage|hdfs)\\.partitioner"
              + "\\.(Default|Field|TimeBased|Hourly|Daily)Partitioner");

  // hdfs://namenode:8020/base
  private static final Pattern URL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://([^/]*)(/.*)?");

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(topic|\\d+)}");

  // ${file:/etc/connect/secrets.properties:name-node}
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}:]+:[^}]*}");

  private static final String REGEX = "topics.regex";
  private static final String GROUPS_REGEX = "topic.capture.groups.regex";

  /** The settings that decide where the files are, and what their directories mean. */
  private static final List<String> DECIDING =
      List.of(
          "name",
          "topics",
          REGEX,
          GROUPS_REGEX,
          "hdfs.url",
          "store.url",
          "topics.dir",
          "logs.dir",
          "format.class",
          "partitioner.class",
          "partition.field.name",
          "path.format",
          "partition.duration.ms",
          "timezone",
          "locale",
          "consumer.override.group.id");

  public OldSink {
    settings = Map.copyOf(settings);
  }

  private String setting(String key, String byDefault) {
    return settings.getOrDefault(key, byDefault).trim();
  }

  public String name() {
    return setting("name", "");
  }

  /** Returns the consumer group of the connector's tasks. */
  public String consumerGroup() {
    return setting("consumer.override.group.id", "connect-" + name());
  }

  /** Returns why no directory of this connector can be adopted. */
  public List<Refusal> refusals() {
    List<Refusal> refusals = new ArrayList<>();
    for (String key : DECIDING) {
      String value = setting(key, "");
      if (PLACEHOLDER.matcher(value).find()) {
        refusals.add(
            refusal(
                key,
                value,
                "Workers replace this placeholder, and this command does not. Write the value into"
                    + " the file."));
      }
    }
    checkRegex(REGEX, refusals);
    checkRegex(GROUPS_REGEX, refusals);
    checkDelimiter("directory.delim", "/", refusals);
    checkDelimiter("file.delim", "+", refusals);
    String connector = setting("connector.class", "");
    if (!CONNECTOR.equals(connector)
        && !CONNECTOR.endsWith("." + connector + "Connector")
        && !CONNECTOR.endsWith("." + connector)) {
      refusals.add(
          refusal(
              "connector.class",
              connector,
              "Only directories of "
                  + CONNECTOR
                  + " are known. Begin a new table beside the old one."));
    }
    String format = setting("format.class", FORMAT);
    if (!FORMAT.equals(format)) {
      refusals.add(
          refusal(
              "format.class",
              format,
              "Only files of "
                  + FORMAT
                  + " can be adopted. Begin a new table beside the old one."));
    }
    String partitioner = setting("partitioner.class", defaultPartitioner());
    if (!PARTITIONER.matcher(partitioner).matches()) {
      refusals.add(
          refusal(
              "partitioner.class",
              partitioner,
              "The meaning of its directories is unknown. Begin a new table beside the old one."));
    }
    return refusals;
  }

  /** Returns whether the class of the sink, its format and its partitioner are not refused. */
  public boolean isKnown() {
    return refusals().stream()
        .filter(each -> !PLACEHOLDER.matcher(each.problem()).find())
        .map(Refusal::place)
        .noneMatch(List.of("connector.class", "format.class", "partitioner.class")::contains);
  }

  private void checkRegex(String key, List<Refusal> refusals) {
    try {
      Pattern.compile(setting(key, ""));
    } catch (PatternSyntaxException e) {
      refusals.add(
          refusal(
              key,
              setting(key, ""),
              "It is not a regular expression: %s. Write it as Connect's REST API prints it."
                  .formatted(e.getDescription())));
    }
  }

  private void checkDelimiter(String key, String known, List<Refusal> refusals) {
    String delimiter = setting(key, known);
    if (!known.equals(delimiter)) {
      refusals.add(
          refusal(
              key,
              delimiter,
              "Only %s is known. If the files that the sink wrote have it, remove the key from the file. Otherwise begin a new table beside the old one."
                  .formatted(known)));
    }
  }

  private static Refusal refusal(String key, String value, String cure) {
    return new Refusal(key, "\"" + value + "\" cannot be adopted", cure);
  }

  private static String defaultPartitioner() {
    return "io.confluent.connect.storage.partitioner.DefaultPartitioner";
  }

  /** Returns the topics: those named, or those of these that {@code topics.regex} matches. */
  public Set<String> topics(Set<String> existing) {
    Set<String> topics = new TreeSet<>();
    String regex = setting(REGEX, "");
    if (!regex.isEmpty()) {
      Pattern pattern = Pattern.compile(regex);
      existing.stream().filter(each -> pattern.matcher(each).matches()).forEach(topics::add);
    }
    Stream.of(setting("topics", "").split(",", -1))
        .map(String::trim)
        .filter(each -> !each.isEmpty())
        .forEach(topics::add);
    return topics;
  }

  /** Returns the parent of the topics' directories, if it is the same for all. */
  Optional<StoragePath> commonDirectory() {
    String directory = setting("topics.dir", "topics");
    return VARIABLE.matcher(directory).find() ? Optional.empty() : Optional.of(path(directory));
  }

  /** Returns {@code topics.dir} of a topic; empty if the pattern of groups does not match it. */
  Optional<StoragePath> topicsDirectory(String topic) {
    return expand(setting("topics.dir", "topics"), topic).map(this::path);
  }

  /** Returns {@code logs.dir} of a topic; empty if the pattern of groups does not match it. */
  Optional<StoragePath> logsDirectory(String topic) {
    return expand(setting("logs.dir", "logs"), topic).map(this::path);
  }

  private Optional<String> expand(String directory, String topic) {
    String regex = setting(GROUPS_REGEX, "");
    Matcher groups = Pattern.compile(regex).matcher(topic);
    boolean matches = !regex.isEmpty() && groups.matches();
    StringBuilder expanded = new StringBuilder();
    Matcher variable = VARIABLE.matcher(directory);
    while (variable.find()) {
      String value = topic;
      if (!variable.group(1).equals("topic")) {
        int number = Integer.parseInt(variable.group(1));
        if (!matches || number > groups.groupCount() || groups.group(number) == null) {
          return Optional.empty();
        }
        value = groups.group(number);
      }
      variable.appendReplacement(expanded, Matcher.quoteReplacement(value));
    }
    return Optional.of(variable.appendTail(expanded).toString());
  }

  /** HDFS collapses doubled slashes, which the sink's logs keep. */
  private StoragePath path(String directory) {
    Matcher url = url();
    String base = url.matches() && url.group(2) != null ? url.group(2) : "";
    String path = (base + "/" + directory).replaceAll("/{2,}", "/");
    return new StoragePath(
        path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
  }

  private Matcher url() {
    return URL.matcher(setting("hdfs.url", setting("store.url", "")));
  }

  /** Returns host and port of the name node, or its name service. */
  String authority() {
    Matcher url = url();
    return url.matches() ? url.group(1) : "";
  }

  boolean hive() {
    return Boolean.parseBoolean(setting("hive.integration", "false"));
  }

  /** Returns the name of a topic's table in Hive, which several topics can have. */
  String hiveTable(String topic) {
    return setting("hive.database", "default").toLowerCase(Locale.ROOT)
        + "."
        + topic.replaceAll("[.-]", "_").toLowerCase(Locale.ROOT);
  }

  /** Returns the columns of the partitions' directories; empty if a level has no column. */
  Optional<List<String>> columns() {
    Matcher partitioner = PARTITIONER.matcher(setting("partitioner.class", defaultPartitioner()));
    if (!partitioner.matches()) {
      return Optional.empty();
    }
    return switch (partitioner.group(1)) {
      case "Default" -> Optional.of(List.of("partition"));
      case "Field" ->
          Optional.of(
              Arrays.stream(setting("partition.field.name", "").split(",", -1))
                  .map(String::trim)
                  .toList());
      case "Daily" -> Optional.of(List.of("year", "month", "day"));
      case "Hourly" -> Optional.of(List.of("year", "month", "day", "hour"));
      default -> columnsOf(setting("path.format", ""));
    };
  }

  /**
   * Returns whether a directory is that of values of fields, which can have slashes: levels then
   * have no column, such as those of {@code city=a/_b/grade=1}.
   */
  boolean isOfFields(String directory) {
    Matcher partitioner = PARTITIONER.matcher(setting("partitioner.class", defaultPartitioner()));
    return partitioner.matches()
        && partitioner.group(1).equals("Field")
        && columnsWithValues(columns().orElseThrow()).matcher(directory).matches();
  }

  /** Returns a pattern of directories whose values may have slashes. Hive ignores the case. */
  static Pattern columnsWithValues(List<String> columns) {
    return Pattern.compile(
        columns.stream()
            .map(each -> "(?i:" + Pattern.quote(each) + ")=.*")
            .collect(Collectors.joining("/")),
        Pattern.DOTALL);
  }

  // 'dt'=YYYY-MM-dd/'hour'=HH
  private static Optional<List<String>> columnsOf(String pathFormat) {
    List<String> columns = new ArrayList<>();
    for (String level : pathFormat.split("/", -1)) {
      if (level.isEmpty()) {
        continue; // Slashes in front, at the end and doubled ones have no effect in HDFS.
      }
      int equals = level.indexOf('=');
      if (equals <= 0) {
        return Optional.empty();
      }
      columns.add(level.substring(0, equals).replace("'", ""));
    }
    return Optional.of(columns);
  }
}
