package io.tidemark.connect.hive;

import io.tidemark.connect.text.PrintableText;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.jspecify.annotations.Nullable;

/**
 * What a Metastore's database says of data that it can never hold. A Metastore answers with one
 * exception whether its database is away or refuses a value, and only the text within tells them
 * apart; any text that is not known here may be an outage, and is waited out.
 */
final class DatabaseRefusal {
  private static final int SHOWN_CHARS = 300;

  // The Metastore itself, where Derby or MySQL have compared without the spaces at the end.
  private static final String TAKEN_FOR_ANOTHER =
      "but metastore is returning a partition with name";

  private static final List<String> SAYINGS =
      List.of(
          // Derby: longer than the column
          "A truncation error was encountered trying to shrink",
          // PostgreSQL: longer than the column; a character that the database's encoding lacks
          "value too long for type character",
          "has no equivalent in encoding",
          // MySQL and MariaDB: the same two
          "Data too long for column",
          "Incorrect string value:",
          // Oracle, SQL Server: longer than the column
          "ORA-12899:",
          "String or binary data would be truncated",
          // The Metastore itself: metastore.partition.name.whitelist.pattern
          "not matched by whitelist pattern",
          TAKEN_FOR_ANOTHER);

  private DatabaseRefusal() {}

  /** The refusal in an error, from where it begins; none when the call may succeed later. */
  static Optional<String> in(MetaException e) {
    String message = text(e.getMessage());
    for (String saying : SAYINGS) {
      int at = message.indexOf(saying);
      if (at >= 0) {
        String line = message.substring(at).lines().findFirst().orElse(saying);
        return Optional.of(PrintableText.of(line, SHOWN_CHARS));
      }
    }
    return Optional.empty();
  }

  /** The database takes the Hive partition for another one that stands there. */
  static boolean takesForAnother(MetaException e) {
    return text(e.getMessage()).contains(TAKEN_FOR_ANOTHER);
  }

  private static String text(@Nullable String message) {
    return message == null ? "" : message;
  }
}
