package io.tidemark.connect.batch;

import java.nio.charset.StandardCharsets;

/**
 * The id of an announced batch in a record's header: an id, none, or what cannot be one.
 *
 * @param text empty where there is no id
 * @param problem why the header has no id: problem, cause and cure as sentences, which may hold
 *     text from data; empty where nothing is wrong
 */
public record BatchId(String text, String problem) {
  /** An id has at most so many bytes of UTF-8. */
  public static final int MAX_BYTES = 64;

  /** The record belongs to no announced batch. */
  public static final BatchId NONE = new BatchId("", "");

  public BatchId {
    if (!text.isEmpty() && (!problem.isEmpty() || !isId(text))) {
      throw new IllegalArgumentException(
          "a batch's id has 1 to " + MAX_BYTES + " bytes of UTF-8, not as \"" + text + "\"");
    }
  }

  /** An id of 1 to {@link #MAX_BYTES} bytes. */
  public static BatchId of(String id) {
    requireId(id);
    return new BatchId(id, "");
  }

  /** The record counts as one without an id, for a reason that is to be logged. */
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

  /** Requires that a text can be an id. */
  static void requireId(String text) {
    if (!isId(text)) {
      throw new IllegalArgumentException(
          "a batch's id has 1 to " + MAX_BYTES + " bytes of UTF-8, not as \"" + text + "\"");
    }
  }

  /** Whether there is an id. */
  public boolean isPresent() {
    return !text.isEmpty();
  }
}
