package io.tidemark.store.commit;

import java.util.Map;

/**
 * Fields of a log's state that a newer version of the connector has written and this version does
 * not know. They are copied unchanged into every later entry for the newer version.
 *
 * @param jsonByName the text of each value by the field's name
 */
public record UnknownFields(Map<String, String> jsonByName) {

  /** No unknown fields. */
  public static final UnknownFields NONE = new UnknownFields(Map.of());

  public UnknownFields {
    jsonByName = Map.copyOf(jsonByName);
  }
}
