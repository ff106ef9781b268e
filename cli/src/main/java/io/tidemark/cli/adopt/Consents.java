package io.tidemark.cli.adopt;

/**
 * What an operator confirms.
 *
 * @param missingFiles that files of the last commit were removed on purpose ({@value
 *     #MISSING_FILES})
 * @param lostRecords that records which Kafka deleted before they were committed are lost ({@value
 *     #LOST_RECORDS})
 * @param moves that files are moved to the directories in which Hive looks ({@value #MOVES})
 */
public record Consents(boolean missingFiles, boolean lostRecords, boolean moves) {

  static final String MISSING_FILES = "--accept-missing-files";
  static final String LOST_RECORDS = "--accept-lost-records";
  static final String MOVES = "--move-to-hive-directories";

  public static final Consents NONE = new Consents(false, false, false);
}
