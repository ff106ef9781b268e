package io.tidemark.avro.merge;

import org.apache.avro.Schema;

/**
 * Thrown if no schema can read the data of two schemas. Names and texts of schemas are in the
 * message as they are, but shortened: escape it before it is shown.
 */
public final class UnmergeableSchemasException extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int NAME_CHARS = 100;
  private static final int SCHEMA_CHARS = 200;

  UnmergeableSchemasException(String message) {
    super(message);
  }

  /** The schemas of the table {@code t} and the writer {@code w} at one place differ too much. */
  static UnmergeableSchemasException between(String path, Schema t, Schema w, String problem) {
    return new UnmergeableSchemasException(
        "Field %s: the table has %s, the record's schema has %s: %s, so no schema can read both. Give the new schema a topic of its own, or a field of another name."
            .formatted(shown(path), shown(t), shown(w), problem));
  }

  /** Types at one place have neither one name nor an alias, so they are not versions of one. */
  static UnmergeableSchemasException betweenTypes(String path, Schema t, Schema w) {
    return new UnmergeableSchemasException(
        "%s has %s, the record's schema has %s: these are different types, because neither their names, without namespaces, nor an alias agree. Give each type of record a table of its own (record2table.map) or a topic of its own. If %s is only a new name, list %s among its aliases."
            .formatted(
                path.equals(t.getName()) ? "The table" : "Field " + shown(path) + ": the table",
                shown(t),
                shown(w),
                shown(w.getFullName()),
                shown(t.getFullName())));
  }

  private static String shown(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED -> schema.getType().getName() + " " + shown(schema.getFullName());
      default -> shown(schema.toString(), SCHEMA_CHARS);
    };
  }

  static String shown(String text) {
    return shown(text, NAME_CHARS);
  }

  private static String shown(String text, int mostChars) {
    return text.length() <= mostChars ? text : text.substring(0, mostChars) + "…";
  }
}
