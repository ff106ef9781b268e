package io.tidemark.registry.cache;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Registries that several users of one process share, so that all tasks of a worker ask once for an
 * id: made for the first who asks for given settings, closed by the last who closes. Safe for use
 * by many threads.
 *
 * @param <K> the settings: equal ones lead to one registry, so they must hold the credentials, and
 *     must not print them
 */
public final class SharedRegistries<K> {

  /** A registry and how many use it. Guarded by the map that holds it. */
  private static final class Entry {
    private final SchemaRegistry registry;
    private int users;

    Entry(SchemaRegistry registry) {
      this.registry = registry;
    }
  }

  /** Guarded by itself. */
  private final Map<K, Entry> entries = new HashMap<>();

  /**
   * The registry of some settings.
   *
   * @param maker makes it if nobody uses one; called under a lock, so it must not wait
   * @return a registry of the caller's own to close, which leads to the shared one
   */
  public SchemaRegistry acquire(K settings, Supplier<? extends SchemaRegistry> maker) {
    synchronized (entries) {
      Entry entry = entries.get(settings);
      if (entry == null) {
        entry = new Entry(maker.get());
        entries.put(settings, entry);
      }
      entry.users++;
      return new Share(settings, entry);
    }
  }

  /** How many registries are in use. */
  public int size() {
    synchronized (entries) {
      return entries.size();
    }
  }

  private void release(K settings, Entry entry) {
    synchronized (entries) {
      entry.users--;
      if (entry.users > 0) {
        return;
      }
      entries.remove(settings);
    }
    // Not under the lock: closing may wait for the disk.
    entry.registry.close();
  }

  /** One user's share; closing it twice gives it back once. */
  private final class Share implements SchemaRegistry {
    private final K settings;
    private final Entry entry;
    private final AtomicBoolean closed = new AtomicBoolean();

    Share(K settings, Entry entry) {
      this.settings = settings;
      this.entry = entry;
    }

    @Override
    public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
      if (closed.get()) {
        throw new IllegalStateException("the client of " + location() + " is closed");
      }
      return entry.registry.schema(id);
    }

    @Override
    public Map<SchemaId, SchemaChangedException> contradictions() {
      return entry.registry.contradictions();
    }

    @Override
    public boolean remembers(SchemaId id) {
      return entry.registry.remembers(id);
    }

    @Override
    public String location() {
      return entry.registry.location();
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        release(settings, entry);
      }
    }
  }
}
