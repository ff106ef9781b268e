package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.TableSchema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableSchemasTest {
  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "quotes");
  private static final TableSchemas.Requirement ANY = next -> {};

  private final MemoryStorage storage = new MemoryStorage();
  private final TableSchemas schemas = new TableSchemas(storage, LAYOUT);

  @Test
  void newTableHasNoSchema() throws Exception {
    assertThat(schemas.current()).isEmpty();
  }

  @Test
  void versionsAreNumberedFiles() throws Exception {
    TableSchema first = schemas.evolve(writer("a"), ANY);
    TableSchema second = schemas.evolve(writer("b"), ANY);

    assertThat(first.version()).isEqualTo(1);
    assertThat(second.version()).isEqualTo(2);
    assertThat(storage.list(new StoragePath("/topics/quotes/.tidemark/schemas")))
        .extracting(StoredFile::path)
        .extracting(StoragePath::name)
        .containsExactly("0000000001.avsc", "0000000002.avsc");
  }

  @Test
  void whatAStoppedTaskLeftIsRemovedOnceItsVersionStands() throws Exception {
    var faulty = new FaultyStorage(storage);
    faulty.failBefore(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> new TableSchemas(faulty, LAYOUT).evolve(writer("a"), ANY))
        .isInstanceOf(IOException.class);
    schemas.evolve(writer("b"), ANY);
    assertThatThrownBy(() -> new TableSchemas(faulty, LAYOUT).evolve(writer("c"), ANY))
        .isInstanceOf(IOException.class);

    assertThat(schemas.current()).isPresent();

    assertThat(storage.list(new StoragePath("/topics/quotes/.tidemark/schemas")))
        .extracting(file -> file.path().name().substring(0, 11))
        .containsExactly(".0000000002", "0000000001.");
  }

  @Test
  void writerThatTheTableReadsMakesNoVersion() throws Exception {
    schemas.evolve(writer("a"), ANY);
    TableSchema second = schemas.evolve(writer("b"), ANY);

    assertThat(schemas.evolve(writer("a"), ANY)).isEqualTo(second);
    assertThat(schemas.evolve(writer("b"), ANY)).isEqualTo(second);
  }

  /** Avro has other JSON for a default from memory than for one that it has parsed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'name':'a','type':'long','default':0}",
        "{'name':'a','type':['long','null'],'default':0}",
        "{'name':'a','type':{'type':'long','logicalType':'timestamp-millis'},'default':0}",
        "{'name':'a','type':'float','default':0.1}",
        "{'name':'a','type':'float','default':1e300}",
        "{'name':'a','type':'double','default':1}",
        "{'name':'a','type':{'type':'array','items':'long'},'default':[1,2]}",
        "{'name':'a','type':{'type':'map','values':'long'},'default':{'b':1}}"
      })
  void restartedTaskMakesNoVersionForADefault(String field) throws Exception {
    String text = "{'type':'record','name':'Quote','fields':[" + field + "]}";
    Schema writer = RegisteredSchema.parse(text.replace('\'', '"'));
    TableSchema first = schemas.evolve(writer, ANY);
    for (int restart = 0; restart < 3; restart++) {
      assertThat(new TableSchemas(storage, LAYOUT).evolve(writer, ANY)).isEqualTo(first);
    }
    schemas.evolve(writer("key"), ANY);
    TableSchema widened = schemas.evolve(writer, ANY);
    assertThat(new TableSchemas(storage, LAYOUT).evolve(writer, ANY)).isEqualTo(widened);
    assertThat(new TableSchemas(storage, LAYOUT).evolve(writer("key"), ANY)).isEqualTo(widened);
  }

  @Test
  void refusedSchemaMakesNoVersion() throws Exception {
    TableSchemas.Requirement none =
        next -> {
          throw new SchemaConflictException("not this one");
        };

    assertThatThrownBy(() -> schemas.evolve(writer("a"), none)).hasMessage("not this one");
    assertThat(schemas.current()).isEmpty();

    TableSchema first = schemas.evolve(writer("a"), ANY);
    assertThatThrownBy(() -> schemas.evolve(writer("b"), none)).hasMessage("not this one");
    assertThat(new TableSchemas(storage, LAYOUT).current()).contains(first);
    assertThat(schemas.evolve(writer("a"), none)).isEqualTo(first);
  }

  @Test
  void anotherTaskSeesTheSameSchema() throws Exception {
    schemas.evolve(writer("a"), ANY);
    TableSchema second = schemas.evolve(writer("b"), ANY);

    TableSchemas other = new TableSchemas(storage, LAYOUT);

    assertThat(other.current()).contains(second);
    assertThat(other.evolve(writer("b"), ANY)).isEqualTo(second);
  }

  @Test
  void taskThatComesLateWidensWhatAnotherWrote() throws Exception {
    TableSchemas other = new TableSchemas(storage, LAYOUT);
    schemas.evolve(writer("a"), ANY);
    other.evolve(writer("b"), ANY);

    TableSchema third = schemas.evolve(writer("c"), ANY);

    assertThat(third.version()).isEqualTo(3);
    assertThat(third.schema().getFields())
        .extracting(Schema.Field::name)
        .containsExactly("id", "a", "b", "c");
  }

  @Test
  void racingTasksLoseNoField() throws Exception {
    int tasks = 8;
    ExecutorService pool = Executors.newFixedThreadPool(tasks);
    try {
      CyclicBarrier start = new CyclicBarrier(tasks);
      List<Future<TableSchema>> results = new ArrayList<>();
      for (int task = 0; task < tasks; task++) {
        Schema writer = writer("f" + task);
        results.add(
            pool.submit(
                () -> {
                  start.await();
                  return new TableSchemas(storage, LAYOUT).evolve(writer, ANY);
                }));
      }
      for (int task = 0; task < tasks; task++) {
        assertThat(compatibility(results.get(task).get().schema(), writer("f" + task)))
            .isEqualTo(SchemaCompatibilityType.COMPATIBLE);
      }
      TableSchema last = schemas.current().orElseThrow();
      assertThat(last.version()).isEqualTo(tasks);
      assertThat(last.schema().getFields()).hasSize(tasks + 1);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void unreadableSchemaIsNamed() throws Exception {
    schemas.evolve(writer("a"), ANY);
    StoragePath file = LAYOUT.metadataDirectory().child("schemas/0000000002.avsc");
    try (OutputStream out = storage.create(file)) {
      out.write("{".getBytes(UTF_8));
    }

    assertThatThrownBy(() -> new TableSchemas(storage, LAYOUT).current())
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageStartingWith("memory:/topics/quotes/.tidemark/schemas/0000000002.avsc is no");
  }

  private static SchemaCompatibilityType compatibility(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType();
  }

  private static Schema writer(String optional) {
    return SchemaBuilder.record("Quote")
        .fields()
        .requiredLong("id")
        .optionalString(optional)
        .endRecord();
  }
}
