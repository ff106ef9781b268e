package io.tidemark.registry.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class FingerprintRegistryTest {
  private static final Schema LONG = Schema.create(Schema.Type.LONG);
  private static final Schema TEXT = Schema.create(Schema.Type.STRING);

  private final Map<SchemaId, Schema> assigned = new ConcurrentHashMap<>();
  private final List<SchemaId> lookups = new CopyOnWriteArrayList<>();
  private final FakeSubjects subjects = new FakeSubjects();
  private final List<Long> pausesMs = new ArrayList<>();
  private long nowNanos = TimeUnit.MILLISECONDS.toNanos(5);
  private final FingerprintRegistry registry =
      new FingerprintRegistry(
          new Assigned(),
          subjects,
          new FingerprintSettings(List.of("orders", "refunds"), 1_000),
          () -> nowNanos,
          nanos -> {
            pausesMs.add(TimeUnit.NANOSECONDS.toMillis(nanos));
            nowNanos += nanos;
          });

  @Test
  void schemasOfAllSubjectsAreKnownAfterOneLoad() throws Exception {
    subjects.put("orders", LONG);
    subjects.put("refunds", TEXT);
    assertThat(registry.schema(id(LONG)).schema()).isEqualTo(LONG);
    assertThat(registry.schema(id(TEXT)).schema()).isEqualTo(TEXT);
    assertThat(subjects.asked).containsExactly("orders", "refunds");
    assertThat(pausesMs).isEmpty();
  }

  @Test
  void schemaThatIsRegisteredLaterIsSeenAfterThePauseBetweenLoads() throws Exception {
    subjects.put("orders", LONG);
    registry.schema(id(LONG));
    subjects.put("orders", TEXT);
    nowNanos += TimeUnit.MILLISECONDS.toNanos(400);
    assertThat(registry.schema(id(TEXT)).schema()).isEqualTo(TEXT);
    assertThat(pausesMs).containsExactly(600L);
  }

  @Test
  void unknownFingerprintLoadsOnceAndIsNotFound() {
    subjects.put("orders", LONG);
    assertThatThrownBy(() -> registry.schema(id(TEXT)))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageStartingWith(
            "schema fingerprint 8f014872634503c7 belongs to no schema of the subjects [orders, refunds] of here.");
    assertThat(subjects.asked).containsExactly("orders", "refunds");
  }

  @Test
  void failureIsNeverNotFound() throws Exception {
    subjects.put("orders", LONG);
    registry.schema(id(LONG));
    subjects.failure = Optional.of(new RegistryUnavailableException("away", null));
    assertThatThrownBy(() -> registry.schema(id(TEXT)))
        .isInstanceOf(RegistryUnavailableException.class);
    subjects.failure = Optional.of(new RegistryRefusedException("odd", 999, Reason.OTHER));
    assertThatThrownBy(() -> registry.schema(id(TEXT)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage("odd");
    assertThat(registry.schema(id(LONG)).schema()).isEqualTo(LONG);
    subjects.failure = Optional.empty();
    subjects.put("refunds", TEXT);
    assertThat(registry.schema(id(TEXT)).schema()).isEqualTo(TEXT);
  }

  @Test
  void subjectThatIsYetToComeHasNoSchemas() throws Exception {
    subjects.put("refunds", TEXT);
    assertThat(registry.schema(id(TEXT)).schema()).isEqualTo(TEXT);
  }

  @Test
  void newestOfTwoSchemasWithOneFingerprintCounts() throws Exception {
    Schema timestamp = LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
    subjects.put("orders", LONG);
    subjects.put("orders", timestamp);
    assertThat(registry.schema(id(LONG)).schema()).isEqualTo(timestamp);
  }

  @Test
  void manyWhoMissWaitForTheSameLoads() throws Exception {
    subjects.put("orders", LONG);
    subjects.gate = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Future<RegisteredSchema>> answers = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        answers.add(threads.submit(() -> registry.schema(id(LONG))));
      }
      subjects.gate.countDown();
      for (Future<RegisteredSchema> answer : answers) {
        assertThat(answer.get().schema()).isEqualTo(LONG);
      }
    } finally {
      threads.shutdownNow();
    }
    // One load, and a second one for requests during the first.
    assertThat(subjects.asked).hasSizeLessThanOrEqualTo(4);
  }

  @Test
  void eachLookupNeedsOneRequestAndNoOtherLoad() throws Exception {
    subjects.put("orders", LONG);
    subjects.put("orders", TEXT);
    registry.schema(id(LONG));
    registry.schema(id(TEXT));
    registry.schema(id(LONG));
    assertThat(lookups).containsExactly(SchemaId.of(0), SchemaId.of(1), SchemaId.of(0));
    assertThat(subjects.asked).containsExactly("orders", "refunds");
  }

  @Test
  void idThatHasAnotherSchemaByNowIsLoadedAgain() throws Exception {
    subjects.put("orders", LONG);
    registry.schema(id(LONG));
    assigned.clear();
    subjects.put("orders", TEXT);
    subjects.put("orders", LONG);
    assertThat(registry.schema(id(LONG)).id()).isEqualTo(SchemaId.of(1));
    assertThat(subjects.asked).containsExactly("orders", "refunds", "orders", "refunds");
  }

  @Test
  void idThatWasDeletedIsNotFoundAfterOneLoad() throws Exception {
    subjects.put("orders", LONG);
    registry.schema(id(LONG));
    assigned.clear();
    subjects.ids.clear();
    assertThatThrownBy(() -> registry.schema(id(LONG)))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageContaining("belongs to no schema of the subjects");
    assertThat(subjects.asked).containsExactly("orders", "refunds", "orders", "refunds");
  }

  @Test
  void nodeThatLagsBehindDoesNotMakeASchemaUnknown() {
    subjects.put("orders", LONG);
    assigned.clear();
    assertThatThrownBy(() -> registry.schema(id(LONG)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("here lists schema id 0 with schema fingerprint");
  }

  @Test
  void otherIdsGoToTheRegistryBehind() {
    assertThatThrownBy(() -> registry.schema(SchemaId.of(3)))
        .isInstanceOf(SchemaNotFoundException.class)
        .hasMessageContaining("schema id 3 is unknown to here");
    assertThat(subjects.asked).isEmpty();
  }

  private static SchemaId.Fingerprint id(Schema schema) {
    return new SchemaId.Fingerprint(SchemaNormalization.parsingFingerprint64(schema));
  }

  /** Subjects that do not exist until they have a schema. */
  private final class FakeSubjects implements FingerprintRegistry.Source {
    private final Map<String, Map<Long, SchemaId>> ids = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private Optional<RegistryException> failure = Optional.empty();
    private CountDownLatch gate = new CountDownLatch(0);

    void put(String subject, Schema schema) {
      SchemaId id = SchemaId.of(assigned.size());
      assigned.put(id, schema);
      ids.computeIfAbsent(subject, name -> new HashMap<>()).put(id(schema).value(), id);
    }

    @Override
    public Map<Long, SchemaId> ids(String subject) throws RegistryException, InterruptedException {
      gate.await();
      asked.add(subject);
      if (failure.isPresent()) {
        throw failure.get().again();
      }
      Map<Long, SchemaId> all = ids.get(subject);
      if (all == null) {
        throw new RegistryRefusedException("no " + subject, 404, Reason.SUBJECT_NOT_FOUND);
      }
      return all;
    }
  }

  private final class Assigned implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      lookups.add(id);
      Schema schema = assigned.get(id);
      if (schema == null) {
        throw SchemaNotFoundException.unknown(id, 404, location());
      }
      return new RegisteredSchema(id, schema);
    }

    @Override
    public String location() {
      return "here";
    }

    @Override
    public void close() {}
  }
}
