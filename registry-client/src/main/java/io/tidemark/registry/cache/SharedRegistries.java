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
 * Internal. Clients that several users of a process share, with reference counting. A client is
 * opened at the first use of its settings, and closed with its last user. Safe for use by many
 * threads.
 *
 * @param <K> the settings. Equal settings share a client, so {@code equals} must include the
 *     credentials. {@code toString()} must not contain them
 */
public final class SharedRegistries<K> {

  /** A client and the number of its users. Guarded by the map. */
  private static final class Entry {
    private final SchemaRegistry registry;
    private int users;

    Entry(SchemaRegistry registry) {
      this.registry = registry;
    }
  }

  /** The clients by settings. Guarded by itself. */
  private final Map<K, Entry> entries = new HashMap<>();

  /**
   * Returns a handle to the client for the given settings.
   *
   * @param maker opens the client at its first use; called under a lock, so it must not wait
   * @return a handle to the shared client, which the caller must close
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

  /** Returns the number of clients in use. */
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
    // Not under the lock, because closing may wait for the disk.
    entry.registry.close();
  }

  /** The handle of one user. Only the first close counts. */
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
