package io.tidemark.registry.confluent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A namespace of subjects and ids within a registry. A subject of the context {@code .staging} is
 * written {@code :.staging:orders-value}, and ids are unique only within the context.
 *
 * @param name the name, which begins with a dot; a dot alone is the default context
 */
public record SchemaContext(String name) {
  /** The default context. */
  public static final SchemaContext DEFAULT = new SchemaContext(".");

  // :.staging:orders-value
  private static final Pattern QUALIFIED = Pattern.compile("(?s):(\\.[^:]*):(.*)");

  public SchemaContext {
    if (!name.startsWith(".") || name.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "\""
              + name
              + "\" is not a context. Begin it with a dot and use no colon, as in .staging.");
    }
  }

  /** Returns the context that a subject contains, or this one if it contains none. */
  SchemaContext of(String subject) {
    Matcher qualified = QUALIFIED.matcher(subject);
    return qualified.matches() ? new SchemaContext(qualified.group(1)) : this;
  }

  /** Returns the subject with this context before it, unless it contains a context. */
  String qualify(String subject) {
    return this.equals(DEFAULT) || QUALIFIED.matcher(subject).matches()
        ? subject
        : prefix() + subject;
  }

  /** Returns the prefix of a subject. Example: {@code :.staging:} */
  String prefix() {
    return ":" + name + ":";
  }

  boolean isDefault() {
    return this.equals(DEFAULT);
  }
}
