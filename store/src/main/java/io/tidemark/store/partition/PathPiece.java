package io.tidemark.store.partition;

import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalField;
import java.util.List;
import java.util.Locale;

/** A piece of one value of a {@link PathFormat}. */
sealed interface PathPiece {

  void appendTo(DateTimeFormatterBuilder value);

  /** Returns the formatter that writes the pieces one after another. */
  static DateTimeFormatter formatter(List<PathPiece> pieces, Locale locale) {
    DateTimeFormatterBuilder value = new DateTimeFormatterBuilder();
    pieces.forEach(piece -> piece.appendTo(value));
    return value.toFormatter(locale);
  }

  record Literal(char character) implements PathPiece {
    @Override
    public void appendTo(DateTimeFormatterBuilder value) {
      value.appendLiteral(character);
    }
  }

  /** A field of the time, in Joda-Time's notation. Example: {@code MM} is {@code M}, twice. */
  record Field(char letter, int count) implements PathPiece {

    static final String LETTERS = "GYyxweEDMdaKhHkmsSzZ";

    @Override
    public void appendTo(DateTimeFormatterBuilder value) {
      switch (letter) {
        case 'G' -> value.appendText(ChronoField.ERA, TextStyle.SHORT);
        case 'Y' -> year(value, ChronoField.YEAR_OF_ERA);
        case 'y' -> year(value, ChronoField.YEAR);
        case 'x' -> year(value, IsoFields.WEEK_BASED_YEAR);
        case 'w' -> number(value, IsoFields.WEEK_OF_WEEK_BASED_YEAR);
        case 'e' -> number(value, ChronoField.DAY_OF_WEEK);
        case 'E' -> value.appendText(ChronoField.DAY_OF_WEEK, textStyle());
        case 'D' -> number(value, ChronoField.DAY_OF_YEAR);
        case 'M' -> month(value);
        case 'd' -> number(value, ChronoField.DAY_OF_MONTH);
        case 'a' -> value.appendText(ChronoField.AMPM_OF_DAY, TextStyle.SHORT);
        case 'K' -> number(value, ChronoField.HOUR_OF_AMPM);
        case 'h' -> number(value, ChronoField.CLOCK_HOUR_OF_AMPM);
        case 'H' -> number(value, ChronoField.HOUR_OF_DAY);
        case 'k' -> number(value, ChronoField.CLOCK_HOUR_OF_DAY);
        case 'm' -> number(value, ChronoField.MINUTE_OF_HOUR);
        case 's' -> number(value, ChronoField.SECOND_OF_MINUTE);
        case 'S' -> value.appendFraction(ChronoField.NANO_OF_SECOND, count, count, false);
        case 'z' -> value.appendZoneText(textStyle());
        case 'Z' -> offset(value);
        default -> throw new IllegalStateException("no pattern letter: " + letter);
      }
    }

    private TextStyle textStyle() {
      return count >= 4 ? TextStyle.FULL : TextStyle.SHORT;
    }

    private void number(DateTimeFormatterBuilder value, TemporalField field) {
      value.appendValue(field, count, 19, SignStyle.NORMAL);
    }

    private void year(DateTimeFormatterBuilder value, TemporalField field) {
      if (count == 2) {
        value.appendValueReduced(field, 2, 2, 2000);
      } else {
        number(value, field);
      }
    }

    private void month(DateTimeFormatterBuilder value) {
      if (count < 3) {
        number(value, ChronoField.MONTH_OF_YEAR);
      } else {
        value.appendText(ChronoField.MONTH_OF_YEAR, textStyle());
      }
    }

    private void offset(DateTimeFormatterBuilder value) {
      switch (count) {
        case 1 -> value.appendOffset("+HHMM", "+0000");
        case 2 -> value.appendOffset("+HH:MM", "+00:00");
        default -> value.appendZoneId();
      }
    }
  }
}
