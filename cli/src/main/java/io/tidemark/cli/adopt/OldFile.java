package io.tidemark.cli.adopt;

import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that the old sink committed, by its name {@code TOPIC+PARTITION+FIRST+LAST.avro}. The
 * offsets between {@code first} and {@code last} may be in other files, or in none: the number of
 * records never follows from the name.
 *
 * @param last the offset of the last record, included
 * @param bytes the length in a listing
 */
record OldFile(
    StoragePath path,
    TopicPartition topicPartition,
    long first,
    long last,
    long bytes,
    Content content) {

  // shop.orders-v1+0+0000000020+0000000039.avro
  private static final Pattern NAME =
      Pattern.compile("([a-zA-Z0-9._-]+)\\+(\\d+)\\+(\\d+)\\+(\\d+)(\\.\\w+)?");

  private static final String EXTENSION = ".avro";

  /** What was read of a file. */
  sealed interface Content {}

  /** Only the name and the length are known. */
  record Unread() implements Content {}

  /** A complete Avro container file with this number of records. */
  record Records(long count) implements Content {}

  /** A file that is not usable; the problem completes the sentence "the file …". */
  record Broken(String problem) implements Content {}

  static final Content UNREAD = new Unread();

  /** Returns the file; empty if the name is not one of the old sink, or of another format. */
  static Optional<OldFile> parse(StoredFile file) {
    return parse(file.path(), file.bytes());
  }

  /** Returns the file of a path whose length is unknown, such as a target in a log. */
  static Optional<OldFile> parse(StoragePath path) {
    return parse(path, 0);
  }

  private static Optional<OldFile> parse(StoragePath path, long bytes) {
    Matcher name = NAME.matcher(path.name());
    if (!name.matches() || !EXTENSION.equals(name.group(5))) {
      return Optional.empty();
    }
    try {
      // The width of the padding does not matter: wider offsets are never cut.
      OldFile parsed =
          new OldFile(
              path,
              new TopicPartition(name.group(1), Integer.parseInt(name.group(2))),
              Long.parseLong(name.group(3)),
              Long.parseLong(name.group(4)),
              bytes,
              UNREAD);
      return parsed.first <= parsed.last && parsed.last < Long.MAX_VALUE
          ? Optional.of(parsed)
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Returns whether the old sink, with another format, would write this name. */
  static boolean isOfAnotherFormat(StoragePath path) {
    Matcher name = NAME.matcher(path.name());
    return name.matches() && !EXTENSION.equals(name.group(5));
  }

  OldFile with(Content read) {
    return new OldFile(path, topicPartition, first, last, bytes, read);
  }

  OldFile withBytes(long length) {
    return new OldFile(path, topicPartition, first, last, length, content);
  }

  /** Returns what prevents the use of the file; empty if it is complete or was not read. */
  Optional<String> problem() {
    if (content instanceof Broken broken) {
      return Optional.of(broken.problem());
    }
    if (bytes == 0) {
      return Optional.of("has 0 bytes");
    }
    if (content instanceof Records records && records.count() > last - first + 1) {
      return Optional.of(
          "has %d records, more than the %d offsets of its name"
              .formatted(records.count(), last - first + 1));
    }
    return Optional.empty();
  }

  long records() {
    return content instanceof Records records ? records.count() : 0;
  }
}
