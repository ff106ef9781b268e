package io.tidemark.registry.http;

/** What others wrote, cut and cleaned for a message of ours. */
final class Printable {
  private static final int MAX_CHARACTERS = 200;

  private Printable() {}

  static String of(String text) {
    String cut = text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text;
    return cut.replaceAll("\\p{Cntrl}", " ");
  }
}
