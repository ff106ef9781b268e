package io.tidemark.avro.plan;

import org.apache.avro.Schema;

/**
 * A place in a writer schema and in a reader schema.
 *
 * @param writer the schema at that place, with the writer's names
 * @param writerPath the dotted path of the field in the writer schema, empty at the root
 * @param tablePath the path in the reader schema, such as {@code legs[].fees{}.amount}
 */
record SchemaPlace(Schema writer, String writerPath, String tablePath) {

  static SchemaPlace root(Schema writer) {
    return new SchemaPlace(writer, "", "");
  }

  /** Returns the place of a field that both schemas have. */
  SchemaPlace field(int writerField, String tableField) {
    Schema.Field field = writer.getFields().get(writerField);
    return new SchemaPlace(
        field.schema(), below(writerPath, field.name()), below(tablePath, tableField));
  }

  /** Returns the place of a field that the writer lacks. */
  SchemaPlace missing(String tableField) {
    return new SchemaPlace(writer, writerPath, below(tablePath, tableField));
  }

  /** Returns the place of an array's items or a map's values. */
  SchemaPlace items() {
    boolean array = writer.getType() == Schema.Type.ARRAY;
    String mark = array ? "[]" : "{}";
    return new SchemaPlace(
        array ? writer.getElementType() : writer.getValueType(),
        writerPath + mark,
        tablePath + mark);
  }

  /** Returns the place of a branch of the writer's union. */
  SchemaPlace branch(int index) {
    return new SchemaPlace(writer.getTypes().get(index), writerPath, tablePath);
  }

  /** Returns the start of a message: the path, and the writer's path if it differs. */
  String inWords() {
    if (tablePath.isEmpty()) {
      return "";
    }
    String field = "field \"" + tablePath + '"';
    return writerPath.isEmpty() || writerPath.equals(tablePath)
        ? field + ": "
        : field + " (the writer's \"" + writerPath + "\"): ";
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + '.' + name;
  }
}
