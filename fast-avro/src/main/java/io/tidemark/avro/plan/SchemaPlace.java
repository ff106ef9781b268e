package io.tidemark.avro.plan;

import org.apache.avro.Schema;

/**
 * A place in a writer schema and a table schema side by side.
 *
 * @param writer the schema that stands there, under the names that its writer gave
 * @param writerPath the dotted path of the field in the writer's schema, empty at the root
 * @param tablePath that in the table's, such as {@code legs[].fees{}.amount}
 */
record SchemaPlace(Schema writer, String writerPath, String tablePath) {

  static SchemaPlace root(Schema writer) {
    return new SchemaPlace(writer, "", "");
  }

  /** The place of a field that both have. */
  SchemaPlace field(int writerField, String tableField) {
    Schema.Field field = writer.getFields().get(writerField);
    return new SchemaPlace(
        field.schema(), below(writerPath, field.name()), below(tablePath, tableField));
  }

  /** The place of a field that the writer lacks. */
  SchemaPlace missing(String tableField) {
    return new SchemaPlace(writer, writerPath, below(tablePath, tableField));
  }

  /** The place of an array's items or a map's values. */
  SchemaPlace items() {
    boolean array = writer.getType() == Schema.Type.ARRAY;
    String mark = array ? "[]" : "{}";
    return new SchemaPlace(
        array ? writer.getElementType() : writer.getValueType(),
        writerPath + mark,
        tablePath + mark);
  }

  /** The place of a branch of the writer's union. */
  SchemaPlace branch(int index) {
    return new SchemaPlace(writer.getTypes().get(index), writerPath, tablePath);
  }

  /** The start of a message: the path, and that of the writer if it is another. */
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
