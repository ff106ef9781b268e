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

  private final FakeSubjects subjects = new FakeSubjects();
  private final List<Long> pausesMs = new ArrayList<>();
  private long nowNanos = TimeUnit.MILLISECONDS.toNanos(5);
  private final FingerprintRegistry registry =
      new FingerprintRegistry(
          new NothingKnown(),
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
  private static final class FakeSubjects implements FingerprintRegistry.Source {
    private final Map<String, List<RegisteredSchema>> schemas = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private Optional<RegistryException> failure = Optional.empty();
    private CountDownLatch gate = new CountDownLatch(0);

    void put(String subject, Schema schema) {
      List<RegisteredSchema> all = schemas.computeIfAbsent(subject, name -> new ArrayList<>());
      all.add(new RegisteredSchema(SchemaId.of(all.size()), schema));
    }

    @Override
    public List<RegisteredSchema> schemas(String subject)
        throws RegistryException, InterruptedException {
      gate.await();
      asked.add(subject);
      if (failure.isPresent()) {
        throw failure.get().again();
      }
      List<RegisteredSchema> all = schemas.get(subject);
      if (all == null) {
        throw new RegistryRefusedException("no " + subject, 404, Reason.SUBJECT_NOT_FOUND);
      }
      return all;
    }
  }

  private static final class NothingKnown implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      throw SchemaNotFoundException.unknown(id, 404, location());
    }

    @Override
    public String location() {
      return "here";
    }

    @Override
    public void close() {}
  }
}
