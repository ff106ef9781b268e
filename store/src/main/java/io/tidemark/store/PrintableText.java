package io.tidemark.store;

import java.util.Locale;

/**
 * Escapes text that comes from records, schemas or services, for log lines, messages of exceptions,
 * and headers. A producer of records, schemas or headers could otherwise forge log lines, send
 * escape sequences to a terminal, reverse the visible order of a text, or fill the log.
 *
 * <p>The following characters are escaped as in Java: control characters, line and paragraph
 * separators, format characters (the bidirectional controls among them), unpaired surrogates, and
 * unassigned code points. Example: a text of two lines becomes {@code first\nsecond}.
 */
public final class PrintableText {
  private static final int MOST_CHARS = 100;
  private static final int LONGEST_LINE = 10_000;

  private PrintableText() {}

  /** Escapes a value or a name, of which it keeps at most 100 characters. */
  public static String of(String text) {
    return of(text, MOST_CHARS);
  }

  /** Escapes a value or a name, of which it keeps {@code mostChars} characters and an ellipsis. */
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

  /** Escapes a message as one line of at most 10,000 characters; one of two full stops stays. */
  public static String line(String message) {
    return of(message.replaceAll("(?<=[^. /])[.]{2}(?= [A-Z]|$)", "."), LONGEST_LINE);
  }

  /** Escapes a failure for the middle of a sentence: without a full stop at its end. */
  public static String of(Throwable failure) {
    return line(String.valueOf(failure).replaceFirst("[.]$", ""));
  }

  public static String messageOf(Throwable failure) {
    return line(String.valueOf(failure.getMessage()));
  }

  /** Returns a URL without its credentials, such as those in {@code s3a://key:secret@bucket}. */
  public static String withoutCredentials(String url) {
    return url.replaceFirst("//.*@", "//…@");
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
