package io.tidemark.registry.cache;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A registry's answers, kept: schemas for good, "not found" for a while, failures not at all; and,
 * if a file is given, the schemas over a restart. Safe for use by many threads, of which one asks
 * for an id that many miss. A hit allocates nothing.
 */
public final class CachingSchemaRegistry implements SchemaRegistry {
  private static final int FOR_GOOD = -1;

  private final SchemaRegistry registry;
  private final Optional<SchemaCopy> copy;
  private final AnswerCache<SchemaId, RegisteredSchema> answers;

  /** A cache in front of a registry, which it closes with itself. */
  public CachingSchemaRegistry(SchemaRegistry registry, CacheSettings settings) {
    this(registry, settings, System::nanoTime);
  }

  CachingSchemaRegistry(SchemaRegistry registry, CacheSettings settings, LongSupplier nanoClock) {
    this.registry = registry;
    this.copy =
        settings
            .copy()
            .map(file -> SchemaCopy.open(file, registry.location(), settings.maxBytes()));
    this.answers = new AnswerCache<>(new Source(), settings, FOR_GOOD, nanoClock);
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
    return answers.get(id);
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
    copy.ifPresent(SchemaCopy::close);
    registry.close();
  }

  /** The copy on disk if it knows the id, else the registry. */
  private final class Source implements AnswerCache.Source<SchemaId, RegisteredSchema> {
    @Override
    public RegisteredSchema ask(SchemaId id) throws RegistryException, InterruptedException {
      Optional<RegisteredSchema> copied = copy.flatMap(known -> known.find(id));
      if (copied.isPresent()) {
        return copied.get();
      }
      RegisteredSchema schema = registry.schema(id);
      copy.ifPresent(known -> known.add(schema));
      return schema;
    }

    @Override
    public long weight(SchemaId id, RegisteredSchema schema) {
      return schema.schema().toString().length();
    }
  }
}
