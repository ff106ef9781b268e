package io.tidemark.store.partition;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The directories of a table that is divided by time, as a pattern of Joda-Time's letters, which
 * {@code path.format} has always used.
 *
 * <p>Example: {@code 'dt'=yyyy-MM-dd/'hour'=HH} gives {@code dt=2026-11-21/hour=07}
 *
 * <p>The letters have the meaning of Joda-Time, not of java.time: {@code YYYY} is the year of era,
 * never the week's year (which is {@code xxxx}), and {@code e} is the ISO day of the week. Each
 * component must be a quoted column name, {@code =} and a value. Columns get lower case.
 */
public final class PathFormat {

  public static final String DAILY = "'year'=YYYY/'month'=MM/'day'=dd";

  public static final String HOURLY = DAILY + "/'hour'=HH";

  /** Example: {@code dt}, {@code event_hour}. */
  private static final Pattern COLUMN = Pattern.compile("[a-z0-9][a-z0-9_]{0,127}");

  private static final ZonedDateTime ANY_TIME =
      ZonedDateTime.of(2026, 9, 30, 23, 59, 59, 999_999_999, ZoneOffset.UTC);

  private final String pattern;
  private final Locale locale;
  private final List<String> columns;
  private final List<DateTimeFormatter> values;
  private final Optional<PathUnit> unit;

  private PathFormat(
      String pattern, Locale locale, List<String> columns, List<List<PathPiece>> values) {
    this.pattern = pattern;
    this.locale = locale;
    this.columns = List.copyOf(columns);
    this.values = values.stream().map(value -> PathPiece.formatter(value, locale)).toList();
    this.unit = new PathContiguity(values, locale).unit();
  }

  /** {@code locale} is for names of months and days. Throws with the position and the cure. */
  public static PathFormat parse(String pattern, Locale locale) {
    // A '/' at the end has no effect.
    boolean ended = pattern.endsWith("/");
    return new Parser(ended ? pattern.substring(0, pattern.length() - 1) : pattern, locale).parse();
  }

  public List<String> columns() {
    return columns;
  }

  public Locale locale() {
    return locale;
  }

  /**
   * Returns whether each path names one interval of local time ({@link PathContiguity}). Only such
   * a format has a time after which no new record can go to a given Hive partition.
   */
  public boolean isContiguous() {
    return unit.isPresent();
  }

  /** The unit of local time that each path names; empty if the format is not contiguous. */
  Optional<PathUnit> unit() {
    return unit;
  }

  HivePartition format(ZonedDateTime time) {
    return new HivePartition(columns, values.stream().map(value -> value.format(time)).toList());
  }

  @Override
  public String toString() {
    return pattern;
  }

  private static final class Parser {
    private final String pattern;
    private final Locale locale;
    private final Set<String> columns = new HashSet<>();
    private final List<String> orderedColumns = new ArrayList<>();
    private final List<List<PathPiece>> values = new ArrayList<>();
    private StringBuilder column = new StringBuilder();
    private List<PathPiece> value = new ArrayList<>();
    private boolean inValue;
    private int position;

    Parser(String pattern, Locale locale) {
      this.pattern = pattern;
      this.locale = locale;
    }

    PathFormat parse() {
      while (position < pattern.length()) {
        char c = pattern.charAt(position);
        if (c == '\'') {
          quoted();
        } else if (isLetter(c)) {
          field(c);
        } else {
          literal(c);
          position++;
        }
      }
      endComponent();
      PathFormat made = new PathFormat(pattern, locale, orderedColumns, values);
      try {
        made.format(ANY_TIME);
      } catch (IllegalArgumentException e) {
        throw wrong(String.valueOf(e.getMessage()));
      }
      return made;
    }

    private static boolean isLetter(char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private void quoted() {
      int start = position++;
      if (position < pattern.length() && pattern.charAt(position) == '\'') {
        literal('\'');
        position++;
        return;
      }
      while (position < pattern.length()) {
        char c = pattern.charAt(position++);
        if (c != '\'') {
          literal(c);
        } else if (position < pattern.length() && pattern.charAt(position) == '\'') {
          literal('\'');
          position++;
        } else {
          return;
        }
      }
      position = start;
      throw wrong("the quote that begins here is never closed");
    }

    private void literal(char c) {
      if (c == '/') {
        endComponent();
      } else if (inValue) {
        value.add(new PathPiece.Literal(c));
      } else if (c == '=') {
        inValue = true;
      } else {
        column.append(c);
      }
    }

    private void endComponent() {
      String name = column.toString().toLowerCase(Locale.ROOT);
      if (!inValue) {
        throw wrong(
            name.isEmpty()
                ? "a component is empty"
                : "the component \"" + name + "\" has no \"=\" and value");
      }
      if (!COLUMN.matcher(name).matches()) {
        throw wrong(
            "\"%s\" cannot be a partition column: it must consist of letters, digits and \"_\", begin with a letter or digit (Hive ignores directories that begin with \"_\" or \".\"), and have at most 128 characters"
                .formatted(name));
      }
      if (value.isEmpty()) {
        throw wrong("the column \"" + name + "\" has no value");
      }
      if (!columns.add(name)) {
        throw wrong("the column \"" + name + "\" occurs twice");
      }
      orderedColumns.add(name);
      values.add(value);
      column = new StringBuilder();
      value = new ArrayList<>();
      inValue = false;
    }

    private void field(char letter) {
      int count = 1;
      while (position + count < pattern.length() && pattern.charAt(position + count) == letter) {
        count++;
      }
      if (!inValue) {
        throw wrong(
            "the letter \"%s\" is a pattern letter, but no column's name precedes it. Put the name in quotes, and \"=\" after it"
                .formatted(letter));
      }
      if (count > 9) {
        throw wrong("\"" + letter + "\" is repeated " + count + " times, and the maximum is 9");
      }
      if (PathPiece.Field.LETTERS.indexOf(letter) < 0) {
        throw wrong(
            "\"%s\" is not a pattern letter here. The letters are those of Joda-Time without C: G Y y x w e E D M d a K h H k m s S z Z. Put other text in quotes"
                .formatted(letter));
      }
      value.add(new PathPiece.Field(letter, count));
      position += count;
    }

    private IllegalArgumentException wrong(String problem) {
      return new IllegalArgumentException(
          "path.format \"%s\", at character %d: %s. Example: 'dt'=yyyy-MM-dd/'hour'=HH"
              .formatted(pattern, position + 1, problem));
    }
  }
}
