package io.tidemark.cli.audit;

/**
 * A difference between what is said and what is there.
 *
 * @param place what it is about. Example: {@code default.orders dt=2026-11-21/hour=07}
 * @param problem what differs, in a line that may be printed
 */
public record Finding(Kind kind, String place, String problem) {

  /** What differs. */
  public enum Kind {
    MISSING("Restore it from a copy, or find out who removed it; its records are not in the table"),
    LENGTH("Another program has written it, or the disk has damaged it. Restore it from a copy"),
    DAMAGED("Restore it from a copy"),
    STRANGER("Queries read it. Move it away if nobody put it there on purpose"),
    COUNT(
        "Files were removed or added by another program. Look for them in a snapshot of the store,"
            + " and in the store's audit log"),
    GONE("If nobody dropped it on purpose, restore it from a snapshot of the store or its trash"),
    MANIFEST("Let no other program write _SUCCESS. tidemark_partitions says what is complete"),
    CATALOG("Restart the connector, which registers what is missing; correct the location in Hive"),
    PLACE("Another program has written or moved the file. Move it to where its records belong"),
    RETENTION("Records were removed before they landed. Lengthen the topic's retention"),
    TRUNCATED("Kafka lost records after they landed. See RELIABILITY.md, on truncation"),
    TOPIC("The topic was deleted and made again. Start the connector, which begins a generation");

    private final String cure;

    Kind(String cure) {
      this.cure = cure;
    }

    /** What to do. */
    public String cure() {
      return cure;
    }

    /** Whether the connector does not go on by itself, or has lost something. */
    boolean needsOperator() {
      return this == RETENTION || this == TRUNCATED;
    }
  }
}
