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
 * A registry's subjects, with what a writer asks for again and again kept: the id of a schema in a
 * subject for good, the newest schema for a while, "no" for a while. Lists are asked for each time.
 * Safe for use by many threads, of which one asks for what many miss.
 *
 * <p>A registration through this cache is seen by the next {@link #find} and {@link #latest}. A
 * schema that was found or registered and is then deleted in the registry stays known here. A
 * schema object must not change once it was given to a method here.
 */
public final class CachingSubjects implements Subjects {
  private static final int FOR_GOOD = -1;

  /**
   * A schema in a subject. Schemas are the same here when their texts are: {@link Schema#equals}
   * leaves out documentation, aliases and an enum's default, and a registry does not. Avro keeps a
   * schema's hash code, and a writer asks with the same object again, so that this is quick.
   */
  private record SubjectSchema(String subject, Schema schema) {
    @Override
    @SuppressWarnings("ReferenceEquality") // Quick for the same object; texts decide else.
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
  private final AnswerCache<SubjectSchema, SchemaId> found;
  private final AnswerCache<SubjectSchema, SchemaId> registered;

  /**
   * A cache in front of a registry's subjects; each of its three kinds of answers has its bounds.
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
                key -> subjects.find(key.subject(), key.schema()), (key, id) -> key.schema()),
            settings,
            FOR_GOOD,
            nanoClock);
    this.registered =
        new AnswerCache<>(
            new Asking<>(this::registerAnew, (key, id) -> key.schema()),
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
    return found.get(new SubjectSchema(subject, schema));
  }

  @Override
  public SchemaId register(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return registered.get(new SubjectSchema(subject, schema));
  }

  /** Registers, and corrects what was kept of the time before. */
  private SchemaId registerAnew(SubjectSchema key) throws RegistryException, InterruptedException {
    SchemaId id = subjects.register(key.subject(), key.schema());
    found.put(key, id);
    latest.forget(key.subject());
    return id;
  }

  /** Asks the registry, and weighs the schema that key or answer holds. */
  private record Asking<K, V>(Question<K, V> question, BiFunction<K, V, Schema> schema)
      implements AnswerCache.Source<K, V> {
    @Override
    public V ask(K key) throws RegistryException, InterruptedException {
      return question.ask(key);
    }

    @Override
    public long weight(K key, V answer) {
      return schema.apply(key, answer).toString().length();
    }
  }

  /** One kind of question to the registry. */
  @FunctionalInterface
  private interface Question<K, V> {
    V ask(K key) throws RegistryException, InterruptedException;
  }
}
