package io.tidemark.connect.it.readers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A column of a type, and the values that its rows have in turn.
 *
 * @param label the name of the type in the document
 * @param name the name of the column
 * @param first its schema in the first version of the table; empty if that version lacks the column
 * @param produced the values with which rows of that version are produced
 * @param shown the values that these rows have in the last version
 * @param last its schema in the last version
 * @param values the values of the rows of the last version
 */
record TypedColumn(
    String label,
    String name,
    Optional<Schema> first,
    List<@Nullable Object> produced,
    List<@Nullable Object> shown,
    Schema last,
    List<@Nullable Object> values) {

  TypedColumn {
    produced = Collections.unmodifiableList(new ArrayList<>(produced));
    shown = Collections.unmodifiableList(new ArrayList<>(shown));
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }

  /** A column that is named after its label. */
  TypedColumn(
      String label,
      Optional<Schema> first,
      List<@Nullable Object> produced,
      List<@Nullable Object> shown,
      Schema last,
      List<@Nullable Object> values) {
    this(label, nameOf(label), first, produced, shown, last, values);
  }

  /** A column that has one type in both versions. */
  static TypedColumn of(String label, Schema type, @Nullable Object... values) {
    List<@Nullable Object> list = Arrays.asList(values);
    return new TypedColumn(label, Optional.of(type), list, list, type, list);
  }

  /** A column that the first version lacks. The rows of that version show null or a default. */
  static TypedColumn added(
      String label, Schema type, @Nullable Object shown, @Nullable Object... values) {
    return new TypedColumn(
        label,
        Optional.empty(),
        List.of(),
        Collections.singletonList(shown),
        type,
        Arrays.asList(values));
  }

  /** This column with another name. */
  TypedColumn named(String other) {
    return new TypedColumn(label, other, first, produced, shown, last, values);
  }

  /** This column as a table with {@code types=hive} shows it. */
  TypedColumn underHive() {
    return new TypedColumn(
        label,
        name,
        first,
        produced,
        HiveTypes.values(last, shown),
        HiveTypes.schema(last),
        HiveTypes.values(last, values));
  }

  /** This column as a table with {@code types.union=record, types.recursion=json} shows it. */
  TypedColumn underRecords() {
    return new TypedColumn(
        label,
        name,
        first,
        produced,
        RecordTypes.values(last, shown),
        RecordTypes.schema(last),
        RecordTypes.values(last, values));
  }

  /** Example: {@code timestamp_millis}. */
  private static String nameOf(String label) {
    return label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_|_$", "");
  }

  private static @Nullable Object turn(List<@Nullable Object> list, long seq) {
    return list.get((int) (seq % list.size()));
  }

  /** The value with which a row of the first version is produced. */
  @Nullable Object firstValue(long seq) {
    return turn(produced, seq);
  }

  /** The value with which a row of the last version is produced. */
  @Nullable Object lastValue(long seq) {
    return turn(values, seq);
  }

  private @Nullable Object rowValue(long seq, boolean ofFirst) {
    return ofFirst ? turn(shown, seq) : turn(values, seq);
  }

  JsonNode meant(long seq, boolean ofFirst) {
    return ShownValue.meant(last, rowValue(seq, ofFirst));
  }

  JsonNode stored(long seq, boolean ofFirst) {
    return ShownValue.stored(last, rowValue(seq, ofFirst));
  }
}
