package io.tidemark.connect.it.readers;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** Columns of every type of Avro, with values that readers show differently. */
final class EveryType {

  private static final Schema OLD_ENUM = parsed(enumOf("\"BUY\", \"SELL\""));
  private static final Schema NEW_ENUM = parsed(enumOf("\"BUY\", \"SELL\", \"NONE\""));
  private static final Schema OLD_RECORD = parsed(recordOf(""));
  private static final Schema NEW_RECORD =
      parsed(
          recordOf(", {\"name\": \"unit\", \"type\": [\"null\", \"string\"], \"default\": null}"));
  private static final Schema LEG =
      parsed(
          """
          {"type": "record", "name": "Leg", "namespace": "io.tidemark.it", "fields": [
            {"name": "symbol", "type": "string"}, {"name": "size", "type": ["null", "long"]}]}
          """);

  private static final Schema TRADE =
      parsed(
          """
          {"type": "record", "name": "Trade", "namespace": "io.tidemark.it", "fields": [
            {"name": "price", "type": {"type": "record", "name": "Price", "fields": [
              {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
              {"name": "venue", "type": {"type": "record", "name": "Venue", "fields": [
                {"name": "country", "type": "string"}]}}]}},
            {"name": "legs", "type": {"type": "array", "items": %1$s}},
            {"name": "by_name", "type": {"type": "map", "values": "Leg"}}]}
          """
              .formatted(LEG));
  private static final Schema NAMES =
      parsed(
          """
          {"type": "record", "name": "Names", "namespace": "io.tidemark.it", "fields": [
            {"name": "select", "type": "string"}, {"name": "Volume", "type": "long"},
            {"name": "_hidden", "type": "int"}]}
          """);
  private static final Schema CHAIN =
      parsed(
          """
          {"type": "record", "name": "Chain", "namespace": "io.tidemark.it", "fields": [
            {"name": "number", "type": "int"}, {"name": "next", "type": ["null", "Chain"]}]}
          """);
  private static final Schema TREE =
      parsed(
          """
          {"type": "record", "name": "Tree", "namespace": "io.tidemark.it", "fields": [
            {"name": "children", "type": {"type": "array", "items": "Tree"}}]}
          """);
  private static final Schema INT_OR_STRING = Schema.createUnion(plain("int"), plain("string"));

  private static final String EARLY = " before 1582-10-15";

  private EveryType() {}

  /** The columns of the table of all types that every reader of Hive's tables supports. */
  static List<TypedColumn> columns() {
    List<TypedColumn> all = new ArrayList<>();
    all.addAll(plain());
    all.addAll(logical());
    all.addAll(complex());
    all.addAll(named());
    all.addAll(evolved());
    return all;
  }

  private static List<TypedColumn> plain() {
    return List.of(
        TypedColumn.of("boolean", plain("boolean"), true, false),
        TypedColumn.of("int", plain("int"), 0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE),
        TypedColumn.of(
            "long", plain("long"), 0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, (1L << 53) + 1),
        TypedColumn.of(
            "float",
            plain("float"),
            1.1f,
            -0.0f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MIN_VALUE,
            Float.MAX_VALUE),
        TypedColumn.of(
            "double",
            plain("double"),
            1.1,
            -0.0,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE,
            Double.MAX_VALUE),
        TypedColumn.of("bytes", plain("bytes"), hex(""), hex("00"), hex("80ff7f0a"), hex("c3a4")),
        TypedColumn.of(
            "string",
            plain("string"),
            "",
            "quote",
            "Grüße, 世界, 🌊",
            " a \"b\" 'c' \\ d\t\n ",
            "null",
            "\\N"),
        TypedColumn.of("fixed", fixed("Digest", 4, ""), fixed("00000000"), fixed("80ff7f0a")));
  }

  private static List<TypedColumn> logical() {
    List<TypedColumn> columns = new ArrayList<>();
    columns.add(
        TypedColumn.of(
            "decimal on bytes",
            parsed("bytes", "decimal", ", \"precision\": 12, \"scale\": 2"),
            unscaled("0.00"),
            unscaled("12.50"),
            unscaled("-0.01"),
            unscaled("9999999999.99")));
    columns.add(
        TypedColumn.of(
            "decimal on fixed",
            fixed("Amount", 9, ", \"logicalType\": \"decimal\", \"precision\": 20, \"scale\": 4"),
            fixed("000000000000000000"),
            fixed("00000000000001e848"),
            fixed("ffffffffffffffffff")));
    columns.add(
        TypedColumn.of(
            "decimal(50,2) on bytes",
            parsed("bytes", "decimal", ", \"precision\": 50, \"scale\": 2"),
            unscaled("0.00"),
            unscaled("-12.50"),
            unscaled("999999999999999999999999999999999999.99")));
    columns.add(
        TypedColumn.of(
            "date",
            parsed("int", "date", ""),
            days("1970-01-01"),
            days("1969-12-31"),
            days("2026-11-21"),
            days("1582-10-15"),
            days("9999-12-31")));
    columns.add(
        TypedColumn.of(
            "date" + EARLY,
            parsed("int", "date", ""),
            days("1582-10-04"),
            days("1500-02-28"),
            days("0001-01-01")));
    columns.add(TypedColumn.of("time-millis", parsed("int", "time-millis", ""), 0, 1, 86_399_999));
    columns.add(
        TypedColumn.of("time-micros", parsed("long", "time-micros", ""), 0L, 1L, 86_399_999_999L));
    // The second of the two hours from 1 to 2 in New York, and the hour that does not exist there.
    List<String> instants =
        List.of(
            "1970-01-01T00:00:00Z",
            "1969-12-31T23:59:59.999Z",
            "2026-11-21T07:30:00.250Z",
            "2026-11-01T06:30:00Z",
            "2026-03-08T02:30:00Z",
            "9999-12-31T23:59:59.999Z");
    List<String> early =
        List.of("1582-10-04T12:00:00Z", "1500-02-28T00:00:00Z", "0001-01-01T00:00:00Z");
    List<String> fineInstants =
        List.of(
            "1970-01-01T00:00:00Z",
            "1969-12-31T23:59:59.999999999Z",
            "2026-11-21T07:30:00.123456789Z",
            "1678-01-01T00:00:00Z",
            "2262-01-01T00:00:00Z");
    for (String kind : List.of("timestamp", "local-timestamp")) {
      columns.add(instants(kind + "-millis", "", 1_000, instants));
      columns.add(instants(kind + "-micros", "", 1_000_000, instants));
      columns.add(instants(kind + "-nanos", "", 1_000_000_000, fineInstants));
    }
    columns.add(instants("timestamp-millis", EARLY, 1_000, early));
    columns.add(instants("timestamp-micros", EARLY, 1_000_000, early));
    columns.add(
        TypedColumn.of(
            "uuid on string",
            parsed("string", "uuid", ""),
            "00000000-0000-0000-0000-000000000000",
            "6f1c2a9e-0b1d-4c3e-8f5a-123456789abc"));
    columns.add(
        TypedColumn.of(
            "uuid on fixed",
            fixed("Id", 16, ", \"logicalType\": \"uuid\""),
            fixed("00000000000000000000000000000000"),
            fixed("6f1c2a9e0b1d4c3e8f5a123456789abc")));
    columns.add(
        TypedColumn.of(
            "duration",
            fixed("Span", 12, ", \"logicalType\": \"duration\""),
            duration(0, 0, 0),
            duration(1, 15, 250),
            duration(Integer.MAX_VALUE, 2, 3)));
    return columns;
  }

  private static List<TypedColumn> complex() {
    return List.of(
        TypedColumn.of("[\"null\", int]", nullable(plain("int")), null, 0, Integer.MAX_VALUE),
        TypedColumn.of(
            "[string, \"null\"]",
            Schema.createUnion(plain("string"), plain("null")),
            "",
            null,
            "null"),
        TypedColumn.of(
            "[\"null\", timestamp-millis]",
            nullable(parsed("long", "timestamp-millis", "")),
            null,
            0L,
            1_795_246_200_250L),
        TypedColumn.of(
            "array of string",
            Schema.createArray(plain("string")),
            List.of(),
            List.of("", "Grüße, 世界, 🌊", "a \"b\", c")),
        TypedColumn.of(
            "array of [\"null\", int]",
            Schema.createArray(nullable(plain("int"))),
            List.of(),
            Arrays.asList(1, null, Integer.MIN_VALUE)),
        TypedColumn.of(
            "array of decimal on bytes",
            Schema.createArray(parsed("bytes", "decimal", ", \"precision\": 12, \"scale\": 2")),
            List.of(),
            List.of(unscaled("12.50"), unscaled("-0.01"))),
        TypedColumn.of(
            "map of long",
            Schema.createMap(plain("long")),
            Map.of(),
            Map.of("", Long.MAX_VALUE, "Grüße", Long.MIN_VALUE)),
        TypedColumn.of(
            "map of array of double",
            Schema.createMap(Schema.createArray(plain("double"))),
            Map.of(),
            Map.of("a", List.of(1.5, -2.25), "b", List.of())),
        TypedColumn.of(
            "array of record",
            Schema.createArray(LEG),
            List.of(),
            List.of(leg("XETR", null), leg("", Long.MAX_VALUE))),
        TypedColumn.of("[\"null\", record]", nullable(LEG), null, leg("XETR", 0L)),
        TypedColumn.of(
            "record of records",
            TRADE,
            trade("1970-01-01T00:00:00Z"),
            trade("2026-11-21T07:30:00.250Z", leg("XETR", 5L), leg("", null))));
  }

  /** Columns, and fields of a record, whose names readers may change or not accept. */
  private static List<TypedColumn> named() {
    return List.of(
        TypedColumn.of("name `select`", plain("string"), "a", "b").named("select"),
        TypedColumn.of("name `Volume`", plain("long"), 1L, 2L).named("Volume"),
        TypedColumn.of("name `_hidden`", plain("int"), 1, 2).named("_hidden"),
        TypedColumn.of("record with fields of these names", NAMES, names("a", 1L, 2)));
  }

  /** Columns that differ in the second version of the table. */
  private static List<TypedColumn> evolved() {
    List<@Nullable Object> oldSymbols = List.of(symbol(OLD_ENUM, "BUY"), symbol(OLD_ENUM, "SELL"));
    return List.of(
        new TypedColumn(
            "enum",
            Optional.of(OLD_ENUM),
            oldSymbols,
            oldSymbols,
            NEW_ENUM,
            List.of(symbol(NEW_ENUM, "NONE"), symbol(NEW_ENUM, "BUY"))),
        new TypedColumn(
            "record",
            Optional.of(OLD_RECORD),
            List.of(reading(OLD_RECORD, 1.5, null), reading(OLD_RECORD, -0.5, null)),
            List.of(reading(NEW_RECORD, 1.5, null), reading(NEW_RECORD, -0.5, null)),
            NEW_RECORD,
            List.of(reading(NEW_RECORD, 2.5, "K"), reading(NEW_RECORD, 3.5, null))),
        new TypedColumn(
            "int, later long",
            Optional.of(plain("int")),
            List.of(1, Integer.MIN_VALUE),
            List.of(1L, (long) Integer.MIN_VALUE),
            plain("long"),
            List.of(Long.MAX_VALUE, 0L)),
        added(),
        TypedColumn.added("added, default 7", plain("int"), 7, 8, 9));
  }

  /** Columns of the type null alone, which Hive does not read. */
  static List<TypedColumn> nothing() {
    return List.of(TypedColumn.of("null", plain("null"), (Object) null), added());
  }

  /** A decimal with more digits than some readers support. */
  static List<TypedColumn> large() {
    return List.of(
        TypedColumn.of(
            "decimal(50,2) on fixed",
            fixed("Large", 21, ", \"logicalType\": \"decimal\", \"precision\": 50, \"scale\": 2"),
            fixed("00".repeat(21)),
            fixed("ff".repeat(21)),
            fixed("00".repeat(5) + "4b3b4ca85a86c47a098a223fffffffff")),
        added());
  }

  private static TypedColumn added() {
    return TypedColumn.added("added, nullable", nullable(plain("string")), null, "new", null);
  }

  /** Columns of several types, which some readers do not support. */
  static List<TypedColumn> unions() {
    return List.of(
        TypedColumn.of(
            "union of several types",
            Schema.createUnion(plain("null"), plain("int"), plain("string"), LEG),
            null,
            1,
            "Grüße",
            leg("XETR", 5L)),
        TypedColumn.of("[int, string]", INT_OR_STRING, 1, "Grüße"),
        TypedColumn.of(
            "array of [int, string]",
            Schema.createArray(INT_OR_STRING),
            List.of(),
            List.of(1, "Grüße", Integer.MIN_VALUE)),
        TypedColumn.of(
            "[timestamp-micros, string]",
            Schema.createUnion(parsed("long", "timestamp-micros", ""), plain("string")),
            1_795_246_200_250_000L,
            "Grüße"),
        added());
  }

  /** Columns of records that contain themselves, which Hive's tables cannot have. */
  static List<TypedColumn> recursive() {
    return List.of(
        TypedColumn.of("record in itself", CHAIN, chain(1), chain(1, 2, 3)),
        TypedColumn.of("record with an array of itself", TREE, tree(), tree(tree(), tree(tree()))),
        added());
  }

  /** Very many columns. */
  static List<TypedColumn> many() {
    List<TypedColumn> columns = new ArrayList<>();
    for (int i = 0; i < 1_500; i++) {
      columns.add(
          TypedColumn.of("1,500 columns", nullable(plain("string")), "a" + i, null, "b" + i)
              .named("column_" + i));
    }
    columns.add(added());
    return columns;
  }

  private static Schema plain(String type) {
    return Schema.create(Schema.Type.valueOf(type.toUpperCase(Locale.ROOT)));
  }

  private static Schema parsed(String json) {
    return new Schema.Parser().parse(json);
  }

  private static Schema parsed(String type, String logicalType, String more) {
    return parsed(
        "{\"type\": \"%s\", \"logicalType\": \"%s\"%s}".formatted(type, logicalType, more));
  }

  private static Schema fixed(String name, int size, String more) {
    return parsed(
        "{\"type\": \"fixed\", \"name\": \"%s\", \"namespace\": \"io.tidemark.it\", \"size\": %d%s}"
            .formatted(name, size, more));
  }

  private static String enumOf(String symbols) {
    return "{\"type\": \"enum\", \"name\": \"Side\", \"namespace\": \"io.tidemark.it\", \"symbols\": [%s]}"
        .formatted(symbols);
  }

  private static String recordOf(String more) {
    return """
    {"type": "record", "name": "Reading", "namespace": "io.tidemark.it", "fields": [
      {"name": "celsius", "type": "double"}, {"name": "day", "type": {"type": "int", "logicalType": "date"}}%s]}
    """
        .formatted(more);
  }

  private static Schema nullable(Schema type) {
    return Schema.createUnion(plain("null"), type);
  }

  private static ByteBuffer hex(String digits) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(digits));
  }

  /**
   * Fixed with an arbitrary schema: only its size counts here. Its real schema is set when it is
   * put into a row.
   */
  private static GenericData.Fixed fixed(String digits) {
    byte[] bytes = HexFormat.of().parseHex(digits);
    return new GenericData.Fixed(Schema.createFixed("F", null, null, bytes.length), bytes);
  }

  private static GenericData.Fixed duration(int months, int days, int millis) {
    byte[] bytes =
        ByteBuffer.allocate(12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(months)
            .putInt(days)
            .putInt(millis)
            .array();
    return fixed(HexFormat.of().formatHex(bytes));
  }

  private static ByteBuffer unscaled(String decimal) {
    return ByteBuffer.wrap(new BigDecimal(decimal).unscaledValue().toByteArray());
  }

  private static int days(String date) {
    return (int) LocalDate.parse(date).toEpochDay();
  }

  private static TypedColumn instants(
      String type, String range, long unitsInSecond, List<String> instants) {
    Object[] values =
        instants.stream().map(Instant::parse).map(each -> units(each, unitsInSecond)).toArray();
    return TypedColumn.of(type + range, parsed("long", type, ""), values);
  }

  private static long units(Instant instant, long inSecond) {
    long below = instant.getNano() / (1_000_000_000 / inSecond);
    return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), inSecond), below);
  }

  private static GenericData.EnumSymbol symbol(Schema type, String symbol) {
    return new GenericData.EnumSymbol(type, symbol);
  }

  private static GenericRecord leg(String symbol, @Nullable Long size) {
    GenericRecord leg = new GenericData.Record(LEG);
    leg.put("symbol", symbol);
    leg.put("size", size);
    return leg;
  }

  private static GenericRecord trade(String instant, GenericRecord... legs) {
    GenericRecord venue =
        new GenericData.Record(TRADE.getField("price").schema().getField("venue").schema());
    venue.put("country", "DE");
    GenericRecord price = new GenericData.Record(TRADE.getField("price").schema());
    price.put("at", units(Instant.parse(instant), 1_000_000));
    price.put("venue", venue);
    GenericRecord trade = new GenericData.Record(TRADE);
    trade.put("price", price);
    trade.put("legs", List.of(legs));
    trade.put("by_name", legs.length == 0 ? Map.of() : Map.of("first", legs[0]));
    return trade;
  }

  private static GenericRecord names(String select, long volume, int hidden) {
    GenericRecord names = new GenericData.Record(NAMES);
    names.put("select", select);
    names.put("Volume", volume);
    names.put("_hidden", hidden);
    return names;
  }

  private static @Nullable GenericRecord chain(int... numbers) {
    GenericRecord chain = null;
    for (int i = numbers.length - 1; i >= 0; i--) {
      GenericRecord next = chain;
      chain = new GenericData.Record(CHAIN);
      chain.put("number", numbers[i]);
      chain.put("next", next);
    }
    return chain;
  }

  private static GenericRecord tree(GenericRecord... children) {
    GenericRecord tree = new GenericData.Record(TREE);
    tree.put("children", List.of(children));
    return tree;
  }

  private static GenericRecord reading(Schema type, double celsius, @Nullable String unit) {
    GenericRecord reading = new GenericData.Record(type);
    reading.put("celsius", celsius);
    reading.put("day", days("2026-11-21"));
    if (type.getField("unit") != null) {
      reading.put("unit", unit);
    }
    return reading;
  }

  /** The schema of a version of a table of columns. */
  static Schema schema(String name, List<TypedColumn> columns, boolean first) {
    SchemaBuilder.FieldAssembler<Schema> fields =
        SchemaBuilder.record(name).namespace("io.tidemark.it").fields().requiredLong(Answer.KEY);
    for (TypedColumn column : columns) {
      if (!first && column.first().isEmpty()) {
        Object shown = column.shown().get(0);
        fields = fields.name(column.name()).type(column.last()).withDefault(shown);
      } else if (column.first().isPresent()) {
        Schema type = first ? column.first().get() : column.last();
        fields = fields.name(column.name()).type(type).noDefault();
      }
    }
    return fields.endRecord();
  }

  /** A row as it is produced. */
  static GenericRecord row(Schema schema, List<TypedColumn> columns, boolean first, long seq) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put(Answer.KEY, seq);
    for (TypedColumn column : columns) {
      if (!first || column.first().isPresent()) {
        values.put(column.name(), first ? column.firstValue(seq) : column.lastValue(seq));
      }
    }
    GenericRecord row = new GenericData.Record(schema);
    values.forEach(row::put);
    return row;
  }
}
