package io.tidemark.connect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.health.MeasuredService;
import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.ServiceCalls;
import io.tidemark.connect.health.Waits;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.cache.CacheSettings;
import io.tidemark.registry.cache.CachingSchemaRegistry;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.StoreRefusedException.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of services are counted where they are made. */
final class ServiceMetricsTest {
  private static final StoragePath FILE = new StoragePath("/file");

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private long nowMs = 1_000;
  private final Waits waits = new Waits(Map.of(), () -> nowMs, Clock.systemUTC());
  private final ServiceCalls ofStore = new ServiceCalls(Service.STORE, "hdfs://nn", () -> nowMs);
  private final ServiceCalls ofRegistry =
      new ServiceCalls(Service.SCHEMA_REGISTRY, "http://registry", () -> nowMs);
  private final FaultyStorage faulty = new FaultyStorage(new MemoryStorage());
  private final Storage storage = MeasuredService.of(Storage.class, faulty, ofStore);
  private final List<MetricBean<?>> beans =
      List.of(
          ServiceMetrics.bean("calls", 0, ofStore, waits),
          ServiceMetrics.bean("calls", 0, ofRegistry, waits));

  @BeforeEach
  void register() {
    beans.forEach(MetricBean::register);
  }

  @AfterEach
  void unregister() {
    beans.forEach(MetricBean::close);
    assertThat(server.isRegistered(bean("store"))).isFalse();
  }

  @Test
  void callsOfTheStoreAreCountedByTheirOutcome() throws Exception {
    try (OutputStream file = storage.create(FILE)) {
      file.write(new byte[10]);
    }
    assertThat(storage.open(FILE).readAllBytes()).hasSize(10);
    assertThat(storage.find(FILE)).isPresent();
    // A missing file is a valid answer.
    assertThatThrownBy(() -> storage.open(new StoragePath("/none")))
        .isInstanceOf(IOException.class);
    assertThat(number("store", "CallsAnswered")).isGreaterThanOrEqualTo(6);
    assertThat(number("store", "CallsFailed")).isZero();
    assertThat(number("store", "CallNanos")).isPositive();

    faulty.failBefore(call -> true);
    assertThatThrownBy(() -> storage.find(FILE)).isInstanceOf(IOException.class);
    assertThat(number("store", "CallsFailed")).isEqualTo(1);
    assertThat(server.getAttribute(bean("store"), "Address")).isEqualTo("hdfs://nn");
  }

  @Test
  void callThatIsUnderWayIsSeen() throws Exception {
    try (ServiceCalls.Call call = ofStore.begin("list")) {
      nowMs += 700;
      assertThat(number("store", "LongestCallMs")).isEqualTo(700);
      call.answer();
    }
    assertThat(number("store", "LongestCallMs")).isZero();
  }

  @Test
  void refusalsAndRetriesAreCountedByTheirService() throws Exception {
    waits.failed(1, "a-0", new StoreRefusedException(Reason.QUOTA, "full", "Raise it.", null));
    waits.failed(2, "a-1", new StoreRefusedException(Reason.ACCESS, "denied", "Let it.", null));
    waits.failed(2, "a-1", new IOException("away"));
    waits.failed(3, "a-1", new RegistryUnavailableException("who are you", 401, null));
    assertThat(number("store", "Retries")).isEqualTo(3);
    assertThat(number("store", "RefusalsQuota")).isEqualTo(1);
    assertThat(number("store", "RefusalsAccess")).isEqualTo(1);
    assertThat(number("schema-registry", "Retries")).isEqualTo(1);
    assertThat(number("schema-registry", "RefusalsLogin")).isEqualTo(1);
  }

  @Test
  void schemasOfTheCacheAreToldFromThoseThatAreAskedFor() throws Exception {
    SchemaRegistry cached =
        new CachingSchemaRegistry(new OneAnswer(), new CacheSettings(10, 1_000));
    try (SchemaRegistry registry = MeasuredService.of(SchemaRegistry.class, cached, ofRegistry)) {
      for (int each = 0; each < 5; each++) {
        assertThat(registry.schema(SchemaId.of(7)).schema())
            .isEqualTo(Schema.create(Schema.Type.INT));
      }
    }
    assertThat(number("schema-registry", "CacheMisses")).isEqualTo(1);
    assertThat(number("schema-registry", "CacheHits")).isEqualTo(4);
    assertThat(number("schema-registry", "CallsAnswered")).isEqualTo(1);
  }

  private long number(String service, String attribute) throws JMException {
    return (long) server.getAttribute(bean(service), attribute);
  }

  private static ObjectName bean(String service) {
    return ServiceMetrics.OF_REGISTRY.objectName("calls", 0, service);
  }

  /** A registry that has the schema {@code int} for each id. */
  private record OneAnswer() implements SchemaRegistry {
    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, Schema.create(Schema.Type.INT));
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
