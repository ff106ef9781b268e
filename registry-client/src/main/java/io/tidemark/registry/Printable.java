package io.tidemark.registry;

/** What others wrote, cut and cleaned for one line of a log or a message of ours. */
public final class Printable {
  private static final int MAX_CHARACTERS = 200;

  private Printable() {}

  /**
   * The text, at most 200 characters of it, with a blank for each character that ends a line, moves
   * the cursor or changes the direction of the text.
   */
  public static String of(String text) {
    String cut = text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text;
    return cut.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ");
  }
}
