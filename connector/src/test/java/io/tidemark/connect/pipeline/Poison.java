package io.tidemark.connect.pipeline;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hostile schemas and values of one topic.
 *
 * @param schemas by id; ids from 10
 * @param values in the order of their offsets
 * @param answers of the registry by id, where it does not answer with the schema at once; if there
 *     are none, the registry is in memory
 */
record Poison(
    String kind,
    SortedMap<Integer, String> schemas,
    List<byte[]> values,
    Map<Integer, Answer> answers) {
  static final int KINDS = 13;
  private static final int FIRST = 10;

  /** In place of an id: all GUIDs. */
  static final int GUIDS = 0;

  private static final String PLAIN = record(part("a", "\"int\""));
  private static final List<Integer> REFUSALS = List.of(400, 401, 403, 422, 500);

  /** An answer after a time, with a status of HTTP. */
  record Answer(int status, long afterMs) {}

  Poison(String kind, SortedMap<Integer, String> schemas, List<byte[]> values) {
    this(kind, schemas, values, Map.of());
  }

  /** Returns a poison that follows from a seed; its kind is below {@link #KINDS}, or drawn. */
  static Poison of(long seed, int kind) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    int drawn = random.nextInt(KINDS);
    return switch (kind < KINDS ? kind : drawn) {
      case 0 -> growingItems(random, "{\"type\":\"array\",\"items\":%s}", 0);
      case 1 -> growingItems(random, "{\"type\":\"map\",\"values\":%s}", 1 + random.nextInt(3));
      case 2 -> growingRecords(random);
      case 3 -> forward(200 + random.nextInt(3_000));
      case 4 -> branches(random.nextInt(5_000), random.nextBoolean());
      case 5 -> symbols(random.nextInt(100_000));
      case 6 -> properties(random.nextInt(5_000_000));
      case 7 -> nestedDefaults(20 + random.nextInt(60), random.nextBoolean());
      case 8 -> growingMaps(random);
      case 9 -> entries(random);
      case 10 -> registry("slow", random, () -> new Answer(200, 500 + random.nextInt(7_000)));
      case 11 ->
          registry(
              "refused",
              random,
              () -> new Answer(REFUSALS.get(random.nextInt(REFUSALS.size())), 0));
      case 12 -> raw(random);
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

  /** Maps of short values, which become longer: an int becomes a double, and fields are added. */
  private static Poison growingMaps(Random random) {
    String value = "{\"type\":\"record\",\"name\":\"V\",\"fields\":[%s]}";
    String map = "{\"type\":\"map\",\"values\":" + value + "}";
    boolean nested = random.nextBoolean();
    String type = nested ? "{\"type\":\"map\",\"values\":" + map + "}" : map;
    String later =
        type.formatted(
            part("n", "\"double\"")
                + ","
                + part("x", "\"string\",\"default\":\"" + "a".repeat(random.nextInt(500)) + "\""));
    int entries = 1 + random.nextInt(300_000);
    var inner = new ByteArrayOutputStream();
    varint(inner, 2L * entries);
    inner.writeBytes(new byte[2 * entries]); // empty keys, and the number 0
    inner.write(0);
    var datum = new ByteArrayOutputStream();
    if (nested) {
      datum.writeBytes(new byte[] {2, 0});
    }
    datum.writeBytes(inner.toByteArray());
    if (nested) {
      datum.write(0);
    }
    return evolved(
        record(part("a", later)),
        new byte[1],
        record(part("a", type.formatted(part("n", "\"int\"")))),
        datum.toByteArray(),
        random);
  }

  /** Maps with huge counts of entries: few of these follow, or none has a byte of a value. */
  private static Poison entries(Random random) {
    String value =
        List.of("\"null\"", "\"int\"", "\"string\"", "{\"type\":\"map\",\"values\":\"null\"}")
            .get(random.nextInt(4));
    var datum = new ByteArrayOutputStream();
    long count = 1L << random.nextInt(63);
    boolean sized = random.nextBoolean();
    varint(datum, sized ? 2 * count - 1 : 2 * count);
    if (sized) {
      varint(datum, 2L << random.nextInt(40));
    }
    datum.writeBytes(new byte[random.nextInt(1 << 20)]);
    return twice(
        "entries",
        record(part("a", "{\"type\":\"map\",\"values\":" + value + "}")),
        datum.toByteArray());
  }

  /** Ids that the registry answers late, or refuses; others between them are answered at once. */
  private static Poison registry(String kind, Random random, Supplier<Answer> hostile) {
    SortedMap<Integer, String> schemas = new TreeMap<>();
    Map<Integer, Answer> answers = new HashMap<>();
    List<byte[]> values = new ArrayList<>();
    int ids = 1 + random.nextInt(random.nextBoolean() ? 1 : 30);
    for (int id = FIRST; id < FIRST + ids; id++) {
      schemas.put(id, PLAIN);
      if (id == FIRST || random.nextInt(4) > 0) {
        answers.put(id, hostile.get());
      }
      for (int each = random.nextInt(20); each >= 0; each--) {
        values.add(framed(id, new byte[1]));
      }
    }
    Collections.shuffle(values, random);
    return new Poison(kind, schemas, values, answers);
  }

  /** Raw Avro, whose first byte is that of a GUID; the registry knows GUIDs, or has no such API. */
  private static Poison raw(Random random) {
    List<byte[]> values = new ArrayList<>();
    for (int each = random.nextInt(200); each >= 0; each--) {
      byte[] value = new byte[1 + random.nextInt(60)];
      random.nextBytes(value);
      value[0] = 1;
      values.add(value);
    }
    int status = random.nextBoolean() ? 404 : REFUSALS.get(random.nextInt(REFUSALS.size()));
    return new Poison("raw", new TreeMap<>(), values, Map.of(GUIDS, new Answer(status, 0)));
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
