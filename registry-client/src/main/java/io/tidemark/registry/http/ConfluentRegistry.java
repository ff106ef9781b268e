package io.tidemark.registry.http;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A registry that speaks Confluent's REST API: {@code GET /schemas/ids/{id}}, and {@code GET
 * /subjects/{subject}/versions/{version}} for what a schema refers to. It keeps no schema: every
 * lookup asks the service. Safe for use by many threads.
 */
public final class ConfluentRegistry implements SchemaRegistry {
  private final String location;
  private final Rounds rounds;
  private final CountDownLatch closed = new CountDownLatch(1);

  public ConfluentRegistry(ConfluentSettings settings) {
    this.location = settings.location();
    this.rounds =
        new Rounds(
            settings,
            new HttpTransport(settings.connectTimeoutMs(), settings.maxAnswerBytes()),
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextLong(),
            ms -> !closed.await(ms, TimeUnit.MILLISECONDS));
  }

  @Override
  public RegisteredSchema schema(SchemaId id)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    if (closed.getCount() == 0) {
      throw new IllegalStateException("the client of " + location + " is closed");
    }
    if (!(id instanceof SchemaId.Int32 number)) {
      throw SchemaNotFoundException.otherKind(id, "numbers", location);
    }
    Optional<SchemaDocument> document = rounds.get("/schemas/ids/" + number.value());
    if (document.isEmpty()) {
      throw SchemaNotFoundException.unknown(id, 40403, location);
    }
    return new RegisteredSchema(
        id, new SchemaAssembly(id, location, rounds).assemble(document.get()));
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
