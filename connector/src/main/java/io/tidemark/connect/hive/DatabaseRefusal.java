package io.tidemark.connect.hive;

import io.tidemark.store.PrintableText;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.MetaException;

/**
 * Detects errors of a Metastore's database about data that the database can never store. A
 * Metastore throws the same exception if its database is unavailable and if the database rejects a
 * value. Only the message distinguishes the two. Any message that is not listed here may be an
 * outage, and is retried.
 */
final class DatabaseRefusal {
  private static final int SHOWN_CHARS = 300;

  // The Metastore's own message, if Derby or MySQL ignored trailing spaces in a comparison.
  private static final String TAKEN_FOR_ANOTHER =
      "but metastore is returning a partition with name";

  private static final List<String> SAYINGS =
      List.of(
          // Derby: longer than the column
          "A truncation error was encountered trying to shrink",
          // PostgreSQL: longer than the column; a character that the database's encoding lacks
          "value too long for type character",
          "has no equivalent in encoding",
          // MySQL and MariaDB: the same two problems
          "Data too long for column",
          "Incorrect string value:",
          // Oracle, SQL Server: longer than the column
          "ORA-12899:",
          "String or binary data would be truncated",
          // The Metastore itself: metastore.partition.name.whitelist.pattern
          "not matched by whitelist pattern",
          TAKEN_FOR_ANOTHER);

  private DatabaseRefusal() {}

  /** Returns the rejection in an error; empty if the call may succeed later. */
  static Optional<String> in(MetaException e) {
    String message = String.valueOf(e.getMessage());
    for (String saying : SAYINGS) {
      int at = message.indexOf(saying);
      if (at >= 0) {
        String line = message.substring(at).lines().findFirst().orElse(saying);
        return Optional.of(PrintableText.of(line, SHOWN_CHARS));
      }
    }
    return Optional.empty();
  }

  /** Whether the database treats the Hive partition as equal to another, existing one. */
  static boolean takesForAnother(MetaException e) {
    return String.valueOf(e.getMessage()).contains(TAKEN_FOR_ANOTHER);
  }
}
