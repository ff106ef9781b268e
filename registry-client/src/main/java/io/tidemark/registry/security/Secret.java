package io.tidemark.registry.security;

/** A text that is secret: {@code toString()} returns {@code [hidden]}. */
public record Secret(String value) {
  /** The empty text, for a missing secret. */
  public static final Secret NONE = new Secret("");

  private static final String HIDDEN = "[hidden]";

  /** Returns whether the text is empty. */
  public boolean isEmpty() {
    return value.isEmpty();
  }

  /** Returns a text without this secret. */
  public String redact(String text) {
    return value.isEmpty() ? text : text.replace(value, HIDDEN);
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
