package io.tidemark.connect.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.health.Waits;
import io.tidemark.connect.staging.Bindings;
import io.tidemark.connect.staging.Routing;
import io.tidemark.connect.staging.SchemaBinder;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bindings of all topics of a task together have a limit. */
final class BoundBindingsTest {
  private final MemoryStorage storage = new MemoryStorage();

  @Test
  void topicsThatAreNotInUseLoseTheirBindingsFirstAndGetThemAgain() {
    long one = weightOfOne();
    TaskTopic.Bound bound = new TaskTopic.Bound(3 * one);
    List<TaskTopic> topics =
        IntStream.range(0, 3).mapToObj(number -> topic("t" + number, bound)).toList();
    topics.forEach(BoundBindingsTest::resolve);
    assertThat(topics).as("all are in use").allMatch(BoundBindingsTest::isBound);
    TaskTopic next = topic("next", bound);
    resolve(next); // takes the place of the first, and begins a new turn
    assertThat(isBound(topics.get(2))).isTrue();

    resolve(topics.get(0));

    assertThat(isBound(topics.get(1))).as("it is not in use").isFalse();
    assertThat(isBound(topics.get(2))).isTrue();
    assertThat(bytes(topics, next)).isEqualTo(3 * one);
  }

  @Test
  void bindingsOfManyTopicsStayWithinTheLimit() {
    long one = weightOfOne();
    TaskTopic.Bound bound = new TaskTopic.Bound(5 * one);
    List<TaskTopic> topics =
        IntStream.range(0, 50).mapToObj(number -> topic("t" + number, bound)).toList();

    for (TaskTopic topic : topics) {
      resolve(topic);
      assertThat(isBound(topic)).isTrue();
      assertThat(bytes(topics, topic)).isLessThanOrEqualTo(5 * one);
    }
  }

  /** The last one is needed, whatever its size. */
  @Test
  void bindingAboveTheLimitStaysAlone() {
    TaskTopic.Bound bound = new TaskTopic.Bound(1);
    TaskTopic first = topic("first", bound);
    TaskTopic second = topic("second", bound);
    resolve(first);
    assertThat(isBound(first)).isTrue();

    resolve(second);

    assertThat(isBound(second)).isTrue();
    assertThat(isBound(first)).isFalse();
  }

  private long weightOfOne() {
    TaskTopic topic = topic("t0", new TaskTopic.Bound(Long.MAX_VALUE));
    resolve(topic);
    return topic.bindings().weight();
  }

  private static long bytes(List<TaskTopic> topics, TaskTopic other) {
    return topics.stream().mapToLong(each -> each.bindings().weight()).sum()
        + (topics.contains(other) ? 0 : other.bindings().weight());
  }

  private static boolean isBound(TaskTopic topic) {
    return topic.bindings() != Bindings.NONE;
  }

  private static void resolve(TaskTopic topic) {
    topic.resolve(SchemaId.of(1)).join();
  }

  private TaskTopic topic(String name, TaskTopic.Bound bound) {
    Table table =
        new Table(
            new TableName("default", name),
            TableLayout.of(new StoragePath("/topics"), name),
            PartitionSpec.NONE,
            TableOptions.DEFAULT);
    SchemaBinder binder =
        new SchemaBinder(
            new Wide(),
            FramingReader::new,
            Routing.toOne(table),
            layout -> new TableSchemas(storage, layout),
            false,
            100,
            SchemaLimits.DEFAULT,
            Optional.empty(),
            Optional.empty());
    Retries retries =
        new Retries(
            Runnable::run,
            (ms, action) -> action.run(),
            new Random(1),
            100,
            new Waits(Map.of(), () -> 0, Clock.systemUTC()),
            "",
            () -> true);
    return new TaskTopic(name, binder, retries, () -> true, bound);
  }

  private record Wide() implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(
          id,
          RegisteredSchema.parse(
              IntStream.range(0, 300)
                  .mapToObj(
                      field -> "{\"name\":\"f%d\",\"type\":[\"null\",\"string\"]}".formatted(field))
                  .collect(
                      Collectors.joining(
                          ",", "{\"type\":\"record\",\"name\":\"Wide\",\"fields\":[", "]}"))));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
