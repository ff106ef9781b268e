package io.tidemark.store.partition;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.tidemark.store.PrintableText;
import io.tidemark.store.StoragePath;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Hive partition: its columns and their values, in order. An unpartitioned table has exactly one
 * Hive partition, without columns.
 *
 * <p>Example of a path: {@code dt=2026-11-21/hour=07}
 *
 * <p>An empty value becomes {@value #DEFAULT_VALUE}, as in Hive, which equates it with null.
 */
public final class HivePartition {

  /** Hive's name for an empty value or null. */
  public static final String DEFAULT_VALUE = "__HIVE_DEFAULT_PARTITION__";

  public static final HivePartition WHOLE_TABLE = new HivePartition(List.of(), List.of());

  /** The Metastore's limit for a whole name, in characters: the width of PARTITIONS.PART_NAME. */
  private static final int NAME_MAX_CHARS = 767;

  private static final int SHOWN_CHARS = 64;

  /** The characters that Hive's FileUtils.escapePathName escapes, besides control characters. */
  private static final String ESCAPED = "\"#%'*/:=?\\{[]^\u007f";

  private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

  private final List<String> columns;
  private final List<String> values;
  private final String path;

  /** Rejects a name that is longer than HDFS or the Metastore allows. */
  public HivePartition(List<String> columns, List<String> values) {
    this.columns = List.copyOf(columns);
    this.values =
        values.stream()
            .map(value -> value.isEmpty() ? DEFAULT_VALUE : value)
            .collect(Collectors.toUnmodifiableList());
    if (columns.size() != values.size()) {
      throw new IllegalArgumentException(
          columns.size() + " columns, but " + values.size() + " values");
    }
    this.path = path(this.columns, this.values);
    for (String component : path.split("/", -1)) {
      int bytes = component.getBytes(UTF_8).length;
      if (bytes > StoragePath.COMPONENT_MAX_BYTES) {
        throw new IllegalArgumentException(
            "%s: the directory's name has %d bytes, and HDFS allows %d"
                .formatted(shown(component), bytes, StoragePath.COMPONENT_MAX_BYTES));
      }
    }
    if (path.length() > NAME_MAX_CHARS) {
      throw new IllegalArgumentException(
          "%s: the Hive partition's name has %d characters, and the Metastore allows %d"
              .formatted(shown(path), path.length(), NAME_MAX_CHARS));
    }
  }

  /** Shortens a name so that the message fits into a header of a dead letter. */
  private static String shown(String name) {
    return PrintableText.of(name, SHOWN_CHARS);
  }

  /** As the constructor, for the values of a record. */
  public static HivePartition of(List<String> columns, List<String> values)
      throws UnusablePartitionException {
    try {
      return new HivePartition(columns, values);
    } catch (IllegalArgumentException e) {
      throw new UnusablePartitionException(
          e.getMessage()
              + ". Correct the producer, or choose another partitioner.class or partition.field.name.");
    }
  }

  /** Returns the Hive partition with further columns after these; see {@link #of}. */
  public HivePartition with(HivePartition below) throws UnusablePartitionException {
    return of(
        Stream.concat(columns.stream(), below.columns.stream()).toList(),
        Stream.concat(values.stream(), below.values.stream()).toList());
  }

  /** Returns whether the last columns and values equal those of another Hive partition. */
  public boolean endsWith(HivePartition last) {
    return path.equals(last.path) || path.endsWith("/" + last.path);
  }

  @JsonCreator
  public static HivePartition parse(String path) {
    List<String> columns = new ArrayList<>();
    List<String> values = new ArrayList<>();
    if (!path.isEmpty()) {
      for (String component : path.split("/", -1)) {
        int equals = component.indexOf('=');
        if (equals <= 0) {
          throw new IllegalArgumentException(
              "\"%s\" of \"%s\" is not of the form column=value"
                  .formatted(PrintableText.of(component), PrintableText.of(path)));
        }
        columns.add(unescape(component.substring(0, equals)));
        values.add(unescape(component.substring(equals + 1)));
      }
    }
    return new HivePartition(columns, values);
  }

  /** Returns the path below the table's root, as Hive writes it; empty for a whole table. */
  @JsonValue
  public String path() {
    return path;
  }

  /**
   * Returns the values in a form that is equal if a Metastore's database may equate them: they
   * differ in trailing spaces (Derby, MySQL), or in case, accents or Unicode forms (MySQL).
   */
  public List<String> compared() {
    return values.stream()
        .map(
            value ->
                Normalizer.normalize(value.stripTrailing(), Normalizer.Form.NFKD)
                    .replaceAll("\\p{M}+", "")
                    .toLowerCase(Locale.ROOT))
        .toList();
  }

  /** Returns whether a database may equate the values with others: not those of a time. */
  public boolean mayBeEquated() {
    return !values.stream().allMatch(value -> value.matches("[0-9:._-]+"));
  }

  public List<String> columns() {
    return columns;
  }

  public List<String> values() {
    return values;
  }

  /** A path can be parsed unambiguously, so equal paths are enough. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HivePartition that && path.equals(that.path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  /** The path, safe for messages: it contains values of records. */
  @Override
  public String toString() {
    return PrintableText.line(path);
  }

  private static String path(List<String> columns, List<String> values) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> escape(columns.get(i)) + "=" + escape(values.get(i)))
        .collect(Collectors.joining("/"));
  }

  private static String escape(String text) {
    return text.chars()
        .mapToObj(
            c ->
                c < ' ' || ESCAPED.indexOf(c) >= 0
                    ? String.format(Locale.ROOT, "%%%02X", c)
                    : Character.toString(c))
        .collect(Collectors.joining());
  }

  private static String unescape(String text) {
    return ESCAPE
        .matcher(text)
        .replaceAll(
            escape ->
                Matcher.quoteReplacement(
                    Character.toString(HexFormat.fromHexDigits(escape.group(), 1, 3))));
  }
}
