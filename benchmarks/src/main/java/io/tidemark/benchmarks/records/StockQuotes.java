package io.tidemark.benchmarks.records;

import static org.apache.avro.Schema.Type.DOUBLE;
import static org.apache.avro.Schema.Type.FLOAT;
import static org.apache.avro.Schema.Type.INT;
import static org.apache.avro.Schema.Type.LONG;
import static org.apache.avro.Schema.Type.STRING;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.Encoder;

/**
 * Stock quotes of 78 fields and 474 bytes, modelled on the article "Fast Avro Write", with evolved
 * schemas.
 *
 * <p>Symbols, volumes and sizes have different widths, as in reality, but in pairs, so that every
 * datum has 474 bytes.
 */
final class StockQuotes {
  /** Milliseconds since 1970: 2026-11-20T14:30Z. */
  private static final long OPENING_MS = 1_795_185_000_000L;

  private static final int FILLER_FIELDS = 60;

  private static final List<String> DOUBLES =
      List.of(
          "ask",
          "bid",
          "dayHigh",
          "dayLow",
          "open",
          "previousClose",
          "price",
          "priceAvg50",
          "priceAvg200",
          "yearHigh",
          "yearLow");

  private static final List<String> INTS = List.of("askSize", "bidSize", "lastTradeSize");

  private static final List<String> LONGS = List.of("timestamp", "lastTradeTime", "volume");

  private static final List<String> NAMES = names();

  private StockQuotes() {}

  static ReferenceRecord stockQuote78() {
    return ReferenceRecord.of("StockQuote-78", v1(), (random, out) -> write(random, out, false));
  }

  /**
   * Returns quotes whose table schema has a new field with a default in the middle, one field less,
   * longs for ints, and another order.
   */
  static ReferenceRecord evolved() {
    var fields = reordered();
    fields.add(fields.indexOf("f31"), "venue");
    return new ReferenceRecord(
        "StockQuote-v1-v2",
        v1(),
        schema(fields, StockQuotes::widened, List.of()),
        (random, out) -> write(random, out, false));
  }

  /** Returns quotes as in {@link #evolved()}, but without changes of types. */
  static ReferenceRecord evolvedFields() {
    var fields = reordered();
    fields.add(fields.indexOf("f31"), "venue");
    return new ReferenceRecord(
        "StockQuote-v1-v2-fields",
        v1(),
        schema(fields, StockQuotes::type, List.of()),
        (random, out) -> write(random, out, false));
  }

  /**
   * Returns quotes as in {@link #evolved()}, but also with doubles for floats, and one old and one
   * new field nullable.
   */
  static ReferenceRecord evolvedTypes() {
    var fields = reordered();
    fields.add(fields.indexOf("f31"), "venue");
    fields.add("currency");
    return new ReferenceRecord(
        "StockQuote-v1-v2-types",
        schema(NAMES, name -> DOUBLES.contains(name) ? FLOAT : type(name), List.of()),
        schema(fields, StockQuotes::widened, List.of("symbol", "currency")),
        (random, out) -> write(random, out, true));
  }

  /**
   * Returns the fields in another order: the volume first, sizes before prices, without the average
   * of 200 days.
   */
  private static List<String> reordered() {
    var fields = new ArrayList<>(NAMES);
    fields.removeAll(List.of("askSize", "bidSize", "volume", "priceAvg200"));
    fields.addAll(2, List.of("volume", "bidSize", "askSize"));
    return fields;
  }

  private static List<String> names() {
    var names =
        new ArrayList<>(
            List.of(
                "symbol",
                "timestamp",
                "ask",
                "askSize",
                "bid",
                "bidSize",
                "dayHigh",
                "dayLow",
                "lastTradeSize",
                "lastTradeTime",
                "open",
                "previousClose",
                "price",
                "priceAvg50",
                "priceAvg200",
                "volume",
                "yearHigh",
                "yearLow"));
    for (int i = 1; i <= FILLER_FIELDS; i++) {
      names.add("f" + i);
    }
    return List.copyOf(names);
  }

  private static Schema v1() {
    return schema(NAMES, StockQuotes::type, List.of());
  }

  private static Schema.Type type(String field) {
    if (DOUBLES.contains(field)) {
      return DOUBLE;
    }
    return INTS.contains(field) ? INT : LONGS.contains(field) ? LONG : STRING;
  }

  private static Schema.Type widened(String field) {
    return INTS.contains(field) ? LONG : type(field);
  }

  private static Schema schema(
      List<String> names, Function<String, Schema.Type> types, List<String> nullable) {
    var fields = SchemaBuilder.record("StockQuote").namespace("io.tidemark.benchmarks").fields();
    for (String name : names) {
      Schema type = Schema.create(types.apply(name));
      if (nullable.contains(name)) {
        Schema union = Schema.createUnion(Schema.create(Schema.Type.NULL), type);
        fields = fields.name(name).type(union).withDefault(null);
      } else if (name.equals("venue")) {
        fields = fields.name(name).type(type).withDefault("XNAS");
      } else {
        fields = fields.name(name).type(type).noDefault();
      }
    }
    return fields.endRecord();
  }

  private static void write(SplittableRandom random, Encoder out, boolean floats)
      throws IOException {
    int letters = random.nextInt(3, 6);
    int sizeWidth = random.nextInt(1, 4);
    double price = random.nextInt(500, 100_000) / 100.0;
    long timestamp = OPENING_MS + random.nextInt(23_400_000);
    Map<String, Long> numbers =
        Map.of(
            "timestamp", timestamp,
            "lastTradeTime", timestamp - random.nextInt(5_000),
            "askSize", ofWidth(random, sizeWidth),
            "bidSize", ofWidth(random, 4 - sizeWidth),
            "lastTradeSize", ofWidth(random, 2),
            "volume", ofWidth(random, 7 - letters));
    for (String name : NAMES) {
      Long number = numbers.get(name);
      if (number != null) {
        out.writeLong(number); // An int has the same bytes.
      } else if (!DOUBLES.contains(name)) {
        out.writeString(
            name.equals("symbol")
                ? ReferenceRecord.letters(random, letters).toUpperCase(Locale.ROOT)
                : "value");
      } else if (floats) {
        out.writeFloat((float) (price * (1 + random.nextInt(-200, 200) / 1_000.0)));
      } else {
        out.writeDouble(price * (1 + random.nextInt(-200, 200) / 1_000.0));
      }
    }
  }

  /** Returns a non-negative number whose zigzag varint has the given number of bytes. */
  private static long ofWidth(SplittableRandom random, int bytes) {
    long least = bytes == 1 ? 0 : 1L << (7 * (bytes - 1) - 1);
    return random.nextLong(least, 1L << (7 * bytes - 1));
  }
}
