package io.tidemark.registry.confluent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name space of subjects and ids within a registry: a subject of the context {@code .staging} is
 * written {@code :.staging:orders-value}, and its ids are its own.
 *
 * @param name begins with a dot; a dot alone is the default context
 */
public record SchemaContext(String name) {
  /** The context of what names none. */
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

  /** The context that a subject names, or this one when it names none. */
  SchemaContext of(String subject) {
    Matcher qualified = QUALIFIED.matcher(subject);
    return qualified.matches() ? new SchemaContext(qualified.group(1)) : this;
  }

  /** The subject with this context before it, unless it names one itself. */
  String qualify(String subject) {
    return this.equals(DEFAULT) || QUALIFIED.matcher(subject).matches()
        ? subject
        : prefix() + subject;
  }

  /** What stands before a subject. Example: {@code :.staging:} */
  String prefix() {
    return ":" + name + ":";
  }

  boolean isDefault() {
    return this.equals(DEFAULT);
  }
}
