package io.tidemark.registry.fingerprint;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A registry that also looks up schemas by their CRC-64-AVRO fingerprints. Registries have no such
 * lookup, so this class loads the ids of all schemas of the configured subjects. It looks up the
 * schema of an id, and all other ids, in the wrapped registry. It keeps no schemas, because those
 * of large subjects could need more than the heap. Safe for use by many threads.
 *
 * <p>The subjects are loaded at the first fingerprint, and again for an unknown fingerprint, or if
 * an id no longer has the schema. If a load that began after the call of {@link #schema} does not
 * find the fingerprint either, the call throws a {@link
 * io.tidemark.registry.SchemaNotFoundException}. A schema that was registered before its first
 * record is therefore always found. Loads begin no more often than configured. Lookups in between
 * wait, and share the next load.
 *
 * <p>A fingerprint ignores defaults, aliases, documentation and logical types. If several schemas
 * have the same fingerprint, the newest schema of the last listed subject is returned.
 */
public final class FingerprintRegistry implements SchemaRegistry {

  /** Lists the schemas of a subject. */
  @FunctionalInterface
  public interface Source {
    /**
     * Returns the ids of all Avro schemas of the subject, by fingerprint. Of several schemas with
     * the same, it has the newest.
     */
    Map<Long, SchemaId> ids(String subject) throws RegistryException, InterruptedException;
  }

  /** Waits for a time. */
  @FunctionalInterface
  interface Pause {
    void sleep(long nanos) throws InterruptedException;
  }

  private final SchemaRegistry registry;
  private final Source source;
  private final FingerprintSettings settings;
  private final LongSupplier nanoClock;
  private final Pause pause;

  /** Locked while the schemas are loaded. */
  private final ReentrantLock loading = new ReentrantLock();

  private volatile Map<Long, SchemaId> known = Map.of();

  /** The number of loads that have begun. Written under the lock. */
  private volatile long begun;

  /** The numbers of the last load that succeeded and the last that failed. Guarded by the lock. */
  private long succeeded;

  private long failed;
  private @Nullable RegistryUnavailableException failure;
  private long lastBeginNanos;

  /**
   * @param registry looks up other ids, and is closed with this one
   * @param source the same registry's subjects
   */
  public FingerprintRegistry(SchemaRegistry registry, Source source, FingerprintSettings settings) {
    this(registry, source, settings, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  FingerprintRegistry(
      SchemaRegistry registry,
      Source source,
      FingerprintSettings settings,
      LongSupplier nanoClock,
      Pause pause) {
    this.registry = registry;
    this.source = source;
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.pause = pause;
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
    if (!(id instanceof SchemaId.Fingerprint fingerprint)) {
      return registry.schema(id);
    }
    long asked = begun;
    Optional<RegisteredSchema> schema = find(fingerprint);
    if (schema.isEmpty()) {
      loadAfter(asked);
      schema = find(fingerprint);
    }
    if (schema.isPresent()) {
      return schema.get();
    }
    SchemaId listed = known.get(fingerprint.value());
    if (listed != null) {
      // Not a "not found": a node that lags behind must not turn good records into bad ones.
      throw new RegistryUnavailableException(
          location()
              + " lists "
              + listed
              + " with "
              + id
              + " in a subject, but returned another schema, or none, for that id. Its nodes may have different states, or it was changed meanwhile. The lookup is repeated; if it fails for minutes, check the registry's nodes.",
          null);
    }
    throw new SchemaNotFoundException(
        id
            + " belongs to no schema of the subjects "
            + settings.subjects()
            + " of "
            + location()
            + ". The producer's schema was not registered there. Register it, add its subject to"
            + " schema.registry.subjects, or skip such records.",
        0,
        id,
        location());
  }

  /** Returns the schema; empty if it is not known, or its id was deleted or assigned again. */
  private Optional<RegisteredSchema> find(SchemaId.Fingerprint fingerprint)
      throws RegistryException, InterruptedException {
    SchemaId id = known.get(fingerprint.value());
    if (id == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(registry.schema(id))
          .filter(schema -> schema.canonicalFingerprint() == fingerprint.value());
    } catch (SchemaNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Returns when a load that began after the given one has succeeded. */
  private void loadAfter(long asked) throws RegistryUnavailableException, InterruptedException {
    loading.lockInterruptibly();
    try {
      if (succeeded > asked) {
        return;
      }
      if (failure != null && failed > asked) {
        throw failure.again();
      }
      if (begun > 0) {
        long wait =
            lastBeginNanos
                + TimeUnit.MILLISECONDS.toNanos(settings.refreshMs())
                - nanoClock.getAsLong();
        if (wait > 0) {
          pause.sleep(wait);
        }
      }
      load();
    } finally {
      loading.unlock();
    }
  }

  private void load() throws RegistryUnavailableException, InterruptedException {
    lastBeginNanos = nanoClock.getAsLong();
    long number = begun + 1;
    begun = number;
    Map<Long, SchemaId> loaded = new HashMap<>();
    try {
      for (String subject : settings.subjects()) {
        loaded.putAll(ids(subject));
      }
    } catch (RegistryUnavailableException e) {
      failure = e;
      failed = number;
      throw e;
    }
    known = Map.copyOf(loaded);
    succeeded = number;
  }

  private Map<Long, SchemaId> ids(String subject)
      throws RegistryUnavailableException, InterruptedException {
    try {
      return source.ids(subject);
    } catch (RegistryUnavailableException e) {
      throw e;
    } catch (RegistryRefusedException e) {
      if (e.reason() == Reason.SUBJECT_NOT_FOUND) {
        return Map.of(); // No schema has been registered there yet.
      }
      throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e.code(), e);
    } catch (RegistryException e) {
      throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e.code(), e);
    }
  }

  @Override
  public String location() {
    return registry.location();
  }

  @Override
  public void close() {
    registry.close();
  }
}
