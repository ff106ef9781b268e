package io.tidemark.registry.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
final class CachingSchemaRegistryTest {
  private final List<Thread> threads = new ArrayList<>();
  private final FakeRegistry registry = new FakeRegistry();
  private final AtomicLong nowMs = new AtomicLong(Long.MAX_VALUE / 1_000_000 - 5);

  @Test
  void schemaIsAskedForOnce() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.register(1);
    RegisteredSchema first = cache.schema(SchemaId.of(1));
    assertThat(cache.schema(SchemaId.of(1))).isSameAs(first);
    assertThat(registry.asked()).isEqualTo(1);
    assertThat(cache.requests()).isEqualTo(1);
    assertThat(cache.location()).isEqualTo("fake");
  }

  @Test
  void hitAllocatesNothing() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.register(1);
    SchemaId id = SchemaId.of(1);
    for (int i = 0; i < 100_000; i++) {
      cache.schema(id);
    }
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100_000; i++) {
      cache.schema(id);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
  }

  @Test
  void notFoundIsBelievedForAWhile() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    assertNotFound(cache, 1);
    registry.register(1);
    nowMs.addAndGet(29_999);
    assertNotFound(cache, 1);
    assertThat(registry.asked()).isEqualTo(1);

    nowMs.addAndGet(1);
    assertThat(cache.schema(SchemaId.of(1)).id()).isEqualTo(SchemaId.of(1));
    assertThat(registry.asked()).isEqualTo(2);
    assertThat(cache.notFound()).isEqualTo(2);
  }

  @Test
  void notFoundWithoutALifeIsAskedEveryTime() {
    CachingSchemaRegistry cache = cache(10, 0);
    assertNotFound(cache, 1);
    assertNotFound(cache, 1);
    assertThat(registry.asked()).isEqualTo(2);
  }

  @Test
  void expiredNotFoundTakesNoRoom() throws Exception {
    CachingSchemaRegistry cache = cache(2, 30_000);
    registry.register(2);
    cache.schema(SchemaId.of(2));
    for (int i = 0; i < 5; i++) {
      assertNotFound(cache, 1);
      nowMs.addAndGet(30_000);
    }
    cache.schema(SchemaId.of(2));
    assertThat(registry.asked()).isEqualTo(6);
  }

  @Test
  void failureIsNotRemembered() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.register(1);
    registry.away = true;
    assertThatThrownBy(() -> cache.schema(SchemaId.of(1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage("fake is away");
    registry.away = false;
    assertThat(cache.schema(SchemaId.of(1))).isNotNull();
    assertThat(registry.asked()).isEqualTo(2);
  }

  @Test
  void leastUsedEntryGoesFirst() throws Exception {
    CachingSchemaRegistry cache = cache(3, 30_000);
    for (int id = 1; id <= 4; id++) {
      registry.register(id);
    }
    cache.schema(SchemaId.of(1));
    cache.schema(SchemaId.of(2));
    cache.schema(SchemaId.of(3));
    cache.schema(SchemaId.of(1));
    cache.schema(SchemaId.of(4));
    assertThat(registry.asked()).isEqualTo(4);

    cache.schema(SchemaId.of(1));
    cache.schema(SchemaId.of(3));
    cache.schema(SchemaId.of(4));
    assertThat(registry.asked()).isEqualTo(4);
    cache.schema(SchemaId.of(2));
    assertThat(registry.asked()).isEqualTo(5);
  }

  @Test
  void emptyPropertiesWeighWhatTheyTakeOfTheHeap() throws Exception {
    String schema = "{\"type\":\"fixed\",\"name\":\"F\",\"size\":1,\"p\":[%s{}]}";
    String text = schema.formatted("{},".repeat(100_000));
    registry.schemas.put(
        SchemaId.of(1), new RegisteredSchema(SchemaId.of(1), RegisteredSchema.parse(text)));
    CachingSchemaRegistry cache = new CachingSchemaRegistry(registry, new CacheSettings(10, 1_000));
    cache.schema(SchemaId.of(1));
    assertThat(cache.weight()).isGreaterThan(40L * text.length());
  }

  /** 10,000 aliases in a namespace of 500 characters are full names of 5 million. */
  @ParameterizedTest
  @ValueSource(strings = {"%s", "{\"type\":\"map\",\"values\":[%s]}"})
  void aliasesWeighTheirFullNames(String type) throws Exception {
    String aliases =
        IntStream.range(0, 10_000).mapToObj(i -> "\"a" + i + "\"").collect(Collectors.joining(","));
    String named = "{\"type\":\"record\",\"name\":\"R\",\"namespace\":\"%s\",%s\"fields\":[%s]}";
    String inner = named.formatted("i".repeat(500), "\"aliases\":[" + aliases + "],", "");
    String field = "{\"name\":\"f\",\"type\":%s}".formatted(type.formatted(inner));
    registry.schemas.put(
        SchemaId.of(1),
        new RegisteredSchema(
            SchemaId.of(1), RegisteredSchema.parse(named.formatted("o", "", field))));
    CachingSchemaRegistry cache = new CachingSchemaRegistry(registry, new CacheSettings(10, 1_000));
    cache.schema(SchemaId.of(1));
    assertThat(cache.weight()).isGreaterThan(5_000_000);
  }

  @Test
  void weightIsBoundedAndOneSchemaMayExceedIt() throws Exception {
    CachingSchemaRegistry cache =
        new CachingSchemaRegistry(
            registry,
            new CacheSettings(1_000, 3_000, 30_000, 30_000, 600_000, Optional.empty(), 1 << 20));
    for (int id = 1; id <= 100; id++) {
      registry.register(id);
      cache.schema(SchemaId.of(id));
      assertThat(cache.weight()).isLessThanOrEqualTo(3_000);
    }
    assertThat(cache.size()).isGreaterThan(1);

    registry.schemas.put(
        SchemaId.of(7_000),
        new RegisteredSchema(
            SchemaId.of(7_000), Schema.createFixed("F", "x".repeat(3_000), "", 1)));
    cache.schema(SchemaId.of(7_000));
    cache.schema(SchemaId.of(7_000));
    assertThat(cache.size()).isEqualTo(1);
    assertThat(registry.asked()).isEqualTo(101);
  }

  @Test
  void floodOfUnknownIdsStaysBoundedAndSparesWhatIsUsed() throws Exception {
    CachingSchemaRegistry cache = cache(100, 30_000);
    registry.register(-1);
    for (int id = 0; id < 10_000; id++) {
      cache.schema(SchemaId.of(-1));
      assertNotFound(cache, id);
    }
    assertThat(registry.asked()).isEqualTo(10_001);
    assertThat(cache.size()).isEqualTo(100);
  }

  @Test
  void thousandThreadsThatMissOneIdMakeOneRequest() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.register(1);
    registry.hold();
    List<FutureTask<RegisteredSchema>> lookups = start(cache, 1_000);
    awaitWaiting(999);
    registry.letGo();
    RegisteredSchema first = lookups.get(0).get();
    for (FutureTask<RegisteredSchema> lookup : lookups) {
      assertThat(lookup.get()).isSameAs(first);
    }
    assertThat(registry.asked()).isEqualTo(1);
    assertThat(cache.requests()).isEqualTo(1);
  }

  @Test
  void failedFlightFailsAllWhoWaitAndTheNextCallTriesAnew() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.register(1);
    registry.away = true;
    registry.hold();
    List<FutureTask<RegisteredSchema>> lookups = start(cache, 10);
    awaitWaiting(9);
    registry.letGo();
    for (FutureTask<RegisteredSchema> lookup : lookups) {
      assertThatThrownBy(lookup::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(RegistryUnavailableException.class);
    }
    assertThat(registry.asked()).isEqualTo(1);

    registry.away = false;
    assertThat(cache.schema(SchemaId.of(1))).isNotNull();
    assertThat(registry.asked()).isEqualTo(2);
  }

  @Test
  void notFoundIsSharedByAllWhoWait() throws Exception {
    CachingSchemaRegistry cache = cache(10, 0);
    registry.hold();
    List<FutureTask<RegisteredSchema>> lookups = start(cache, 10);
    awaitWaiting(9);
    registry.letGo();
    for (FutureTask<RegisteredSchema> lookup : lookups) {
      assertThatThrownBy(lookup::get).hasCauseInstanceOf(SchemaNotFoundException.class);
    }
    assertThat(registry.asked()).isEqualTo(1);
    assertThat(cache.notFound()).isEqualTo(10);
  }

  @Test
  void interruptedWaiterLeavesTheOthersAlone() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.register(1);
    registry.hold();
    List<FutureTask<RegisteredSchema>> lookups = start(cache, 5);
    awaitWaiting(4);
    Thread waiter = threads.stream().filter(thread -> thread != registry.asking).findAny().get();
    waiter.interrupt();
    waiter.join();
    registry.letGo();
    assertOneInterrupted(lookups);
    assertThat(registry.asked()).isEqualTo(1);
  }

  @Test
  void interruptedAskerIsReplacedByOneWhoWaits() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.register(1);
    registry.hold();
    List<FutureTask<RegisteredSchema>> lookups = start(cache, 5);
    awaitWaiting(4);
    Thread asker = registry.asking;
    asker.interrupt();
    asker.join();
    registry.letGo();
    assertOneInterrupted(lookups);
    assertThat(registry.asked()).isEqualTo(2);
  }

  @Test
  void brokenRegistryHoldsNobody() throws Exception {
    CachingSchemaRegistry cache = cache(10, 30_000);
    registry.broken = true;
    registry.hold();
    List<FutureTask<RegisteredSchema>> lookups = start(cache, 5);
    awaitWaiting(4);
    registry.letGo();
    for (FutureTask<RegisteredSchema> lookup : lookups) {
      assertThatThrownBy(lookup::get).hasCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void closingClosesTheRegistryBehind() {
    cache(10, 30_000).close();
    assertThat(registry.closed).isTrue();
  }

  private CachingSchemaRegistry cache(int maxEntries, int notFoundTtlMs) {
    return new CachingSchemaRegistry(
        registry,
        registry,
        new CacheSettings(maxEntries, notFoundTtlMs),
        () -> TimeUnit.MILLISECONDS.toNanos(1) * nowMs.get(),
        false);
  }

  private List<FutureTask<RegisteredSchema>> start(CachingSchemaRegistry cache, int count) {
    List<FutureTask<RegisteredSchema>> lookups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FutureTask<RegisteredSchema> lookup = new FutureTask<>(() -> cache.schema(SchemaId.of(1)));
      Thread thread = new Thread(null, lookup, "lookup-" + i, 128 * 1024);
      thread.start();
      lookups.add(lookup);
      threads.add(thread);
    }
    return lookups;
  }

  /** Returns when one thread requests a schema and all others wait for it. */
  private void awaitWaiting(int count) {
    while (registry.asked() == 0
        || threads.stream()
                .filter(thread -> thread != registry.asking)
                .filter(thread -> thread.getState() == Thread.State.WAITING)
                .count()
            < count) {
      Thread.onSpinWait();
    }
  }

  private static void assertOneInterrupted(List<FutureTask<RegisteredSchema>> lookups)
      throws InterruptedException {
    int interrupted = 0;
    for (FutureTask<RegisteredSchema> lookup : lookups) {
      try {
        assertThat(lookup.get().id()).isEqualTo(SchemaId.of(1));
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(InterruptedException.class);
        interrupted++;
      }
    }
    assertThat(interrupted).isEqualTo(1);
  }

  private static void assertNotFound(CachingSchemaRegistry cache, int id) {
    assertThatThrownBy(() -> cache.schema(SchemaId.of(id)))
        .isInstanceOfSatisfying(
            SchemaNotFoundException.class, e -> assertThat(e.id()).isEqualTo(SchemaId.of(id)))
        .hasMessageStartingWith("schema id " + id + " is unknown to fake.");
  }

  /** A registry in memory that tests can pause, make unavailable, and break. */
  private static final class FakeRegistry implements SchemaRegistry {
    private final Map<SchemaId, RegisteredSchema> schemas = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final Semaphore gate = new Semaphore(Integer.MAX_VALUE);
    volatile boolean away;
    volatile boolean broken;
    volatile boolean closed;
    volatile Thread asking = Thread.currentThread();

    void register(int id) {
      schemas.put(
          SchemaId.of(id),
          new RegisteredSchema(SchemaId.of(id), Schema.createFixed("F" + (id + 1), null, "", 1)));
    }

    void hold() {
      gate.drainPermits();
    }

    void letGo() {
      gate.release(1_000_000);
    }

    int asked() {
      return asked.get();
    }

    @Override
    public RegisteredSchema schema(SchemaId id)
        throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
      asking = Thread.currentThread();
      asked.incrementAndGet();
      gate.acquire();
      if (broken) {
        throw new IllegalStateException("broken");
      }
      if (away) {
        throw new RegistryUnavailableException("fake is away", null);
      }
      RegisteredSchema schema = schemas.get(id);
      if (schema == null) {
        throw SchemaNotFoundException.unknown(id, 40403, location());
      }
      return schema;
    }

    @Override
    public String location() {
      return "fake";
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
