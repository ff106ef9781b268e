package io.tidemark.registry.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.Subjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CachingSubjectsTest {
  private static final Schema LONG = Schema.create(Schema.Type.LONG);
  private static final Schema TEXT = Schema.create(Schema.Type.STRING);

  private final FakeSubjects subjects = new FakeSubjects();
  private long nowMs = 1_000;
  private final CachingSubjects cache =
      new CachingSubjects(
          subjects,
          new CacheSettings(10, 10_000, 30_000, 60_000, 0, Optional.empty(), 1 << 20),
          () -> TimeUnit.MILLISECONDS.toNanos(nowMs));

  @Test
  void newestSchemaIsBelievedForAWhile() throws Exception {
    cache.register("orders", LONG);
    assertThat(cache.latest("orders").schema()).isEqualTo(LONG);
    subjects.register("orders", TEXT);
    nowMs += 59_999;
    assertThat(cache.latest("orders").schema()).isEqualTo(LONG);
    nowMs += 1;
    assertThat(cache.latest("orders").schema()).isEqualTo(TEXT);
  }

  @Test
  void schemaIsRegisteredOnceInEachSubject() throws Exception {
    SchemaId id = cache.register("orders", LONG);
    assertThat(cache.register("orders", Schema.create(Schema.Type.LONG))).isEqualTo(id);
    cache.register("refunds", LONG);
    nowMs += 3_600_000;
    cache.register("orders", LONG);
    assertThat(subjects.calls).containsExactly("register orders", "register refunds");
  }

  @Test
  void schemaThatIsNotThereIsLookedUpAgainLater() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> cache.find("orders", LONG))
          .isInstanceOfSatisfying(
              RegistryRefusedException.class, e -> assertThat(e.code()).isEqualTo(40403));
    }
    SchemaId id = subjects.register("orders", LONG);
    nowMs += 30_000;
    assertThat(cache.find("orders", LONG)).isEqualTo(id);
    assertThat(subjects.calls).containsExactly("find orders", "register orders", "find orders");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'record','name':'R','fields':[]} | {'type':'record','name':'R','aliases':['Q'],'fields':[]}",
        "{'type':'record','name':'R','fields':[]} | {'type':'record','name':'R','doc':'new','fields':[]}",
        "{'type':'record','name':'R','fields':[{'name':'a','type':'int'}]} | {'type':'record','name':'R','fields':[{'name':'a','type':'int','aliases':['b']}]}",
        "{'type':'enum','name':'E','symbols':['A']} | {'type':'enum','name':'E','symbols':['A'],'default':'A'}",
      })
  void schemaOfAnotherTextIsAnotherSchema(String one, String other) throws Exception {
    SchemaId first = cache.register("orders", schema(one));
    SchemaId second = cache.register("orders", schema(other));
    assertThat(second).isNotEqualTo(first);
    assertThat(cache.find("orders", schema(one))).isEqualTo(first);
    assertThat(cache.find("orders", schema(other))).isEqualTo(second);
    assertThat(cache.register("orders", schema(one))).isEqualTo(first);
    assertThat(subjects.calls).containsExactly("register orders", "register orders");
  }

  @Test
  void ownRegistrationIsSeenAtOnce() throws Exception {
    cache.register("orders", LONG);
    assertThat(cache.latest("orders").schema()).isEqualTo(LONG);
    assertThatThrownBy(() -> cache.find("orders", TEXT))
        .isInstanceOf(RegistryRefusedException.class);

    SchemaId id = cache.register("orders", TEXT);

    assertThat(cache.find("orders", TEXT)).isEqualTo(id);
    assertThat(cache.latest("orders").schema()).isEqualTo(TEXT);
  }

  @Test
  void answerFromBeforeARegistrationIsNotKept() throws Exception {
    subjects.register("orders", LONG);
    subjects.beforeAnswer = () -> cache.register("orders", TEXT);
    assertThatThrownBy(() -> cache.find("orders", TEXT))
        .isInstanceOf(RegistryRefusedException.class);
    assertThat(cache.find("orders", TEXT)).isEqualTo(SchemaId.of(2));

    subjects.beforeAnswer = () -> cache.register("orders", Schema.create(Schema.Type.INT));
    assertThat(cache.latest("orders").schema()).isEqualTo(TEXT);
    assertThat(cache.latest("orders").schema()).isEqualTo(Schema.create(Schema.Type.INT));
  }

  @Test
  void listsAreAskedForEachTime() throws Exception {
    assertThat(cache.names()).isEmpty();
    subjects.register("orders", LONG);
    assertThat(cache.names()).containsExactly("orders");
  }

  private static Schema schema(String text) {
    return new Schema.Parser().parse(text.replace('\'', '"'));
  }

  /** A step that runs before an answer arrives. */
  private interface Meanwhile {
    Object happens() throws RegistryException, InterruptedException;
  }

  /** Subjects in memory, with a list of the requests. */
  private static final class FakeSubjects implements Subjects {
    final List<String> calls = new ArrayList<>();
    @Nullable Meanwhile beforeAnswer;
    private final Map<String, List<RegisteredSchema>> schemas = new HashMap<>();

    @Override
    public List<String> names() {
      return List.copyOf(schemas.keySet());
    }

    @Override
    public RegisteredSchema latest(String subject) throws RegistryException, InterruptedException {
      List<RegisteredSchema> all = schemas.getOrDefault(subject, List.of());
      RegisteredSchema latest = all.get(all.size() - 1);
      letHappen();
      return latest;
    }

    private void letHappen() throws RegistryException, InterruptedException {
      Meanwhile next = beforeAnswer;
      beforeAnswer = null;
      if (next != null) {
        next.happens();
      }
    }

    @Override
    public SchemaId find(String subject, Schema schema)
        throws RegistryException, InterruptedException {
      calls.add("find " + subject);
      Optional<RegisteredSchema> registered =
          schemas.getOrDefault(subject, List.of()).stream()
              .filter(known -> known.schema().toString().equals(schema.toString()))
              .findFirst();
      letHappen();
      return registered
          .orElseThrow(
              () -> new RegistryRefusedException("not there", 40403, Reason.SCHEMA_NOT_FOUND))
          .id();
    }

    @Override
    public SchemaId register(String subject, Schema schema) {
      calls.add("register " + subject);
      List<RegisteredSchema> all = schemas.computeIfAbsent(subject, key -> new ArrayList<>());
      all.add(new RegisteredSchema(SchemaId.of(all.size() + 1), schema));
      return all.get(all.size() - 1).id();
    }
  }
}
