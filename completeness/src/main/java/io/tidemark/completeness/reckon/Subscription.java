package io.tidemark.completeness.reckon;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The topics that the connector consumes now, by table. */
@FunctionalInterface
public interface Subscription {

  /**
   * Returns the tables with their topics. Called in every cycle, so it should not wait; topics of a
   * pattern are those of the last snapshot.
   *
   * @param known topics that are included if the configuration has them, also if Kafka does not
   */
  List<ReckonedTable> tables(Set<String> known) throws IOException;

  /** Reads the present topics, after a snapshot's time: all others had no records at that time. */
  default void list() throws IOException {}

  /**
   * Returns the topics whose tables would have the names of other topics' tables, with the reason
   * and the cure. {@link #tables} does not contain them.
   */
  default Map<String, String> nameTaken() throws IOException {
    return Map.of();
  }

  /** Makes the next call read the present topics: records of an unknown table have landed. */
  default void refresh() {}
}
