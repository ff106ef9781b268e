package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ByInitial;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each partitioner writes each row where Hive finds it by the values of the partition columns. */
@OnSharedStack
final class PartitionersIT {

  private static final int TRIPS = 40;
  private static final Instant BEGIN = Instant.parse("2025-12-30T20:05:00Z");

  private static final Schema TRIP =
      SchemaBuilder.record("Trip")
          .fields()
          .requiredLong("seq")
          .optionalString("city")
          .name("at")
          .type(
              new Schema.Parser()
                  .parse("{\"type\": \"long\", \"logicalType\": \"timestamp-millis\"}"))
          .noDefault()
          .endRecord();

  private static final List<@Nullable String> CITIES =
      Arrays.asList("Bern", null, "a/b=c", "Zürich");

  /**
   * A record of a topic-partition.
   *
   * @param at the time in the record
   * @param sent its timestamp in Kafka
   */
  private record Trip(
      int topicPartition, long seq, @Nullable String city, Instant at, Instant sent) {

    static Trip of(int topicPartition, int number) {
      return new Trip(
          topicPartition,
          2L * number + topicPartition,
          CITIES.get(number % CITIES.size()),
          BEGIN.plus(Duration.ofMinutes(17L * number)),
          BEGIN.plus(Duration.ofMinutes(71L * number)));
    }

    byte[] value(int schemaId) {
      GenericRecord row = new GenericData.Record(TRIP);
      row.put("seq", seq);
      row.put("city", city);
      row.put("at", at.toEpochMilli());
      return Readings.framed(schemaId, row);
    }

    String cityInHive() {
      return city == null ? "__HIVE_DEFAULT_PARTITION__" : city;
    }
  }

  /**
   * A configuration, and the Hive partition that it selects for a trip.
   *
   * @param columns the partition columns that the table has in Hive
   */
  private record Case(
      String name,
      Map<String, String> settings,
      List<String> columns,
      Function<Trip, List<String>> values) {

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "by-topic-partition",
            Map.of(
                "partitioner.class", "io.confluent.connect.storage.partitioner.DefaultPartitioner"),
            List.of("partition"),
            trip -> List.of(String.valueOf(trip.topicPartition()))),
        new Case(
            "by-day-of-kafka",
            Map.of(
                "partitioner.class", "io.confluent.connect.hdfs.partitioner.DailyPartitioner",
                "timestamp.extractor", "Record",
                "timezone", "Asia/Tokyo"),
            List.of("year", "month", "day"),
            trip -> text(trip.sent(), "Asia/Tokyo", "yyyy", "MM", "dd")),
        new Case(
            "by-hour-of-a-field",
            Map.of(
                "partitioner.class", "io.confluent.connect.storage.partitioner.HourlyPartitioner",
                "timestamp.extractor", "RecordField",
                "timestamp.field", "at",
                "timezone", "America/New_York"),
            List.of("year", "month", "day", "hour"),
            trip -> text(trip.at(), "America/New_York", "yyyy", "MM", "dd", "HH")),
        new Case(
            "by-half-hours",
            Map.of(
                "partitioner.class",
                "io.confluent.connect.storage.partitioner.TimeBasedPartitioner",
                "path.format",
                "'month'=MMMM-YYYY/'slot'=dd-HHmm",
                "partition.duration.ms",
                "1800000",
                "locale",
                "fr-FR",
                "timestamp.extractor",
                "RecordField",
                "timestamp.field",
                "at"),
            List.of("month", "slot"),
            trip -> {
              Instant slot = Instant.ofEpochSecond(trip.at().getEpochSecond() / 1_800 * 1_800);
              String year = text(slot, "UTC", "yyyy").get(0);
              String month = year.equals("2025") ? "décembre-2025" : "janvier-2026";
              return List.of(month, text(slot, "UTC", "dd-HHmm").get(0));
            }),
        new Case(
            "by-city",
            Map.of(
                "partitioner.class", "io.confluent.connect.storage.partitioner.FieldPartitioner",
                "partition.field.name", "city"),
            List.of("city"),
            trip -> List.of(trip.cityInHive())),
        new Case(
            "by-city-and-hour-of-kafka",
            Map.of(
                "partitioner.class", "FieldAndTimeBasedPartitioner",
                "partition.field.name", "city",
                "path.format", "'dt'=yyyy-MM-dd/'hour'=HH",
                "partition.duration.ms", "3600000"),
            List.of("city", "dt", "hour"),
            trip ->
                Stream.concat(
                        Stream.of(trip.cityInHive()),
                        text(trip.sent(), "UTC", "yyyy-MM-dd", "HH").stream())
                    .toList()),
        new Case(
            "by-city-and-day-of-a-field",
            Map.of(
                "partitioner.class", "FieldAndTimeBasedPartitioner",
                "partition.field.name", "city",
                "path.format", "'dt'=yyyy-MM-dd",
                "partition.duration.ms", "86400000",
                "timestamp.extractor", "RecordField",
                "timestamp.field", "at"),
            List.of("city", "dt"),
            trip -> List.of(trip.cityInHive(), text(trip.at(), "UTC", "yyyy-MM-dd").get(0))),
        new Case(
            "by-a-class-of-ones-own",
            Map.of(
                "partitioner.class", ByInitial.class.getName(), "partitioner.config.letters", "2"),
            List.of("initial", "minute"),
            trip ->
                List.of(
                    ByInitial.initial(trip.city() == null ? "none" : trip.city(), 2),
                    trip.sent().getEpochSecond() / 60 % 2 == 0 ? "even" : "odd")));
  }

  /**
   * The row is in the Hive partition of the second in which it was read, independent of times in
   * the record.
   */
  @Test
  void rowsLieInTheSecondInWhichTheyWereRead(RealStack stack) {
    SourceTopic topic = stack.topic("by-wallclock", 1);
    int id = stack.register(topic.name(), TRIP);
    List<Long> sent = new ArrayList<>();
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(topic.name(), topic)
                .with("partitioner.class", "TimeBasedPartitioner")
                .with("timestamp.extractor", "Wallclock")
                .with("path.format", "'dt'=yyyy-MM-dd/'second'=HH-mm-ss")
                .with("partition.duration.ms", 1_000));
    Instant begin = Instant.now().minusSeconds(1);
    for (int number = 0; number < 3; number++) {
      Trip trip = Trip.of(0, number);
      topic.sendRaw(
          new ProducerRecord<>(topic.name(), 0, trip.sent().toEpochMilli(), null, trip.value(id)));
      sent.add(trip.seq());
      connector.awaitLanded();
    }
    Instant end = Instant.now().plusSeconds(1);

    List<Instant> read = new ArrayList<>();
    LandedTable table = connector.table(topic);
    for (List<@Nullable Object> row :
        table.query("SELECT seq, dt, `second` FROM %s ORDER BY seq".formatted(table.name()))) {
      read.add(
          LocalDateTime.parse(
                  row.get(1) + " " + row.get(2), DateTimeFormatter.ofPattern("uuuu-MM-dd HH-mm-ss"))
              .toInstant(ZoneOffset.UTC));
      assertThat(row.get(0)).isEqualTo(sent.get(read.size() - 1));
    }
    assertThat(read)
        .hasSize(sent.size())
        .isSorted()
        .allMatch(time -> time.isAfter(begin.minusSeconds(1)) && time.isBefore(end));
  }

  /**
   * With ten Hive partitions in a batch the task continues, and lands all of them in several
   * batches.
   */
  @Test
  void batchOfTooManyHivePartitionsEndsAndTheRestFollows(RealStack stack) {
    SourceTopic topic = stack.topic("many-hive-partitions", 1);
    topic.send(Readings.V1, 0, 95);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of(topic.name(), topic)
                .with("partitioner.class", "FieldPartitioner")
                .with("partition.field.name", "seq")
                .with("batch.hive.partitions", 10));
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    assertThat(table.query("SELECT count(*), count(DISTINCT seq) FROM " + table.name()))
        .containsExactly(List.of(95L, 95L));
    assertThat(connector.log(topic).batches())
        .allSatisfy(batch -> assertThat(batch.files().size()).isLessThanOrEqualTo(10))
        .hasSizeGreaterThanOrEqualTo(10);
    connector.requireNoFailure();
  }

  private static List<String> text(Instant time, String zone, String... patterns) {
    return Stream.of(patterns)
        .map(pattern -> DateTimeFormatter.ofPattern(pattern).withZone(ZoneId.of(zone)).format(time))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rowsLieWhereThePartitionerPutsThem(Case each, RealStack stack) {
    SourceTopic topic = stack.topic(each.name(), 2);
    int id = stack.register(topic.name(), TRIP);
    List<Trip> trips = new ArrayList<>();
    for (int topicPartition = 0; topicPartition < 2; topicPartition++) {
      for (int number = 0; number < TRIPS; number++) {
        Trip trip = Trip.of(topicPartition, number);
        topic.sendRaw(
            new ProducerRecord<>(
                topic.name(), topicPartition, trip.sent().toEpochMilli(), null, trip.value(id)));
        trips.add(trip);
      }
    }
    ConnectorSettings settings = ConnectorSettings.of(each.name(), topic);
    for (Map.Entry<String, String> setting : each.settings().entrySet()) {
      settings = settings.with(setting.getKey(), setting.getValue());
    }
    Deployment connector = stack.deploy(settings);
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    String columns =
        each.columns().stream().map(column -> "`" + column + "`").collect(Collectors.joining(", "));
    assertThat(
            table.query(
                "SELECT seq, CAST(at AS STRING), %s FROM %s".formatted(columns, table.name())))
        .containsExactlyInAnyOrderElementsOf(
            trips.stream()
                .map(
                    trip ->
                        Stream.concat(
                                Stream.<@Nullable Object>of(
                                    trip.seq(),
                                    text(trip.at(), "UTC", "yyyy-MM-dd HH:mm:ss").get(0)),
                                each.values().apply(trip).stream())
                            .toList())
                .toList());
    // A filter that excludes the other Hive partitions finds the same rows.
    List<String> ofFirst = each.values().apply(trips.get(0));
    String filter =
        Stream.iterate(0, i -> i < ofFirst.size(), i -> i + 1)
            .map(i -> "`%s` = '%s'".formatted(each.columns().get(i), ofFirst.get(i)))
            .collect(Collectors.joining(" AND "));
    assertThat(table.query("SELECT seq FROM %s WHERE %s".formatted(table.name(), filter)))
        .containsExactlyInAnyOrderElementsOf(
            trips.stream()
                .filter(trip -> each.values().apply(trip).equals(ofFirst))
                .map(trip -> List.<@Nullable Object>of(trip.seq()))
                .toList());
  }
}
