package io.tidemark.registry.security;

/** A text that nobody may read by accident: it does not print. */
public record Secret(String value) {
  /** No secret: an empty text. */
  public static final Secret NONE = new Secret("");

  private static final String HIDDEN = "[hidden]";

  /** True of a text without characters. */
  public boolean isEmpty() {
    return value.isEmpty();
  }

  /** A text without this secret, if it was in it. */
  public String redact(String text) {
    return value.isEmpty() ? text : text.replace(value, HIDDEN);
  }

  @Override
  public String toString() {
    return HIDDEN;
  }
}
