package io.tidemark.registry.confluent;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A cache of all versions of subjects. Versions do not change unless the registry was wiped. The
 * versions of a subject are read again if a cached version is no longer listed, if the newest
 * cached version has another schema, or {@code confirmMs} after they were read. Each call of {@link
 * #schemas} sends one request for the list of versions, and one for the newest cached version. A
 * change of an older version alone is found only after {@code confirmMs}. Safe for use by many
 * threads.
 */
public final class SubjectVersions {
  private final ConfluentSubjects subjects;
  private final int confirmMs;
  private final LongSupplier nanoClock;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  /**
   * The cached versions of a subject.
   *
   * @param sinceNanos the time at which the oldest of them was read
   * @param schemas the schemas by version; empty for a version that is not Avro
   */
  private record Kept(long sinceNanos, NavigableMap<Integer, Optional<RegisteredSchema>> schemas) {}

  /** Creates a cache that keeps a version for {@code confirmMs} ms; 0: without limit. */
  public SubjectVersions(ConfluentSubjects subjects, int confirmMs) {
    this(subjects, confirmMs, System::nanoTime);
  }

  SubjectVersions(ConfluentSubjects subjects, int confirmMs, LongSupplier nanoClock) {
    this.subjects = subjects;
    this.confirmMs = confirmMs;
    this.nanoClock = nanoClock;
  }

  /** Returns every Avro schema of a subject, the oldest first. */
  public List<RegisteredSchema> schemas(String subject)
      throws RegistryException, InterruptedException {
    Kept now = current(subject, subjects.versions(subject));
    kept.put(subject, now);
    List<RegisteredSchema> schemas = new ArrayList<>();
    now.schemas().values().forEach(schema -> schema.ifPresent(schemas::add));
    return schemas;
  }

  private Kept current(String subject, List<Integer> listed)
      throws RegistryException, InterruptedException {
    long nowNanos = nanoClock.getAsLong();
    NavigableMap<Integer, Optional<RegisteredSchema>> schemas = new TreeMap<>();
    long sinceNanos = nowNanos;
    Kept before = kept.get(subject);
    if (before != null && !before.schemas().isEmpty() && isUsable(before, listed, nowNanos)) {
      Map.Entry<Integer, Optional<RegisteredSchema>> newest = before.schemas().lastEntry();
      Optional<RegisteredSchema> answer = ask(subject, newest.getKey());
      schemas.put(newest.getKey(), answer);
      if (isSame(newest.getValue(), answer)) {
        schemas.putAll(before.schemas());
        sinceNanos = before.sinceNanos();
      }
    }
    for (int version : listed) {
      if (!schemas.containsKey(version)) {
        schemas.put(version, ask(subject, version));
      }
    }
    return new Kept(sinceNanos, schemas);
  }

  private boolean isUsable(Kept before, List<Integer> listed, long nowNanos) {
    boolean young =
        confirmMs == 0 || nowNanos - before.sinceNanos() < TimeUnit.MILLISECONDS.toNanos(confirmMs);
    return young && listed.containsAll(before.schemas().keySet());
  }

  /** Compares the texts, which also differ by defaults and aliases. */
  private static boolean isSame(Optional<RegisteredSchema> one, Optional<RegisteredSchema> other) {
    return one.map(RegisteredSchema::id).equals(other.map(RegisteredSchema::id))
        && one.map(schema -> schema.schema().toString())
            .equals(other.map(schema -> schema.schema().toString()));
  }

  private Optional<RegisteredSchema> ask(String subject, int version)
      throws RegistryException, InterruptedException {
    try {
      return Optional.of(subjects.version(subject, version).schema());
    } catch (SchemaNotFoundException e) {
      return Optional.empty();
    }
  }
}
