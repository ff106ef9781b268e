package io.tidemark.registry.confluent;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The ids of all versions of subjects, without the schemas, which could need more than the heap.
 * Versions do not change unless the registry was wiped. The versions of a subject are read again if
 * a known version is no longer listed, if the newest known version has another schema, or {@code
 * confirmMs} after they were read. Each call of {@link #ids} sends one request for the list of
 * versions, and one for the newest known version. A change of an older version alone is found only
 * after {@code confirmMs}. Safe for use by many threads.
 */
public final class SubjectVersions {
  private final ConfluentSubjects subjects;
  private final int confirmMs;
  private final LongSupplier nanoClock;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  /**
   * A version.
   *
   * @param text the fingerprint of its text, which also differs by defaults and aliases
   * @param canonical the CRC-64-AVRO fingerprint
   */
  private record Version(SchemaId id, String text, long canonical) {
    static Version of(RegisteredSchema schema) {
      return new Version(schema.id(), schema.fingerprint(), schema.canonicalFingerprint());
    }
  }

  /**
   * The known versions of a subject.
   *
   * @param sinceNanos the time at which the oldest of them was read
   * @param versions by number; empty for a version that is not Avro
   */
  private record Kept(long sinceNanos, NavigableMap<Integer, Optional<Version>> versions) {}

  /** Keeps a version for {@code confirmMs} ms; 0: without limit. */
  public SubjectVersions(ConfluentSubjects subjects, int confirmMs) {
    this(subjects, confirmMs, System::nanoTime);
  }

  SubjectVersions(ConfluentSubjects subjects, int confirmMs, LongSupplier nanoClock) {
    this.subjects = subjects;
    this.confirmMs = confirmMs;
    this.nanoClock = nanoClock;
  }

  /**
   * Returns the ids of all Avro schemas of a subject by CRC-64-AVRO fingerprint; of several schemas
   * with the same, the id of the newest.
   */
  public Map<Long, SchemaId> ids(String subject) throws RegistryException, InterruptedException {
    Kept now = current(subject, subjects.versions(subject));
    kept.put(subject, now);
    Map<Long, SchemaId> ids = new LinkedHashMap<>();
    for (Optional<Version> version : now.versions().values()) {
      version.ifPresent(avro -> ids.put(avro.canonical(), avro.id()));
    }
    return ids;
  }

  private Kept current(String subject, List<Integer> listed)
      throws RegistryException, InterruptedException {
    long nowNanos = nanoClock.getAsLong();
    NavigableMap<Integer, Optional<Version>> versions = new TreeMap<>();
    long sinceNanos = nowNanos;
    Kept before = kept.get(subject);
    if (before != null && !before.versions().isEmpty() && isUsable(before, listed, nowNanos)) {
      Map.Entry<Integer, Optional<Version>> newest = before.versions().lastEntry();
      Optional<Version> answer = ask(subject, newest.getKey());
      versions.put(newest.getKey(), answer);
      if (newest.getValue().equals(answer)) {
        versions.putAll(before.versions());
        sinceNanos = before.sinceNanos();
      }
    }
    for (int version : listed) {
      if (!versions.containsKey(version)) {
        versions.put(version, ask(subject, version));
      }
    }
    return new Kept(sinceNanos, versions);
  }

  private boolean isUsable(Kept before, List<Integer> listed, long nowNanos) {
    boolean young =
        confirmMs == 0 || nowNanos - before.sinceNanos() < TimeUnit.MILLISECONDS.toNanos(confirmMs);
    return young && new HashSet<>(listed).containsAll(before.versions().keySet());
  }

  private Optional<Version> ask(String subject, int version)
      throws RegistryException, InterruptedException {
    try {
      return Optional.of(Version.of(subjects.version(subject, version).schema()));
    } catch (SchemaNotFoundException e) {
      return Optional.empty();
    }
  }
}
