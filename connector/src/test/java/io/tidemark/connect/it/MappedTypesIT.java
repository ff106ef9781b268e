package io.tidemark.connect.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tables with {@code types=hive} or {@code types=iceberg}, and fields that are left out, hashed or
 * masked, as HiveServer2 shows them. Three versions of the producer write to each topic.
 */
@OnSharedStack
@Tag("long")
final class MappedTypesIT {
  private static final String SALT = "pepper";
  private static final int ROWS = 12;
  private static final Instant START = Instant.parse("1969-12-31T23:59:58.123456Z");

  private static final String FIXED =
      """
      {"type": "fixed", "name": "Amount", "size": 9, "logicalType": "decimal", "precision": 20,
       "scale": 4}\
      """;

  /** The second version has one field more, the third has milliseconds and lacks the note. */
  private static final List<Schema> VERSIONS =
      List.of(
          schema("timestamp-micros", "", ", {\"name\": \"note\", \"type\": \"string\"}"),
          schema(
              "timestamp-micros",
              ", {\"name\": \"venue\", \"type\": [\"null\", \"string\"], \"default\": null}",
              ", {\"name\": \"note\", \"type\": \"string\", \"default\": \"\"}"),
          schema(
              "timestamp-millis",
              ", {\"name\": \"venue\", \"type\": [\"null\", \"string\"], \"default\": null}",
              ""));

  private static final Schema CHANGE =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Envelope", "namespace": "shop.public.people",
               "connect.name": "shop.public.people.Envelope", "fields": [
                {"name": "before", "default": null, "type": ["null",
                  {"type": "record", "name": "Value", "fields": [
                    {"name": "id", "type": "int"},
                    {"name": "name", "type": ["null", "string"], "default": null},
                    {"name": "day", "type": {"type": "int", "connect.version": 1,
                                             "connect.name": "io.debezium.time.Date"}},
                    {"name": "changed", "default": null, "type": ["null",
                      {"type": "long", "connect.version": 1,
                       "connect.name": "io.debezium.time.MicroTimestamp"}]}]}]},
                {"name": "after", "type": ["null", "Value"], "default": null},
                {"name": "source", "type": {"type": "record", "name": "Source",
                  "namespace": "io.debezium.connector.postgresql", "fields": [
                    {"name": "db", "type": "string"},
                    {"name": "lsn", "type": ["null", "long"], "default": null}]}},
                {"name": "op", "type": "string"},
                {"name": "ts_ms", "type": ["null", "long"], "default": null}]}\
              """);

  private static Schema schema(String taken, String more, String note) {
    return new Schema.Parser()
        .parse(
            """
            {"type": "record", "name": "Trade", "namespace": "io.tidemark.it", "fields": [
              {"name": "seq", "type": "int"},
              {"name": "id", "type": {"type": "fixed", "name": "Id", "size": 16,
                                      "logicalType": "uuid"}},
              {"name": "taken", "type": {"type": "long", "logicalType": "%s"}},
              {"name": "clock", "type": {"type": "long", "logicalType": "local-timestamp-nanos"}},
              {"name": "amount", "type": %s},
              {"name": "customer", "type": ["null", {"type": "record", "name": "Customer", "fields": [
                {"name": "name", "type": "string"},
                {"name": "ssn", "type": ["null", "string"]},
                {"name": "age", "type": "int"}%s]}]},
              {"name": "parts", "type": {"type": "array", "items":
                {"type": "record", "name": "Part", "fields": [
                  {"name": "price", "type": "Amount"},
                  {"name": "owner", "type": "string"}]}}}%s]}\
            """
                .formatted(taken, FIXED, note, more));
  }

  @Test
  void hiveShowsEachMappedValueWithATypeOfItsOwn(RealStack stack) {
    SourceTopic all = stack.topic("mapped-all", 1);
    SourceTopic some = stack.topic("mapped-some", 1);
    for (Schema version : VERSIONS) {
      produce(stack, all, version);
      produce(stack, some, version);
    }
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("mapped", all, some)
                .with("types", "hive")
                .with("types.inexact", "truncate")
                .with("fields.hash.salt", SALT)
                .with("topic." + all.name() + ".fields.exclude", "customer.note")
                .with("topic." + all.name() + ".fields.hash", "customer.ssn, parts.owner")
                .with("topic." + all.name() + ".fields.mask", "customer.name,customer.age")
                .with("topic." + some.name() + ".fields.include", "seq,customer.age,amount,venue"));
    connector.awaitLanded();

    LandedTable table = connector.table(all);
    assertThat(types(table))
        .containsExactly(
            Map.entry("seq", "int"),
            Map.entry("id", "string"),
            Map.entry("taken", "timestamp"),
            Map.entry("clock", "timestamp"),
            Map.entry("amount", "decimal(20,4)"),
            Map.entry("customer", "struct<name:string,ssn:string,age:int>"),
            Map.entry("parts", "array<struct<price:decimal(20,4),owner:string>>"),
            Map.entry("venue", "string"));
    assertThat(
            table.query(
                """
                SELECT seq, id, CAST(taken AS STRING), CAST(clock AS STRING),
                       CAST(amount AS STRING), customer.name, customer.ssn, customer.age,
                       CAST(parts[0].price AS STRING), parts[0].owner, venue
                FROM %s ORDER BY seq
                """
                    .formatted(table.name())))
        .isEqualTo(expected());
    LandedTable included = connector.table(some);
    assertThat(types(included))
        .containsExactly(
            Map.entry("seq", "int"),
            Map.entry("amount", "decimal(20,4)"),
            Map.entry("customer", "struct<age:int>"),
            Map.entry("venue", "string"));
    assertThat(
            included.query(
                "SELECT count(*), sum(customer.age), count(venue), sum(amount) FROM "
                    + included.name()))
        .containsExactly(
            List.of(
                3L * ROWS,
                seqs().filter(seq -> seq % 5 != 0).mapToLong(seq -> 20 + seq).sum(),
                2L * ROWS,
                seqs().map(MappedTypesIT::amount).reduce(BigDecimal.ZERO, BigDecimal::add)));
  }

  /** Hive shows no timestamp in microseconds and no decimal on fixed: it shows their numbers. */
  @Test
  void typesOfIcebergLand(RealStack stack) {
    SourceTopic topic = stack.topic("mapped-iceberg", 1);
    VERSIONS.forEach(version -> produce(stack, topic, version));
    Deployment connector =
        stack.deploy(ConnectorSettings.of("mapped-iceberg", topic).with("types", "iceberg"));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    assertThat(types(table))
        .containsExactly(
            Map.entry("seq", "int"),
            Map.entry("id", "string"),
            Map.entry("taken", "bigint"),
            Map.entry("clock", "bigint"),
            Map.entry("amount", "binary"),
            Map.entry("customer", "struct<name:string,ssn:string,age:int,note:string>"),
            Map.entry("parts", "array<struct<price:binary,owner:string>>"),
            Map.entry("venue", "string"));
    assertThat(
            table.query(
                "SELECT seq, id, taken, clock, hex(amount), venue FROM "
                    + table.name()
                    + " ORDER BY seq"))
        .isEqualTo(
            seqs()
                .map(
                    seq -> {
                      boolean inMillis = seq >= 2 * ROWS;
                      return Arrays.<@Nullable Object>asList(
                          seq,
                          id(seq).toString(),
                          inMillis ? 1_000 * taken(seq).toEpochMilli() : micros(taken(seq)),
                          1_000 * micros(taken(seq)),
                          "%018X".formatted(amount(seq).unscaledValue()),
                          seq < ROWS ? null : "V" + seq);
                    })
                .toList());
  }

  /** An insert, an update and a delete, as Debezium's connector for PostgreSQL sends them. */
  @Test
  void changesOfDebeziumAreRows(RealStack stack) {
    SourceTopic topic = stack.topic("unwrapped", 1);
    int id = stack.register(topic.name(), CHANGE);
    GenericRecord first = image(7, "Ann", 1_700_000_000_123_456L);
    GenericRecord second = image(7, "Bob", -1L);
    topic.sendRaw(0, Readings.framed(id, change(null, first, "c", 1)));
    topic.sendRaw(0, Readings.framed(id, change(first, second, "u", 2)));
    topic.sendRaw(0, Readings.framed(id, change(second, null, "d", 3)));
    topic.sendRaw(0, null);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("unwrapped", topic)
                .with("unwrap", "debezium")
                .with("types", "hive")
                .with("types.inexact", "truncate")
                .with("fields.hash", "name")
                .with("fields.hash.salt", SALT)
                .with("behavior.on.null.values", "ignore"));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    assertThat(types(table))
        .containsExactly(
            Map.entry("id", "int"),
            Map.entry("name", "string"),
            Map.entry("day", "date"),
            Map.entry("changed", "timestamp"),
            Map.entry("cdc_source_db", "string"),
            Map.entry("cdc_source_lsn", "bigint"),
            Map.entry("cdc_op", "string"),
            Map.entry("cdc_ts_ms", "bigint"));
    String changed = "2023-11-14 22:13:20.123";
    String before1970 = "1969-12-31 23:59:59.999";
    assertThat(
            table.query(
                """
                SELECT id, name, CAST(day AS STRING), CAST(changed AS STRING), cdc_source_db,
                       cdc_source_lsn, cdc_op, cdc_ts_ms
                FROM %s ORDER BY cdc_ts_ms
                """
                    .formatted(table.name())))
        .containsExactly(
            List.of(7, hash("Ann"), "1970-01-08", changed, "shop", 101L, "c", 1L),
            List.of(7, hash("Bob"), "1970-01-08", before1970, "shop", 102L, "u", 2L),
            List.of(7, hash("Bob"), "1970-01-08", before1970, "shop", 103L, "d", 3L));
  }

  private static GenericRecord image(int id, String name, long changed) {
    var image = new GenericData.Record(CHANGE.getField("after").schema().getTypes().get(1));
    image.put("id", id);
    image.put("name", name);
    image.put("day", id);
    image.put("changed", changed);
    return image;
  }

  private static GenericRecord change(
      @Nullable GenericRecord before, @Nullable GenericRecord after, String op, long number) {
    var source = new GenericData.Record(CHANGE.getField("source").schema());
    source.put("db", "shop");
    source.put("lsn", 100 + number);
    var change = new GenericData.Record(CHANGE);
    change.put("before", before);
    change.put("after", after);
    change.put("source", source);
    change.put("op", op);
    change.put("ts_ms", number);
    return change;
  }

  private static Stream<Integer> seqs() {
    return IntStream.range(0, 3 * ROWS).boxed();
  }

  private static Map<String, String> types(LandedTable table) {
    Map<String, String> types = new LinkedHashMap<>();
    for (List<@Nullable Object> row : table.query("DESCRIBE " + table.name())) {
      types.put(String.valueOf(row.get(0)), String.valueOf(row.get(1)));
    }
    return types;
  }

  private static void produce(RealStack stack, SourceTopic topic, Schema schema) {
    int id = stack.register(topic.name(), schema);
    int first = VERSIONS.indexOf(schema) * ROWS;
    for (int seq = first; seq < first + ROWS; seq++) {
      topic.sendRaw(0, Readings.framed(id, trade(schema, seq)));
    }
  }

  private static GenericRecord trade(Schema schema, int seq) {
    var trade = new GenericData.Record(schema);
    trade.put("seq", seq);
    UUID id = id(seq);
    trade.put(
        "id",
        new GenericData.Fixed(
            schema.getField("id").schema(),
            ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array()));
    boolean micros =
        schema.getField("taken").schema().getLogicalType().getName().equals("timestamp-micros");
    Instant taken = taken(seq);
    trade.put("taken", micros ? micros(taken) : taken.toEpochMilli());
    trade.put("clock", 1_000 * micros(taken));
    Schema amount = schema.getField("amount").schema();
    trade.put("amount", fixed(amount(seq), amount));
    if (seq % 5 != 0) {
      Schema customers = schema.getField("customer").schema().getTypes().get(1);
      var customer = new GenericData.Record(customers);
      customer.put("name", "Ann " + seq);
      customer.put("ssn", seq % 2 == 0 ? null : "ssn-" + seq);
      customer.put("age", 20 + seq);
      if (customers.getField("note") != null) {
        customer.put("note", "secret " + seq);
      }
      trade.put("customer", customer);
    }
    Schema parts = schema.getField("parts").schema();
    var part = new GenericData.Record(parts.getElementType());
    part.put("price", fixed(amount(seq).negate(), amount));
    part.put("owner", "owner-" + seq);
    trade.put("parts", List.of(part));
    if (schema.getField("venue") != null) {
      trade.put("venue", "V" + seq);
    }
    return trade;
  }

  private static Object fixed(BigDecimal number, Schema schema) {
    return new Conversions.DecimalConversion().toFixed(number, schema, schema.getLogicalType());
  }

  private static UUID id(int seq) {
    return new UUID(0x6ba7b8109dad11d1L + seq, -seq - 1L);
  }

  private static Instant taken(int seq) {
    return START.plusNanos(333_333_000L * seq);
  }

  private static long micros(Instant time) {
    return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
  }

  private static BigDecimal amount(int seq) {
    return new BigDecimal("1234567890123.4567").add(BigDecimal.valueOf(seq * 11L, 1));
  }

  private static String millis(int seq) {
    String text = Instant.ofEpochMilli(taken(seq).toEpochMilli()).toString();
    String shown = text.substring(0, text.length() - 1).replace('T', ' ');
    // Hive omits zeros at the end of a fraction.
    return shown.contains(".") ? shown.replaceFirst("\\.?0+$", "") : shown;
  }

  private static List<List<@Nullable Object>> expected() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int seq = 0; seq < 3 * ROWS; seq++) {
      boolean known = seq % 5 != 0;
      rows.add(
          Arrays.asList(
              seq,
              id(seq).toString(),
              millis(seq),
              millis(seq),
              amount(seq).toPlainString(),
              known ? "****" : null,
              known && seq % 2 != 0 ? hash("ssn-" + seq) : null,
              known ? 0 : null,
              amount(seq).negate().toPlainString(),
              hash("owner-" + seq),
              seq < ROWS ? null : "V" + seq));
    }
    return rows;
  }

  private static String hash(String value) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest((SALT + value).getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
