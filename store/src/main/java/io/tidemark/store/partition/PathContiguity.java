package io.tidemark.store.partition;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.Month;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides whether each path of a format names one interval of local time without gaps.
 *
 * <p>Three conditions must be met: the format has a year of four letters, and no gap between the
 * year and the finest field ({@code yyyy-HH} has one); other letters add no information; and the
 * fields can be parsed unambiguously. {@code yyyyMd} is not contiguous: {@code 2026111} is the 11th
 * of January and the 1st of November. Neither are {@code yy-MM-dd} and {@code EEEE}.
 */
record PathContiguity(List<List<PathPiece>> values, Locale locale) {
  private static final int YEAR_LETTERS = 4;

  /** Returns the unit of time that each path names; empty if the format is not contiguous. */
  Optional<PathUnit> unit() {
    return finest()
        .filter(
            unit ->
                values.stream()
                    .flatMap(List::stream)
                    .allMatch(
                        piece ->
                            !(piece instanceof PathPiece.Field field)
                                || unit.decides(field.letter())))
        .filter(unit -> values.stream().allMatch(this::canBeReadBack));
  }

  /** Returns the finest unit; empty if a field between the year and this unit is missing. */
  private Optional<PathUnit> finest() {
    boolean year = Math.max(letters('y'), letters('Y')) >= YEAR_LETTERS;
    boolean weekYear = letters('x') >= YEAR_LETTERS;
    boolean day =
        (year && (has('D') || (has('M') && has('d')))) || (weekYear && has('w') && has('e'));
    if (day) {
      return Optional.of(dayOrFiner());
    }
    if (year) {
      return Optional.of(has('M') ? PathUnit.MONTH : PathUnit.YEAR);
    }
    return weekYear ? Optional.of(has('w') ? PathUnit.WEEK : PathUnit.WEEK_YEAR) : Optional.empty();
  }

  private PathUnit dayOrFiner() {
    if (!has('H') && !has('k')) {
      return PathUnit.DAY;
    }
    if (!has('m')) {
      return PathUnit.HOUR;
    }
    if (!has('s')) {
      return PathUnit.MINUTE;
    }
    return switch (letters('S')) {
      case 0 -> PathUnit.SECOND;
      case 1 -> PathUnit.TENTH;
      case 2 -> PathUnit.HUNDREDTH;
      default -> PathUnit.MILLISECOND;
    };
  }

  private boolean has(char letter) {
    return letters(letter) > 0;
  }

  /** Returns the longest repetition of a letter in the format. */
  private int letters(char letter) {
    return values.stream()
        .flatMap(List::stream)
        .mapToInt(
            piece ->
                piece instanceof PathPiece.Field field && field.letter() == letter
                    ? field.count()
                    : 0)
        .max()
        .orElse(0);
  }

  /** Returns whether the end of each field can be found, so that times have different texts. */
  private boolean canBeReadBack(List<PathPiece> value) {
    for (int i = 0; i < value.size(); i++) {
      if (value.get(i) instanceof PathPiece.Field field
          && !hasFixedWidth(field)
          && !(isText(field) ? hasDistinctTexts(field) : endsBefore(value, i + 1))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isText(PathPiece.Field field) {
    return switch (field.letter()) {
      case 'E', 'a' -> true;
      case 'M' -> field.count() >= 3;
      default -> false;
    };
  }

  /** Returns whether a field has a fixed width in the years 1 to 9999, which are of one era. */
  private static boolean hasFixedWidth(PathPiece.Field field) {
    return !isText(field)
        && switch (field.letter()) {
          case 'y', 'Y', 'x' -> field.count() == 2 || field.count() >= YEAR_LETTERS;
          case 'D' -> field.count() >= 3;
          case 'e', 'G', 'S', 'Z' -> true;
          default -> field.count() >= 2;
        };
  }

  /** Returns whether something other than a digit follows a number of variable width. */
  private static boolean endsBefore(List<PathPiece> value, int next) {
    if (next == value.size()) {
      return true;
    }
    if (value.get(next) instanceof PathPiece.Literal literal) {
      return !Character.isDigit(literal.character());
    }
    return value.get(next) instanceof PathPiece.Field field && field.letter() == 'Z';
  }

  /** Returns whether no text of the field in the format's language is the beginning of another. */
  private boolean hasDistinctTexts(PathPiece.Field field) {
    List<? extends TemporalAccessor> all =
        switch (field.letter()) {
          case 'M' -> List.of(Month.values());
          case 'E' -> List.of(DayOfWeek.values());
          default -> List.of(LocalTime.MIDNIGHT, LocalTime.NOON);
        };
    DateTimeFormatter formatter = PathPiece.formatter(List.of(field), locale);
    List<String> texts = all.stream().map(formatter::format).toList();
    return texts.stream()
        .allMatch(one -> texts.stream().filter(other -> other.startsWith(one)).count() == 1);
  }
}
