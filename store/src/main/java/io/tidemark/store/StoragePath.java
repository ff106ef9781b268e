package io.tidemark.store;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** An absolute path in a store. Example: {@code /topics/quotes/dt=2026-11-21/hour=07} */
public record StoragePath(@JsonValue String value) {

  /** The file system's limit for one component of a path, in bytes. */
  public static final int COMPONENT_MAX_BYTES = 255;

  @JsonCreator
  public StoragePath {
    if (!value.startsWith("/")
        || value.contains("//")
        || (value.endsWith("/") && value.length() > 1)) {
      throw new IllegalArgumentException("not an absolute, normal path: \"" + value + "\"");
    }
  }

  /** Returns a path below this path; {@code relative} may have several components: {@code a/b}. */
  public StoragePath child(String relative) {
    return new StoragePath(value.equals("/") ? "/" + relative : value + "/" + relative);
  }

  public StoragePath parent() {
    int slash = value.lastIndexOf('/');
    return new StoragePath(slash <= 0 ? "/" : value.substring(0, slash));
  }

  public boolean isBelow(StoragePath directory) {
    String prefix = directory.value.equals("/") ? "/" : directory.value + "/";
    return value.length() > prefix.length() && value.startsWith(prefix);
  }

  public String name() {
    return value.substring(value.lastIndexOf('/') + 1);
  }

  /** Escapes control characters, because directory names contain values of records. */
  @Override
  public String toString() {
    return PrintableText.line(value);
  }
}
