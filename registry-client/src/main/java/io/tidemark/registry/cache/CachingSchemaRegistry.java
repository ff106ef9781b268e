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
 * A registry's answers, kept: schemas for good, "not found" for a while, failures not at all; and,
 * if a file is given, the schemas over a restart. Safe for use by many threads, of which one asks
 * for an id that many miss. A hit allocates nothing.
 *
 * <p>What is kept is confirmed by the registry ({@link Confirmations}): the copy on disk before its
 * first use if the registry answers, the schemas in memory from time to time.
 */
public final class CachingSchemaRegistry implements SchemaRegistry {
  private static final int FOR_GOOD = -1;

  private final SchemaRegistry registry;
  private final Optional<SchemaCopy> copy;
  private final AnswerCache<SchemaId, RegisteredSchema> answers;
  private final Contradictions contradictions;
  private final Confirmations confirmations;

  /**
   * A cache in front of a registry, which it closes with itself.
   *
   * @param once the same registry, which answers or fails at once: asked to confirm what is known
   */
  public CachingSchemaRegistry(
      SchemaRegistry registry, SchemaRegistry once, CacheSettings settings) {
    this(registry, once, settings, System::nanoTime, true);
  }

  /** A cache in front of a registry that answers or fails at once. */
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
            .map(file -> SchemaCopy.open(file, registry.location(), settings.maxBytes()));
    this.answers = new AnswerCache<>(new Source(), settings, FOR_GOOD, nanoClock);
    this.contradictions =
        new Contradictions(
            registry.location(),
            settings
                .copy()
                .map(file -> "stop all that use it, delete " + file + " on each machine, and start")
                .orElse("stop all that use it in this process, and start"));
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
    // Nearly always empty, which is told without a lock.
    return contradictions.all().isEmpty() ? Map.of() : confirmations.contradictions();
  }

  /** What confirms; for tests, which let it do its steps. */
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

  /** How many schemas and "not found" answers are kept. */
  public int size() {
    return answers.size();
  }

  /** What they weigh, as the characters of the schemas' texts. */
  public long weight() {
    return answers.weight();
  }

  /** How often the registry behind, or the copy on disk, was asked. */
  public long requests() {
    return answers.requests();
  }

  /** How many lookups ended with "not found", remembered or not. */
  public long notFound() {
    return answers.notFound();
  }

  @Override
  public void close() {
    confirmations.close();
    copy.ifPresent(SchemaCopy::close);
    registry.close();
  }

  /** The schemas that are kept, for those who confirm them. */
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

  /**
   * The copy on disk if it knows the id and the registry does not contradict, else the registry.
   */
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
      return schema.schema().toString().length();
    }
  }
}
