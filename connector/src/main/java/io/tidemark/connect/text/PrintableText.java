package io.tidemark.connect.text;

import java.util.Locale;

/**
 * Text that comes from data, as it may stand in a log line, an exception's message or a header. Who
 * writes a record, a schema or a header could else forge lines of the log, send escape sequences to
 * a terminal, show a text in another order than it has, or fill the log.
 *
 * <p>Escaped as Java does it are control characters, line and paragraph separators, format
 * characters (the bidirectional controls among them), unpaired surrogates, and code points without
 * a character. Example: a text of two lines becomes {@code first\nsecond}.
 */
public final class PrintableText {
  private static final int MOST_CHARS = 100;
  private static final int LONGEST_LINE = 10_000;

  private PrintableText() {}

  /** A value or a name: at most 100 characters of it. */
  public static String of(String text) {
    return of(text, MOST_CHARS);
  }

  /** A value or a name: at most so many characters of it, then an ellipsis. */
  public static String of(String text, int mostChars) {
    if (text.length() <= mostChars && text.codePoints().allMatch(PrintableText::printable)) {
      return text;
    }
    StringBuilder printable = new StringBuilder(Math.min(text.length(), mostChars) + 1);
    int at = 0;
    while (at < text.length()) {
      int codePoint = text.codePointAt(at);
      String shown = printable(codePoint) ? Character.toString(codePoint) : escaped(codePoint);
      if (printable.length() + shown.length() > mostChars) {
        return printable.append('…').toString();
      }
      printable.append(shown);
      at += Character.charCount(codePoint);
    }
    return printable.toString();
  }

  /** A whole message, in one line: at most 10,000 characters of it. */
  public static String line(String message) {
    return of(message, LONGEST_LINE);
  }

  /** What a failure says of itself, in one line. */
  public static String of(Throwable failure) {
    return line(String.valueOf(failure));
  }

  /** A failure's message, in one line; {@code null} where it has none. */
  public static String messageOf(Throwable failure) {
    return line(String.valueOf(failure.getMessage()));
  }

  private static boolean printable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  private static String escaped(int codePoint) {
    return switch (codePoint) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> {
        StringBuilder units = new StringBuilder();
        for (char unit : Character.toChars(codePoint)) {
          units.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
        yield units.toString();
      }
    };
  }
}
