package io.tidemark.registry.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

final class SharedRegistriesTest {
  private final SharedRegistries<String> shared = new SharedRegistries<>();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void tasksOfOneRegistryShareOneClientAndItsLastUserClosesIt() throws Exception {
    SchemaRegistry first = acquire("a");
    SchemaRegistry second = acquire("a");
    assertThat(made).hasValue(1);
    assertThat(first.location()).isEqualTo("a");

    first.close();
    first.close();
    assertThat(closed).hasValue(0);
    assertThat(second.schema(SchemaId.of(1)).id()).isEqualTo(SchemaId.of(1));
    second.close();
    assertThat(closed).hasValue(1);
    assertThat(shared.size()).isZero();
  }

  @Test
  void otherSettingsLeadToAnotherClient() {
    try (SchemaRegistry first = acquire("a");
        SchemaRegistry second = acquire("b")) {
      assertThat(first.location()).isNotEqualTo(second.location());
      assertThat(shared.size()).isEqualTo(2);
    }
    assertThat(closed).hasValue(2);
  }

  @Test
  void clientIsMadeAnewAfterItsLastUserHasGone() {
    acquire("a").close();
    acquire("a").close();
    assertThat(made).hasValue(2);
  }

  @Test
  void shareThatWasClosedRefusesToAsk() {
    try (SchemaRegistry other = acquire("a")) {
      SchemaRegistry share = acquire("a");
      share.close();
      assertThatThrownBy(() -> share.schema(SchemaId.of(1)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(other.location()).isEqualTo("a");
    }
  }

  @Test
  void registryThatCannotBeMadeLeavesNothing() {
    assertThatThrownBy(
            () ->
                shared.acquire(
                    "a",
                    () -> {
                      throw new IllegalArgumentException("no such key store");
                    }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(shared.size()).isZero();
  }

  private SchemaRegistry acquire(String settings) {
    return shared.acquire(
        settings,
        () -> {
          made.incrementAndGet();
          return new FakeRegistry(settings);
        });
  }

  /** A registry that has every id, and counts the calls that close it. */
  private final class FakeRegistry implements SchemaRegistry {
    private final String location;

    FakeRegistry(String location) {
      this.location = location;
    }

    @Override
    public RegisteredSchema schema(SchemaId id) {
      return new RegisteredSchema(id, Schema.create(Schema.Type.LONG));
    }

    @Override
    public String location() {
      return location;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
