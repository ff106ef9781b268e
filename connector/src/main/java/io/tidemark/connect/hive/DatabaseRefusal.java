package io.tidemark.connect.hive;

import io.tidemark.store.IndentedTexts;
import io.tidemark.store.PrintableText;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.metastore.api.MetaException;

/**
 * Detects errors of a Metastore's database about data that the database can never store. A
 * Metastore throws the same exception if its database is unavailable and if the database rejects a
 * value. Only the message distinguishes the two. A message that is not listed is retried.
 */
final class DatabaseRefusal {
  private static final int SHOWN_CHARS = 300;

  private static final Set<String> SAYINGS =
      IndentedTexts.read(DatabaseRefusal.class, "database-refusals.txt").keySet();

  private static final String TAKEN_FOR_ANOTHER =
      "but metastore is returning a partition with name";

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
