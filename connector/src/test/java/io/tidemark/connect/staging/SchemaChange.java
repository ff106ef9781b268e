package io.tidemark.connect.staging;

import java.util.List;
import org.apache.avro.Schema;

/**
 * A change of a writer schema: two schemas of a record, of which the table knows the first. In the
 * texts, {@code '} is a quote, and a record is given by its fields. Changes with the same words,
 * such as there and back, have the same results.
 */
record SchemaChange(String what, String first, String then) {

  /** The places at which a table's schema may have the changed record. */
  enum Place {
    TABLE("%s"),
    RECORD(row("%s")),
    NULLABLE(row("['null',%s]")),
    ARRAY(row("{'type':'array','items':%s}")),
    MAP(row("{'type':'map','values':%s}"));

    private final String form;

    Place(String form) {
      this.form = form;
    }

    private static String row(String child) {
      return "{'type':'record','name':'Row','fields':[{'name':'child','type':" + child + "}]}";
    }

    /** Returns the changed record within a schema of this place. */
    Schema record(Schema row) {
      if (this == TABLE) {
        return row;
      }
      Schema child = row.getField("child").schema();
      return switch (child.getType()) {
        case ARRAY -> child.getElementType();
        case MAP -> child.getValueType();
        case UNION -> child.getTypes().get(1);
        default -> child;
      };
    }
  }

  Schema first(Place place) {
    return schema(first, place);
  }

  Schema then(Place place) {
    return schema(then, place);
  }

  private static Schema schema(String text, Place place) {
    String record =
        text.startsWith("{'type':'record'")
            ? text
            : "{'type':'record','name':'R','fields':[" + text + "]}";
    return new Schema.Parser().parse(place.form.formatted(record).replace('\'', '"'));
  }

  private static final String ID = "{'name':'id','type':'string'}";

  private static SchemaChange fields(String what, String first, String then) {
    return new SchemaChange(
        what, ID + (first.isEmpty() ? "" : "," + first), ID + (then.isEmpty() ? "" : "," + then));
  }

  /** A change of the type of a field; a plain name is written without quotes. */
  private static SchemaChange type(String what, String first, String then) {
    return fields(what, typed(first), typed(then));
  }

  private static String typed(String type) {
    boolean isName = type.matches("\\w+");
    return "{'name':'a','type':" + (isName ? "'" + type + "'" : type) + "}";
  }

  private static String logical(String type, String logicalType) {
    return "{'type':'%s','logicalType':'%s'}".formatted(type, logicalType);
  }

  private static String decimal(int precision, int scale) {
    return "{'type':'bytes','logicalType':'decimal','precision':%d,'scale':%d}"
        .formatted(precision, scale);
  }

  private static String fixedDecimal(int size, int precision) {
    return "{'type':'fixed','name':'D','size':%d,'logicalType':'decimal','precision':%d,'scale':2}"
        .formatted(size, precision);
  }

  private static String enumOf(String more) {
    return "{'type':'enum','name':'E'," + more + "}";
  }

  private static String named(String name) {
    return "{'type':'record','name':" + name + ",'fields':[" + ID + "]}";
  }

  static final List<SchemaChange> ALL =
      List.of(
          fields("field added, without a default", "", typed("int")),
          fields("field added, with a default", "", "{'name':'a','type':'int','default':7}"),
          fields("field added, nullable", "", "{'name':'a','type':['null','int'],'default':null}"),
          fields(
              "field added, with a default that is a record, a decimal or of a union",
              "",
              "{'name':'a','type':" + decimal(9, 2) + ",'default':'0'}"),
          fields(
              "field added, with a default that is a record, a decimal or of a union",
              "",
              "{'name':'a','type':" + named("'N'") + ",'default':{'id':'one'}}"),
          fields(
              "field added, with a default that is a record, a decimal or of a union",
              "",
              "{'name':'a','type':['int','string'],'default':7}"),
          fields("field removed, without a default", typed("int"), ""),
          fields("field removed, with a default", "{'name':'a','type':'int','default':7}", ""),
          fields(
              "field removed, nullable", "{'name':'a','type':['null','int'],'default':null}", ""),
          fields("field renamed", typed("int"), "{'name':'b','type':'int'}"),
          fields(
              "field renamed, with an alias",
              typed("int"),
              "{'name':'b','type':'int','aliases':['a']}"),
          fields("name in upper case", typed("int"), "{'name':'A','type':'int'}"),
          fields(
              "alias of a field added or dropped",
              typed("int"),
              "{'name':'a','type':'int','aliases':['b']}"),
          fields(
              "alias of a field added or dropped",
              "{'name':'a','type':'int','aliases':['b']}",
              typed("int")),
          new SchemaChange("field moved", ID + "," + typed("int"), typed("int") + "," + ID),
          fields(
              "default changed",
              "{'name':'a','type':'int','default':7}",
              "{'name':'a','type':'int','default':8}"),
          fields("default removed", "{'name':'a','type':'int','default':7}", typed("int")),
          fields("text of `doc` changed", typed("int"), "{'name':'a','type':'int','doc':'text'}"),
          type("made nullable", "int", "['null','int']"),
          type("made not nullable", "['null','int']", "int"),
          type("nullable: null moved", "['null','int']", "['int','null']"),
          type("`null` to a nullable type", "null", "['null','int']"),
          type("nullable type to `null`", "['null','int']", "null"),
          type("`int` to `long`", "int", "long"),
          type("`long` to `int`", "long", "int"),
          type("`int` to `float`", "int", "float"),
          type("`int` to `double`", "int", "double"),
          type("`float` to `double`", "float", "double"),
          type("`double` to `float`", "double", "float"),
          type("`float` to `int`", "float", "int"),
          type("`float` to `long`", "float", "long"),
          type("`double` to `int` or `long`", "double", "int"),
          type("`double` to `int` or `long`", "double", "long"),
          type("`long` to `float` or `double`", "long", "double"),
          type("`long` to `float` or `double`", "long", "float"),
          type("`string` to `bytes`", "string", "bytes"),
          type("`bytes` to `string`", "bytes", "string"),
          type("any other type", "int", "string"),
          type("any other type", "boolean", "int"),
          type("any other type", "string", "{'type':'array','items':'string'}"),
          type("any other type", named("'N'"), "string"),
          type("any other type", enumOf("'symbols':['A']"), "{'type':'fixed','name':'E','size':1}"),
          type("plain type to a union of several types", "int", "['int','string']"),
          type(
              "nullable type to a union of several types",
              "['null','int']",
              "['null','int','string']"),
          type(
              "union of several types to a nullable type",
              "['null','int','string']",
              "['null','int']"),
          type(
              "union of several types: made nullable",
              "['int','string']",
              "['null','int','string']"),
          type("union: branch promoted", "['int','string']", "['long','string']"),
          type("union of several types to one of them", "['int','string']", "int"),
          type("union: branch added", "['int','string']", "['int','string','boolean']"),
          type("union: branch removed", "['int','string','boolean']", "['int','string']"),
          type("union: branches moved", "['int','string']", "['string','int']"),
          type(
              "enum: symbol added",
              enumOf("'symbols':['A','B']"),
              enumOf("'symbols':['A','B','C']")),
          type(
              "enum: symbol removed",
              enumOf("'symbols':['A','B','C']"),
              enumOf("'symbols':['A','B']")),
          type("enum: symbols moved", enumOf("'symbols':['A','B']"), enumOf("'symbols':['B','A']")),
          type(
              "enum: default added",
              enumOf("'symbols':['A','B']"),
              enumOf("'symbols':['A','B'],'default':'A'")),
          type(
              "enum: default changed or dropped",
              enumOf("'symbols':['A','B'],'default':'A'"),
              enumOf("'symbols':['A','B'],'default':'B'")),
          type(
              "enum: default changed or dropped",
              enumOf("'symbols':['A','B'],'default':'A'"),
              enumOf("'symbols':['A','B']")),
          type("enum to `string`, or back", enumOf("'symbols':['A','B']"), "string"),
          type("enum to `string`, or back", "string", enumOf("'symbols':['A','B']")),
          type(
              "fixed: size changed",
              "{'type':'fixed','name':'F','size':4}",
              "{'type':'fixed','name':'F','size':8}"),
          type("fixed to `bytes`, or back", "{'type':'fixed','name':'F','size':4}", "bytes"),
          type("fixed to `bytes`, or back", "bytes", "{'type':'fixed','name':'F','size':4}"),
          type(
              "array: items changed",
              "{'type':'array','items':'int'}",
              "{'type':'array','items':'long'}"),
          type(
              "map: values changed",
              "{'type':'map','values':'int'}",
              "{'type':'map','values':'long'}"),
          type(
              "items of an array, or values of a map, made nullable",
              "{'type':'array','items':'int'}",
              "{'type':'array','items':['null','int']}"),
          type(
              "items of an array, or values of a map, made nullable",
              "{'type':'map','values':'int'}",
              "{'type':'map','values':['null','int']}"),
          type(
              "array to map, or back",
              "{'type':'array','items':'int'}",
              "{'type':'map','values':'int'}"),
          type(
              "array to map, or back",
              "{'type':'map','values':'int'}",
              "{'type':'array','items':'int'}"),
          type("record to map, or back", named("'N'"), "{'type':'map','values':'string'}"),
          type("record to map, or back", "{'type':'map','values':'string'}", named("'N'")),
          type("logical type added", "long", logical("long", "timestamp-millis")),
          type("logical type added", "int", logical("int", "date")),
          type("logical type dropped", logical("long", "timestamp-millis"), "long"),
          type("logical type dropped", logical("int", "date"), "int"),
          type(
              "logical type changed",
              logical("long", "timestamp-millis"),
              logical("long", "timestamp-micros")),
          type(
              "logical type changed",
              logical("long", "timestamp-millis"),
              logical("long", "local-timestamp-millis")),
          type("logical type changed", logical("int", "date"), logical("int", "time-millis")),
          type(
              "logical type changed",
              logical("int", "time-millis"),
              logical("long", "time-micros")),
          type("`int` with a logical type to `long`", logical("int", "date"), "long"),
          type("`int` to `long` with a logical type", "int", logical("long", "timestamp-millis")),
          type("`uuid` added to a string, or dropped", "string", logical("string", "uuid")),
          type("`uuid` added to a string, or dropped", logical("string", "uuid"), "string"),
          type(
              "`uuid` added to a fixed, or dropped",
              "{'type':'fixed','name':'F','size':16}",
              "{'type':'fixed','name':'F','size':16,'logicalType':'uuid'}"),
          type(
              "`uuid` added to a fixed, or dropped",
              "{'type':'fixed','name':'F','size':16,'logicalType':'uuid'}",
              "{'type':'fixed','name':'F','size':16}"),
          type(
              "`uuid` on a string to one on a fixed, or back",
              logical("string", "uuid"),
              "{'type':'fixed','name':'F','size':16,'logicalType':'uuid'}"),
          type(
              "`uuid` on a string to one on a fixed, or back",
              "{'type':'fixed','name':'F','size':16,'logicalType':'uuid'}",
              logical("string", "uuid")),
          type("decimal: larger precision", decimal(9, 2), decimal(12, 2)),
          type("decimal on `fixed`: larger precision", fixedDecimal(4, 7), fixedDecimal(4, 9)),
          type("decimal on `fixed`: smaller precision", fixedDecimal(4, 9), fixedDecimal(4, 7)),
          type("decimal on `fixed`: size changed", fixedDecimal(4, 9), fixedDecimal(5, 9)),
          type("decimal: smaller precision", decimal(12, 2), decimal(9, 2)),
          type("decimal: scale changed", decimal(9, 2), decimal(9, 3)),
          type("decimal: scale changed", decimal(9, 2), decimal(12, 4)),
          type("decimal added to `bytes`", "bytes", decimal(9, 2)),
          type("decimal dropped from `bytes`", decimal(9, 2), "bytes"),
          type("decimal on `bytes` to `fixed`, or back", decimal(9, 2), fixedDecimal(4, 9)),
          type("decimal on `bytes` to `fixed`, or back", fixedDecimal(4, 9), decimal(9, 2)),
          new SchemaChange(
              "namespace of a record changed",
              named("'R','namespace':'one'"),
              named("'R','namespace':'other'")),
          new SchemaChange("record renamed", named("'R'"), named("'S'")),
          new SchemaChange(
              "record renamed, with an alias", named("'R'"), named("'S','aliases':['R']")),
          type(
              "namespace of an enum or fixed changed",
              enumOf("'namespace':'one','symbols':['A']"),
              enumOf("'namespace':'other','symbols':['A']")),
          type(
              "namespace of an enum or fixed changed",
              "{'type':'fixed','name':'F','namespace':'one','size':4}",
              "{'type':'fixed','name':'F','namespace':'other','size':4}"),
          type(
              "enum or fixed renamed",
              enumOf("'symbols':['A']"),
              "{'type':'enum','name':'G','symbols':['A']}"),
          type(
              "enum or fixed renamed",
              "{'type':'fixed','name':'F','size':4}",
              "{'type':'fixed','name':'G','size':4}"),
          type(
              "enum or fixed renamed, with an alias",
              enumOf("'symbols':['A']"),
              "{'type':'enum','name':'G','aliases':['E'],'symbols':['A']}"),
          type(
              "enum or fixed renamed, with an alias",
              "{'type':'fixed','name':'F','size':4}",
              "{'type':'fixed','name':'G','aliases':['F'],'size':4}"));
}
