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
   *     list them
   * @throws IOException the topics are not known yet: retry
   */
  List<ReckonedTable> tables(Set<String> known) throws IOException;

  /**
   * Reads the present topics. Called for each snapshot, after its time: a topic that this call does
   * not find had no records then.
   *
   * @throws IOException the topics cannot be read: retry
   */
  default void list() throws IOException {}

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
