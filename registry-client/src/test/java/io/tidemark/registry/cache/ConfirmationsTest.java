package io.tidemark.registry.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry that is wiped and reuses its ids, seen through the cache and its copy on disk. */
@Timeout(30)
final class ConfirmationsTest {
  private static final SchemaId ID = SchemaId.of(7);
  private static final SchemaId OTHER = new SchemaId.OfSubject("orders", "8");
  private static final Schema BEFORE = Schema.createFixed("Before", null, "", 4);
  private static final Schema AFTER = Schema.createFixed("After", null, "", 4);
  private static final int INTERVAL_MS = 600_000;

  @TempDir Path directory;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final FakeRegistry registry = new FakeRegistry();

  @Test
  void copyIsContradictedBeforeItsFirstUseAlsoAfterRestarts() throws Exception {
    fillCopy(ID, OTHER);
    registry.schemas.put(ID, AFTER);
    for (int restart = 0; restart < 3; restart++) {
      try (CachingSchemaRegistry cache = open()) {
        assertContradicted(cache, ID);
        assertContradicted(cache, ID);
        assertThat(cache.schema(OTHER).schema()).isEqualTo(BEFORE);
        assertThat(cache.contradictions()).containsOnlyKeys(ID);
      }
    }
  }

  @Test
  void copyThatTheRegistryConfirmsIsAskedForOnce() throws Exception {
    fillCopy(ID);
    try (CachingSchemaRegistry cache = open()) {
      cache.schema(ID);
      cache.schema(ID);
    }
    assertThat(registry.asked).containsExactly(ID);
  }

  @Test
  void copyThatWasUsedWhileTheRegistryWasAwayIsContradictedAsSoonAsItAnswers() throws Exception {
    fillCopy(ID, OTHER);
    registry.away.addAll(List.of(ID, OTHER));
    try (CachingSchemaRegistry cache = open()) {
      assertThat(cache.schema(ID).schema()).isEqualTo(BEFORE);
      assertThat(cache.schema(OTHER).schema()).isEqualTo(BEFORE);
      registry.schemas.put(ID, AFTER);
      steps(cache, 20_000);
      assertThat(cache.contradictions()).isEmpty();

      registry.away.clear();
      steps(cache, 20_000);

      assertThat(cache.contradictions()).containsOnlyKeys(ID);
      assertContradicted(cache, ID);
      assertThat(cache.schema(OTHER).schema()).isEqualTo(BEFORE);
    }
  }

  @Test
  void idThatAlwaysFailsKeepsNoOtherFromBeingConfirmed() throws Exception {
    fillCopy(ID, OTHER);
    registry.away.addAll(List.of(ID, OTHER));
    try (CachingSchemaRegistry cache = open()) {
      cache.schema(OTHER);
      cache.schema(ID);
      registry.schemas.put(ID, AFTER);
      registry.away.remove(ID);
      steps(cache, 60_000);
      assertThat(cache.contradictions()).containsOnlyKeys(ID);
    }
  }

  @Test
  void schemaInMemoryIsContradictedWithinTheInterval() throws Exception {
    registry.schemas.put(ID, BEFORE);
    try (CachingSchemaRegistry cache = openWithoutCopy(INTERVAL_MS)) {
      cache.schema(ID);
      registry.schemas.put(ID, AFTER);
      steps(cache, INTERVAL_MS - 1_000);
      assertThat(cache.schema(ID).schema()).isEqualTo(BEFORE);
      steps(cache, 2_000);
      assertContradicted(cache, ID);
    }
  }

  @Test
  void schemaInMemoryIsConfirmedOnceInEachInterval() throws Exception {
    registry.schemas.put(ID, BEFORE);
    try (CachingSchemaRegistry cache = openWithoutCopy(INTERVAL_MS)) {
      cache.schema(ID);
      steps(cache, 5 * INTERVAL_MS + 10_000);
      assertThat(registry.asked).hasSize(6);
      registry.away.add(ID);
      steps(cache, 2 * INTERVAL_MS);
      registry.away.clear();
      registry.schemas.put(ID, AFTER);
      steps(cache, 10_000);
      assertContradicted(cache, ID);
    }
  }

  @Test
  void withoutAnIntervalNothingInMemoryIsConfirmed() throws Exception {
    registry.schemas.put(ID, BEFORE);
    try (CachingSchemaRegistry cache = openWithoutCopy(0)) {
      cache.schema(ID);
      steps(cache, 5 * INTERVAL_MS);
      assertThat(registry.asked).hasSize(1);
    }
  }

  @Test
  void restoredRegistryEndsTheContradiction() throws Exception {
    fillCopy(ID);
    registry.schemas.put(ID, AFTER);
    try (CachingSchemaRegistry cache = open()) {
      assertContradicted(cache, ID);
      registry.away.add(ID);
      assertContradicted(cache, ID);
      registry.away.clear();
      registry.schemas.put(ID, BEFORE);
      assertThat(cache.schema(ID).schema()).isEqualTo(BEFORE);
      assertThat(cache.contradictions()).isEmpty();
    }
  }

  @Test
  void unknownIdContradictsNothing() throws Exception {
    fillCopy(ID);
    registry.schemas.remove(ID);
    try (CachingSchemaRegistry cache = open()) {
      assertThat(cache.schema(ID).schema()).isEqualTo(BEFORE);
      steps(cache, 2 * INTERVAL_MS);
      assertThat(cache.contradictions()).isEmpty();
      registry.schemas.put(ID, AFTER);
      steps(cache, INTERVAL_MS);
      assertContradicted(cache, ID);
    }
  }

  /**
   * The schema that reused the id is deleted. Its records remain, and no other schema may read
   * them.
   */
  @Test
  void unknownIdEndsNoContradiction() throws Exception {
    fillCopy(ID);
    registry.schemas.put(ID, AFTER);
    try (CachingSchemaRegistry cache = open()) {
      assertContradicted(cache, ID);
      registry.schemas.remove(ID);
      assertContradicted(cache, ID);
      assertThat(cache.contradictions()).containsOnlyKeys(ID);
      registry.schemas.put(ID, BEFORE);
      assertThat(cache.schema(ID).schema()).isEqualTo(BEFORE);
    }
  }

  @Test
  void schemaOfAnotherTypeContradicts() throws Exception {
    fillCopy(ID);
    registry.unusable.add(ID);
    try (CachingSchemaRegistry cache = open()) {
      assertThatThrownBy(() -> cache.schema(ID))
          .isInstanceOf(SchemaChangedException.class)
          .hasMessageContaining(
              "now has a schema that is not Avro, is too large, or cannot be parsed");
    }
  }

  @Test
  void idsThatFollowFromTheirSchemaAreNotAskedForAgain() throws Exception {
    SchemaId guid = new SchemaId.Guid(new UUID(1, 2));
    SchemaId fingerprint = new SchemaId.Fingerprint(3);
    fillCopy(guid, fingerprint);
    try (CachingSchemaRegistry cache = open()) {
      cache.schema(guid);
      cache.schema(fingerprint);
      steps(cache, 2 * INTERVAL_MS);
    }
    assertThat(registry.asked).isEmpty();
  }

  @Test
  void registryThatHangsIsAskedAtMostHalfOfTheTime() throws Exception {
    fillCopy(ID, OTHER);
    registry.away.addAll(List.of(ID, OTHER));
    registry.hangsMs = 10_000;
    try (CachingSchemaRegistry cache = open()) {
      cache.schema(ID);
      cache.schema(OTHER);
      assertThat(registry.asked).containsExactly(ID);
    }
  }

  @Test
  void threadBehindConfirmsWhatWasUsedWhileTheRegistryWasAway() throws Exception {
    fillCopy(ID);
    registry.away.add(ID);
    registry.schemas.put(ID, AFTER);
    try (CachingSchemaRegistry cache =
        new CachingSchemaRegistry(registry, settings(Optional.of(file()), INTERVAL_MS))) {
      assertThat(cache.schema(ID).schema()).isEqualTo(BEFORE);
      registry.away.clear();
      while (cache.contradictions().isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertContradicted(cache, ID);
    }
  }

  /**
   * A caller that gets a contradiction and then requests the schema must not get the former one.
   */
  @Test
  void contradictionIsToldWhenTheSchemaOfBeforeIsForgotten() throws Exception {
    registry.schemas.put(ID, AFTER);
    RegisteredSchema before = new RegisteredSchema(ID, BEFORE);
    CompletableFuture<Confirmations> made = new CompletableFuture<>();
    List<CompletableFuture<Map<SchemaId, SchemaChangedException>>> told = new ArrayList<>();
    Confirmations.Memory memory =
        new Confirmations.Memory() {
          @Override
          public Optional<RegisteredSchema> find(SchemaId id) {
            return Optional.of(before);
          }

          @Override
          public void forget(SchemaId id) {
            told.add(CompletableFuture.supplyAsync(() -> made.join().contradictions()));
            assertThatThrownBy(() -> told.get(0).get(200, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
          }
        };
    Contradictions noted = new Contradictions("fake", "start anew");
    try (Confirmations confirmations =
        new Confirmations(registry, noted, memory, INTERVAL_MS, now::get, false)) {
      made.complete(confirmations);
      confirmations.loaded(ID);
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(INTERVAL_MS));

      confirmations.step();

      assertThat(told.get(0).get(10, TimeUnit.SECONDS)).containsOnlyKeys(ID);
    }
  }

  private void assertContradicted(CachingSchemaRegistry cache, SchemaId id) {
    assertThatThrownBy(() -> cache.schema(id))
        .isInstanceOfSatisfying(SchemaChangedException.class, e -> assertThat(e.id()).isEqualTo(id))
        .hasMessageContaining(
            "of fake had the schema with fingerprint "
                + new RegisteredSchema(id, BEFORE).fingerprint()
                + " and now has the schema with fingerprint "
                + new RegisteredSchema(id, AFTER).fingerprint());
  }

  /** Lets time pass in steps. */
  private void steps(CachingSchemaRegistry cache, long ms) throws InterruptedException {
    long end = now.get() + TimeUnit.MILLISECONDS.toNanos(ms);
    while (true) {
      long wait = cache.confirmations().step();
      if (wait >= end - now.get()) {
        now.set(end);
        return;
      }
      now.addAndGet(wait);
    }
  }

  private void fillCopy(SchemaId... ids) throws Exception {
    try (CachingSchemaRegistry cache = open()) {
      for (SchemaId id : ids) {
        registry.schemas.put(id, BEFORE);
        cache.schema(id);
      }
    }
    registry.asked.clear();
  }

  private CachingSchemaRegistry open() {
    return new CachingSchemaRegistry(
        registry, registry, settings(Optional.of(file()), INTERVAL_MS), now::get, false);
  }

  private CachingSchemaRegistry openWithoutCopy(int intervalMs) {
    return new CachingSchemaRegistry(
        registry, registry, settings(Optional.empty(), intervalMs), now::get, false);
  }

  private static CacheSettings settings(Optional<Path> copy, int intervalMs) {
    return new CacheSettings(100, 1_000_000, 30_000, 30_000, intervalMs, copy, 1 << 20);
  }

  private Path file() {
    return directory.resolve("schemas.jsonl");
  }

  /** A registry in memory. Its ids can be reused, and each id can be unavailable by itself. */
  private final class FakeRegistry implements SchemaRegistry {
    final Map<SchemaId, Schema> schemas = new ConcurrentHashMap<>();
    final Set<SchemaId> away = ConcurrentHashMap.newKeySet();
    final Set<SchemaId> unusable = ConcurrentHashMap.newKeySet();
    final List<SchemaId> asked = new CopyOnWriteArrayList<>();
    volatile int hangsMs;

    @Override
    public RegisteredSchema schema(SchemaId id) throws RegistryException {
      asked.add(id);
      if (away.contains(id)) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(hangsMs));
        throw new RegistryUnavailableException("fake is away", null);
      }
      if (unusable.contains(id)) {
        throw SchemaNotFoundException.unusable("it is of type PROTOBUF", id, location());
      }
      Schema schema = schemas.get(id);
      if (schema == null) {
        throw SchemaNotFoundException.unknown(id, 40403, location());
      }
      return new RegisteredSchema(id, schema);
    }

    @Override
    public String location() {
      return "fake";
    }

    @Override
    public void close() {}
  }
}
