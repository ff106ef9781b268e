package io.tidemark.cli.audit;

/**
 * A difference between the ledger or a log and the files or services.
 *
 * @param place the table and Hive partition. Example: {@code default.orders dt=2026-11-21/hour=07}
 * @param problem the difference, as one printable line
 */
public record Finding(Kind kind, String place, String problem) {

  /** The kind of a difference, with its cure. */
  public enum Kind {
    MISSING(
        "Its records are not in the table. Find out who removed the file, and restore it from a copy"),
    LENGTH(
        "Another program wrote to the file, or the disk damaged it. Restore the file from a copy"),
    DAMAGED("Restore the file from a copy"),
    STRANGER(
        "Queries read this file. Move it to another directory if nobody put it there on purpose"),
    COUNT(
        "Another program removed or added files. Look for them in a snapshot of the store, and in"
            + " the store's audit log"),
    GONE(
        "If nobody dropped the Hive partition on purpose, restore its files from a snapshot of the store or its trash"),
    MANIFEST(
        "Do not let other programs write _SUCCESS. tidemark_partitions lists what is complete"),
    CATALOG(
        "Restart the connector, which registers missing Hive partitions; correct wrong locations in"
            + " Hive. If Hive equates two Hive partitions, correct the producer, and move the files of"
            + " one to the directory of the other"),
    PLACE("Another program wrote or moved the file. Move it to the Hive partition of its records"),
    RETENTION("Kafka deleted records before they landed. Raise the topic's retention"),
    TRUNCATED("Kafka lost records after they landed. See RELIABILITY.md, on truncation"),
    TOPIC(
        "If the topic was recreated, start the connector, which begins a new generation. If it is"
            + " deleted, remove it from topics");

    private final String cure;

    Kind(String cure) {
      this.cure = cure;
    }

    public String cure() {
      return cure;
    }

    /** Returns whether records are lost, or the connector cannot continue without help. */
    boolean needsOperator() {
      return this == RETENTION || this == TRUNCATED;
    }
  }
}
