package io.tidemark.completeness.reckon;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The topics that the connector consumes now, by table. */
@FunctionalInterface
public interface Subscription {

  /**
   * Returns the tables with their topics. Called in every cycle, so it should not wait; topics of a
   * pattern may be some minutes old.
   *
   * @throws IOException the topics are not known yet: retry
   */
  List<ReckonedTable> tables() throws IOException;

  /**
   * Returns the topics whose tables would have the names of other topics' tables, with the reason
   * and the cure. {@link #tables} does not contain them.
   *
   * @throws IOException the topics are not known yet: retry
   */
  default Map<String, String> nameTaken() throws IOException {
    return Map.of();
  }

  /**
   * Makes the next call read the present topics. Called when records of an unknown table have
   * landed.
   */
  default void refresh() {}
}
