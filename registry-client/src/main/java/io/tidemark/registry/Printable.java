package io.tidemark.registry;

/**
 * Internal. Makes text from outside, such as a server's, safe for one line of a log or a message.
 */
public final class Printable {
  private static final int MAX_CHARACTERS = 200;

  private Printable() {}

  /**
   * Returns at most 200 characters of the text. Each character that ends a line, moves the cursor
   * or changes the direction of the text is replaced by a blank.
   */
  public static String of(String text) {
    String cut = text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text;
    return cut.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ");
  }
}
