package io.tidemark.connect.pipeline;

import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A program whose tasks log warnings about records that land: {@link WarningsTest}. */
final class TasksWithWarnings {
  private static final String RECORD =
      "{'type':'record','name':'Order','fields':[{'name':'at','type':'long'}%s]}";
  private static final String AMOUNT =
      ",{'name':'amount','type':{'type':'bytes','logicalType':'decimal','precision':9,'scale':2},'default':'\\u0001,'}";

  /** The writer schemas, from id 1. */
  private static final List<String> SCHEMAS =
      List.of("", AMOUNT, AMOUNT + ",{'name':'city','type':'string','default':''}");

  private TasksWithWarnings() {}

  /** {@code arguments}: what the tasks do. */
  public static void main(String[] arguments) {
    switch (arguments[0]) {
      case "default" -> addADefaultThatHiveCannotShow();
      case "early" -> landSeconds();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.exit(0);
  }

  private static void addADefaultThatHiveCannotShow() {
    FakeTopic topic = new FakeTopic("orders");
    MemoryStorage storage = new MemoryStorage();
    for (int restart = 0; restart < 2; restart++) {
      for (int id : new int[] {1, 2, 1, 2, 3}) {
        byte[] datum = {2, 2, 1, 0}; // at, amount of one byte, city
        topic.produce(
            0, Poison.framed(id, List.of(new byte[] {2}, new byte[] {2, 2, 1}, datum).get(id - 1)));
      }
      land(topic, storage, PartitionSpec.NONE);
    }
  }

  private static void landSeconds() {
    FakeTopic topic = new FakeTopic("orders");
    for (int i = 0; i < 5; i++) {
      topic.produce(0, Poison.framed(1, new byte[] {(byte) (2 * i)}));
    }
    land(
        topic,
        new MemoryStorage(),
        new TimePartitioned(
            PathFormat.parse("'dt'=yyyy-MM-dd", Locale.ROOT),
            ZoneOffset.UTC,
            Duration.ofDays(1),
            Optional.of("at"),
            TimestampField.Unit.MILLIS));
  }

  /** Lands all records, with a batch for each. */
  private static void land(FakeTopic topic, MemoryStorage storage, PartitionSpec partitioning) {
    try (TestTask task =
        new TestTask(
            topic,
            storage,
            new Registry(),
            FramingReader::new,
            name -> Routing.toOne(TestTask.table(name, partitioning)),
            Optional.empty(),
            1,
            100,
            TestTask.BadRecords.STOP,
            TestTask.Limits.WIDE,
            Clock.systemUTC())) {
      task.open(0);
      task.pollUntilLanded(0);
    }
  }

  private record Registry() implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      String fields = SCHEMAS.get(((SchemaId.Int32) id).value() - 1);
      return new RegisteredSchema(
          id, RegisteredSchema.parse(RECORD.formatted(fields).replace('\'', '"')));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
