package io.tidemark.store.batch;

import java.nio.charset.StandardCharsets;

/** The id of an announced batch from a header; or problem, cause and cure, with unescaped data. */
public record BatchId(String text, String problem) {
  /** The maximum length of an id, in UTF-8. */
  public static final int MAX_BYTES = 64;

  public BatchId {
    if (text.isEmpty() == problem.isEmpty()) {
      throw new IllegalArgumentException("neither an id nor a problem, or both: " + text + problem);
    }
    if (!text.isEmpty()) {
      requireId(text);
    }
  }

  public static BatchId of(String id) {
    requireId(id);
    return new BatchId(id, "");
  }

  public static BatchId unusable(String problem) {
    return new BatchId("", problem);
  }

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

  public boolean isUsable() {
    return !text.isEmpty();
  }
}
