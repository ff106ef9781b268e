package io.tidemark.registry.cache;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.Subjects;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A cache in front of a registry's subjects. The id of a schema in a subject is cached without a
 * time limit. The newest schema is cached for {@link CacheSettings#latestTtlMs}, and "not found"
 * for {@link CacheSettings#notFoundTtlMs}. Lists are not cached. Safe for use by many threads:
 * concurrent misses of a key send one request.
 *
 * <p>After a registration through this cache, {@link #find} and {@link #latest} return the new
 * schema at once. A cached schema that is then deleted in the registry remains in the cache. A
 * schema object must not change after it was passed to a method here.
 */
public final class CachingSubjects implements Subjects {
  private static final int FOR_GOOD = -1;

  /**
   * A schema in a subject. Schemas are compared by their JSON text: {@link Schema#equals} ignores
   * documentation, aliases and an enum's default, but a registry does not. This is fast: Avro
   * caches a schema's hash code, and a writer uses the same object again.
   */
  private record SubjectSchema(String subject, Schema schema) {
    @Override
    @SuppressWarnings("ReferenceEquality") // Fast for the same object; otherwise compares texts.
    public boolean equals(@Nullable Object other) {
      return other instanceof SubjectSchema that
          && subject.equals(that.subject)
          && (schema == that.schema
              || (schema.equals(that.schema) && schema.toString().equals(that.schema.toString())));
    }

    @Override
    public int hashCode() {
      return 31 * subject.hashCode() + schema.hashCode();
    }
  }

  private final Subjects subjects;
  private final AnswerCache<String, RegisteredSchema> latest;
  private final AnswerCache<SubjectSchema, RegisteredSchema> found;
  private final AnswerCache<SubjectSchema, RegisteredSchema> registered;

  /**
   * Creates a cache. The limits apply separately to each kind of entries: newest schemas, ids that
   * were found, and ids that were registered.
   */
  public CachingSubjects(Subjects subjects, CacheSettings settings) {
    this(subjects, settings, System::nanoTime);
  }

  CachingSubjects(Subjects subjects, CacheSettings settings, LongSupplier nanoClock) {
    this.subjects = subjects;
    this.latest =
        new AnswerCache<>(
            new Asking<>(subjects::latest, (subject, answer) -> answer.schema()),
            settings,
            settings.latestTtlMs(),
            nanoClock);
    this.found =
        new AnswerCache<>(
            new Asking<>(
                key -> subjects.findSchema(key.subject(), key.schema()),
                (key, answer) -> key.schema()),
            settings,
            FOR_GOOD,
            nanoClock);
    this.registered =
        new AnswerCache<>(
            new Asking<>(this::registerAnew, (key, answer) -> key.schema()),
            settings,
            FOR_GOOD,
            nanoClock);
  }

  @Override
  public List<String> names() throws RegistryException, InterruptedException {
    return subjects.names();
  }

  @Override
  public RegisteredSchema latest(String subject) throws RegistryException, InterruptedException {
    return latest.get(subject);
  }

  @Override
  public SchemaId find(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return findSchema(subject, schema).id();
  }

  @Override
  public SchemaId register(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return registerSchema(subject, schema).id();
  }

  @Override
  public RegisteredSchema findSchema(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return found.get(new SubjectSchema(subject, schema));
  }

  @Override
  public RegisteredSchema registerSchema(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return registered.get(new SubjectSchema(subject, schema));
  }

  /** Registers a schema, and replaces older entries of it. */
  private RegisteredSchema registerAnew(SubjectSchema key)
      throws RegistryException, InterruptedException {
    RegisteredSchema schema = subjects.registerSchema(key.subject(), key.schema());
    found.put(key, schema);
    latest.forget(key.subject());
    return schema;
  }

  /** Sends requests, and weighs the schema in the key or the value. */
  private record Asking<K, V>(Question<K, V> question, BiFunction<K, V, Schema> schema)
      implements AnswerCache.Source<K, V> {
    @Override
    public V ask(K key) throws RegistryException, InterruptedException {
      return question.ask(key);
    }

    @Override
    public long weight(K key, V answer) {
      return RegisteredSchema.heapBytes(schema.apply(key, answer));
    }
  }

  /** One kind of request to the registry. */
  @FunctionalInterface
  private interface Question<K, V> {
    V ask(K key) throws RegistryException, InterruptedException;
  }
}
