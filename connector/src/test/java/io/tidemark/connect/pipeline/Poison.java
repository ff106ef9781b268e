package io.tidemark.connect.pipeline;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hostile schemas and values of one topic.
 *
 * @param schemas by id; ids from 10
 * @param values in the order of their offsets
 */
record Poison(String kind, SortedMap<Integer, String> schemas, List<byte[]> values) {
  private static final int FIRST = 10;

  /** Returns a poison that follows from a seed. */
  static Poison of(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    return switch (random.nextInt(9)) {
      case 0 -> growingItems(random, "{\"type\":\"array\",\"items\":%s}", 0);
      case 1 -> growingItems(random, "{\"type\":\"map\",\"values\":%s}", 1 + random.nextInt(3));
      case 2 -> growingRecords(random);
      case 3 -> forward(200 + random.nextInt(3_000));
      case 4 -> branches(random.nextInt(5_000), random.nextBoolean());
      case 5 -> symbols(random.nextInt(100_000));
      case 6 -> properties(random.nextInt(5_000_000));
      case 7 -> nestedDefaults(20 + random.nextInt(60), random.nextBoolean());
      default -> damaged(random);
    };
  }

  /** Flat records that refer forward by name: the schema is deep, its text is not. */
  private static Poison forward(int records) {
    String fields =
        IntStream.range(0, records)
            .mapToObj(
                i ->
                    part(
                        "f" + i,
                        "{\"type\":\"record\",\"name\":\"N%d\",\"fields\":[%s]}"
                            .formatted(
                                i,
                                part("g", i + 1 < records ? "\"N" + (i + 1) + "\"" : "\"int\""))))
            .collect(Collectors.joining(","));
    return twice("forward", record(fields), new byte[records]);
  }

  private static Poison branches(int number, boolean fixed) {
    String branches =
        IntStream.range(0, number)
            .mapToObj(
                i ->
                    (fixed
                            ? ",{\"type\":\"fixed\",\"name\":\"F%d\",\"size\":1}"
                            : ",{\"type\":\"record\",\"name\":\"F%d\",\"fields\":[]}")
                        .formatted(i))
            .collect(Collectors.joining());
    return twice("branches", record(part("a", "[\"null\"" + branches + "]")), new byte[1]);
  }

  private static Poison symbols(int number) {
    String symbols =
        IntStream.range(0, number).mapToObj(i -> ",\"s" + i + "\"").collect(Collectors.joining());
    return twice(
        "symbols",
        record(part("a", "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\"" + symbols + "]}")),
        new byte[1]);
  }

  /** A custom property with many empty objects. */
  private static Poison properties(int objects) {
    return twice(
        "properties",
        "{\"type\":\"record\",\"name\":\"R\",\"p\":[{}%s],\"fields\":[%s]}"
            .formatted(",{}".repeat(objects), part("a", "\"int\"")),
        new byte[1]);
  }

  /** A default for which Avro's library tries the branches of unions in all combinations. */
  private static Poison nestedDefaults(int depth, boolean valid) {
    String union = "[\"null\",\"A\",%s],\"default\":null";
    String record = "{\"type\":\"record\",\"name\":\"%s\",\"fields\":[%s,%s]}";
    String k = part("k", "\"int\",\"default\":0");
    String b = record.formatted("B", k, part("f", union.formatted("\"B\"")));
    String a = record.formatted("A", k, part("f", union.formatted(b)));
    String value = "{\"f\":".repeat(depth) + (valid ? "{}" : "{\"k\":1.5}") + "}".repeat(depth);
    return twice(
        "defaults", record(part("f", a), part("g", "\"A\",\"default\":" + value)), new byte[4]);
  }

  /** Bytes that do not match their schema. */
  private static Poison damaged(Random random) {
    byte[] datum = new byte[random.nextInt(100)];
    random.nextBytes(datum);
    String items = "{\"type\":\"array\",\"items\":{\"type\":\"map\",\"values\":\"string\"}}";
    return twice("damaged", record(part("a", items), part("b", "\"double\"")), datum);
  }

  /** Two ids of one schema, so that the second is merged with the table's schema. */
  private static Poison twice(String kind, String schema, byte[] datum) {
    SortedMap<Integer, String> schemas = new TreeMap<>();
    schemas.put(FIRST, schema);
    schemas.put(FIRST + 1, schema);
    return new Poison(kind, schemas, List.of(framed(FIRST, datum), framed(FIRST + 1, datum)));
  }

  /** Short datums with many items, each of which gets the default of a new field. */
  private static Poison growingItems(Random random, String type, int keyBytes) {
    String item = "{\"type\":\"record\",\"name\":\"E\",\"fields\":[%s]}";
    String added =
        "{\"name\":\"x\",\"type\":\"string\",\"default\":\"%s\"}"
            .formatted("a".repeat(1 + random.nextInt(2_000)));
    String text = record(part("a", type.formatted(item)));
    int items = keyBytes == 0 ? 1 << (10 + random.nextInt(11)) : 20_000;
    var datum = new ByteArrayOutputStream();
    varint(datum, 2L * items);
    for (int i = 0; keyBytes > 0 && i < items; i++) {
      varint(datum, 2L * keyBytes);
      datum.writeBytes(new byte[keyBytes]);
    }
    datum.write(0);
    return evolved(
        text.formatted(added), new byte[1], text.formatted(""), datum.toByteArray(), random);
  }

  /** Datums of a byte, each of which gets the defaults of many new fields. */
  private static Poison growingRecords(Random random) {
    String present = part("a", "\"int\"");
    int fields = 1 + random.nextInt(200);
    int length = 1 + random.nextInt(60_000 / fields);
    String added =
        IntStream.range(0, fields)
            .mapToObj(
                i ->
                    "{\"name\":\"x%d\",\"type\":\"string\",\"default\":\"%s\"}"
                        .formatted(i, "a".repeat(length)))
            .collect(Collectors.joining(","));
    return evolved(
        record(present, added), new byte[1 + fields], record(present), new byte[1], random);
  }

  /** The table gets the later schema first. Then datums of the earlier one are converted. */
  private static Poison evolved(
      String later, byte[] first, String earlier, byte[] datum, Random random) {
    SortedMap<Integer, String> schemas = new TreeMap<>();
    schemas.put(FIRST, later);
    schemas.put(FIRST + 1, earlier);
    List<byte[]> values = new ArrayList<>();
    values.add(framed(FIRST, first));
    int most = Math.max(1, Math.min(3_000, (4 << 20) / datum.length));
    for (int left = 1 + random.nextInt(most); left > 0; left--) {
      values.add(framed(FIRST + 1, datum));
    }
    return new Poison("growth", schemas, values);
  }

  private static String record(String... fields) {
    return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + String.join(",", fields) + "]}";
  }

  private static String part(String name, String type) {
    return "{\"name\":\"" + name + "\",\"type\":" + type + "}";
  }

  private static void varint(ByteArrayOutputStream out, long zigzag) {
    long rest = zigzag;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      out.write((int) (rest | 0x80));
    }
    out.write((int) rest);
  }

  static byte[] framed(int id, byte[] datum) {
    return ByteBuffer.allocate(5 + datum.length).put((byte) 0).putInt(id).put(datum).array();
  }
}
