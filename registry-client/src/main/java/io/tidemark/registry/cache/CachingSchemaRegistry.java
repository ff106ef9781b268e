package io.tidemark.registry.cache;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A cache in front of a registry. Schemas are cached without a time limit. "Not found" is cached
 * for {@link CacheSettings#notFoundTtlMs}. Failures are not cached. A cache file can keep the
 * schemas for the next start. Safe for use by many threads: concurrent misses of an id send one
 * request. A hit allocates nothing.
 *
 * <p>To <i>confirm</i> a schema is to compare it with the registry's. A schema of the file is
 * confirmed before its first use, if the registry responds. Schemas in memory are confirmed in the
 * background, at the interval {@link CacheSettings#confirmMs}. {@link #contradictions} returns the
 * ids of schemas that differ.
 */
public final class CachingSchemaRegistry implements SchemaRegistry {
  private static final int FOR_GOOD = -1;

  private final SchemaRegistry registry;
  private final Optional<SchemaCopy> copy;
  private final AnswerCache<SchemaId, RegisteredSchema> answers;
  private final Contradictions contradictions;
  private final Confirmations confirmations;

  /**
   * Creates a cache in front of a registry.
   *
   * @param registry the client that is cached; closing the cache closes this client
   * @param once a client of the same registry that does not retry, for confirming schemas (see
   *     {@code ConfluentRegistry.once()})
   */
  public CachingSchemaRegistry(
      SchemaRegistry registry, SchemaRegistry once, CacheSettings settings) {
    this(registry, once, settings, System::nanoTime, true);
  }

  /**
   * Creates a cache in front of a registry. The same registry client also confirms the schemas. Use
   * this only for a registry client that does not retry.
   */
  public CachingSchemaRegistry(SchemaRegistry registry, CacheSettings settings) {
    this(registry, registry, settings);
  }

  CachingSchemaRegistry(
      SchemaRegistry registry,
      SchemaRegistry once,
      CacheSettings settings,
      LongSupplier nanoClock,
      boolean confirmsBehind) {
    this.registry = registry;
    this.copy =
        settings
            .copy()
            .map(
                file ->
                    SchemaCopy.open(
                        file, registry.location(), settings.maxBytes(), settings.maxSchemaBytes()));
    this.answers = new AnswerCache<>(new Source(), settings, FOR_GOOD, nanoClock);
    this.contradictions =
        new Contradictions(
            registry.location(),
            settings
                .copy()
                .map(
                    file ->
                        "stop all clients of the registry, delete "
                            + file
                            + " on each machine, and start them again")
                .orElse("stop all clients of the registry in this process, and start them again"));
    this.confirmations =
        new Confirmations(
            once, contradictions, new Memory(), settings.confirmMs(), nanoClock, confirmsBehind);
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
    return answers.get(id);
  }

  @Override
  public Map<SchemaId, SchemaChangedException> contradictions() {
    // Nearly always empty, which needs no lock.
    return contradictions.all().isEmpty() ? Map.of() : confirmations.contradictions();
  }

  /** Returns the confirmations, for tests that run their steps. */
  Confirmations confirmations() {
    return confirmations;
  }

  @Override
  public boolean remembers(SchemaId id) {
    return answers.find(id).isPresent();
  }

  @Override
  public String location() {
    return registry.location();
  }

  /** Returns the number of schemas and "not found" responses in the cache. */
  public int size() {
    return answers.size();
  }

  /** Returns the estimated heap of the cached schemas, in bytes. */
  public long weight() {
    return answers.weight();
  }

  /**
   * Returns the number of lookups that were not answered from memory, but by the registry or the
   * cache file. Concurrent lookups of an id count as one.
   */
  public long requests() {
    return answers.requests();
  }

  /** Returns the number of lookups that ended with "not found", cached or not. */
  public long notFound() {
    return answers.notFound();
  }

  @Override
  public void close() {
    confirmations.close();
    copy.ifPresent(SchemaCopy::close);
    registry.close();
  }

  /** The schemas in memory, for the confirmations. */
  private final class Memory implements Confirmations.Memory {
    @Override
    public Optional<RegisteredSchema> find(SchemaId id) {
      return answers.find(id);
    }

    @Override
    public void forget(SchemaId id) {
      answers.forget(id);
    }
  }

  /** Returns the schema of the cache file, or the registry's if the file lacks it. */
  private final class Source implements AnswerCache.Source<SchemaId, RegisteredSchema> {
    @Override
    public RegisteredSchema ask(SchemaId id) throws RegistryException, InterruptedException {
      Optional<RegisteredSchema> known =
          contradictions.before(id).or(() -> copy.flatMap(kept -> kept.find(id)));
      if (known.isPresent()) {
        return id.isAssigned() ? confirmations.confirmed(known.get()) : known.get();
      }
      RegisteredSchema schema = registry.schema(id);
      copy.ifPresent(kept -> kept.add(schema));
      confirmations.loaded(id);
      return schema;
    }

    @Override
    public long weight(SchemaId id, RegisteredSchema schema) {
      return schema.heapBytes();
    }
  }
}
