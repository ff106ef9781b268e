package io.tidemark.connect.reckon;

import java.io.IOException;
import java.util.List;

/** The topics that the connector consumes now, by the tables that they feed. */
@FunctionalInterface
public interface Subscription {

  /**
   * Asked in every cycle, so the answer should be at hand; topics of a pattern may be minutes old.
   *
   * @throws IOException it is not known yet: try again
   */
  List<ReckonedTable> tables() throws IOException;

  /** Has the next answer be of that moment: records have come of a table that it does not name. */
  default void refresh() {}
}
