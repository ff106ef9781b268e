package io.tidemark.connect.batch;

import java.nio.charset.StandardCharsets;

/**
 * The id of an announced batch as a record's header has it, or why the header has none.
 *
 * @param text empty where there is no id
 * @param problem problem, cause and cure as sentences, which may have text from data; empty where
 *     there is an id
 */
public record BatchId(String text, String problem) {
  /** An id has at most so many bytes of UTF-8. */
  public static final int MAX_BYTES = 64;

  public BatchId {
    if (text.isEmpty() == problem.isEmpty()) {
      throw new IllegalArgumentException("neither an id nor a problem, or both: " + text + problem);
    }
    if (!text.isEmpty()) {
      requireId(text);
    }
  }

  /** An id of 1 to {@link #MAX_BYTES} bytes. */
  public static BatchId of(String id) {
    requireId(id);
    return new BatchId(id, "");
  }

  /** A header that has no id, for a reason that is to be logged. */
  public static BatchId unusable(String problem) {
    return new BatchId("", problem);
  }

  /** Whether a text can be an id. */
  public static boolean isId(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_BYTES
        && StandardCharsets.UTF_8.newEncoder().canEncode(text)
        && text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
  }

  static void requireId(String text) {
    if (!isId(text)) {
      throw new IllegalArgumentException(
          "the id of an announced batch has 1 to " + MAX_BYTES + " bytes of UTF-8, not " + text);
    }
  }

  /** Whether the record counts for an announced batch. */
  public boolean isUsable() {
    return !text.isEmpty();
  }
}
