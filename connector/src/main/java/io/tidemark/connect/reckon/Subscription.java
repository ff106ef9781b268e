package io.tidemark.connect.reckon;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The topics that the connector consumes now, by the tables that they feed. */
@FunctionalInterface
public interface Subscription {

  /**
   * Asked in every cycle, so the answer should be at hand; topics of a pattern may be minutes old.
   *
   * @throws IOException it is not known yet: try again
   */
  List<ReckonedTable> tables() throws IOException;

  /**
   * Topics whose table would have the name of another topic's: why, and what to do. {@link #tables}
   * has them not.
   *
   * @throws IOException it is not known yet: try again
   */
  default Map<String, String> nameless() throws IOException {
    return Map.of();
  }

  /** Has the next answer be of that moment: records have come of a table that it does not name. */
  default void refresh() {}
}
