package io.tidemark.avro.object;

import io.tidemark.avro.codegen.ClassCache;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/**
 * The entries of readers and writers by their schemas. Safe for use by many threads.
 *
 * <p>The same {@code Schema} objects are found by identity. Other objects are compared with those
 * of the same hash code, so that a program that parses a schema for each datum finds its class,
 * too.
 *
 * <p>A schema that was used once is not kept: the garbage collector may free it. Schemas that were
 * found again, or that have a class, are kept up to a number and to a weight.
 */
final class DatumClasses {
  /** The maximum number of entries that are compared with a schema. */
  private static final int MOST_OF_A_HASH = 8;

  /** Keys and entries without a schema are small, so more of them are kept. */
  private static final int LIGHT_FACTOR = 4;

  /** A member or an element of a schema's text becomes an object, mostly with a map of its own. */
  private static final int PART_BYTES = 80;

  private final int maxClasses;
  private final long maxWeight;
  private final ReferenceQueue<Schema> freed = new ReferenceQueue<>();
  private final Map<Object, Slot> byIdentity;
  private final Map<Integer, List<Slot>> byHash = new HashMap<>();

  /** The entries whose schemas are not kept, the least recently used first. */
  private final Map<Slot, Boolean> light = new LinkedHashMap<>(16, 0.75f, true);

  /** The entries whose schemas are kept, the least recently used first. */
  private final Map<Slot, Boolean> heavy = new LinkedHashMap<>(16, 0.75f, true);

  private long weight;
  private long repeats;

  /** One reader or writer; compared by identity. Guarded by the {@code DatumClasses}. */
  private static final class Slot {
    final int hash;
    final boolean reads;
    final WeakReference<GenericData> data;
    WeakReference<Schema> writer;
    WeakReference<@Nullable Schema> reader;
    @Nullable List<Schema> kept;
    ClassCache.@Nullable Entry<Object> entry = new ClassCache.Entry<>();
    long weight;

    Slot(int hash, Schema writer, @Nullable Schema reader, GenericData data) {
      this.hash = hash;
      this.reads = reader != null;
      this.data = new WeakReference<>(data);
      this.writer = new WeakReference<>(writer);
      this.reader = new WeakReference<>(reader);
    }
  }

  /** The objects of a search. It equals the key of the same objects. */
  private record Search(Schema writer, @Nullable Schema reader, GenericData data) {
    @Override
    @SuppressWarnings("ReferenceEquality") // By identity.
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && key.writer.get() == writer
          && key.reader.get() == reader
          && key.data.get() == data;
    }

    @Override
    public int hashCode() {
      return 31 * (31 * System.identityHashCode(writer) + System.identityHashCode(reader))
          + System.identityHashCode(data);
    }
  }

  /** The objects of an entry, which it does not keep. A {@link Search} finds it. */
  private static final class Key {
    final Freed writer;
    final WeakReference<@Nullable Schema> reader;
    final WeakReference<GenericData> data;
    final int hash;

    Key(Search search, ReferenceQueue<Schema> freed) {
      writer = new Freed(search.writer(), freed, this);
      reader = new WeakReference<>(search.reader());
      data = new WeakReference<>(search.data());
      hash = search.hashCode();
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }
  }

  private static final class Freed extends WeakReference<Schema> {
    final Key key;

    Freed(Schema schema, ReferenceQueue<Schema> freed, Key key) {
      super(schema, freed);
      this.key = key;
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param maxClasses the maximum number of entries whose schemas are kept
   * @param maxWeight the maximum estimated heap of these schemas, in bytes
   */
  DatumClasses(int maxClasses, long maxWeight) {
    if (maxClasses < 1) {
      throw new IllegalArgumentException("maxClasses must be at least 1, not " + maxClasses);
    }
    this.maxClasses = maxClasses;
    this.maxWeight = maxWeight;
    int most = (int) Math.min(Integer.MAX_VALUE, (long) LIGHT_FACTOR * maxClasses);
    byIdentity =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Object, Slot> eldest) {
            return size() > most;
          }
        };
  }

  /**
   * Returns the entry of a reader, or of a writer, which has no reader schema. Its class is
   * possibly not generated or requested yet.
   */
  @SuppressWarnings("ReferenceEquality") // The same object was not parsed again.
  ClassCache.Entry<Object> find(Schema writer, @Nullable Schema reader, GenericData data) {
    var search = new Search(writer, reader, data);
    synchronized (this) {
      purge();
      ClassCache.Entry<Object> known = entry(byIdentity.get(search));
      if (known != null) {
        return known;
      }
    }
    int hash =
        31 * (31 * writer.hashCode() + (reader == null ? 0 : reader.hashCode()))
            + System.identityHashCode(data);
    List<Slot> candidates = candidates(hash);
    for (Slot slot : candidates) {
      if (isSame(slot, writer, reader, data)) {
        synchronized (this) {
          ClassCache.Entry<Object> known = entry(slot);
          if (known != null) {
            if (slot.writer.get() != writer) {
              repeats++;
              keep(slot, writer, reader);
            }
            byIdentity.put(new Key(search, freed), slot);
            return known;
          }
        }
      }
    }
    synchronized (this) {
      return add(new Slot(hash, writer, reader, data), search);
    }
  }

  /** Keeps the schemas of an entry, because a class is generated for them. */
  synchronized void keep(Schema writer, @Nullable Schema reader, GenericData data) {
    Slot slot = byIdentity.get(new Search(writer, reader, data));
    if (slot != null && slot.entry != null) {
      keep(slot, writer, reader);
    }
  }

  /** Returns how many searches found the entry of an equal schema that is another object. */
  synchronized long repeats() {
    return repeats;
  }

  synchronized void clear() {
    byIdentity.clear();
    byHash.clear();
    light.clear();
    heavy.clear();
    weight = 0;
  }

  /** Returns the entry of a slot that is still in the cache, as the most recently used. */
  private ClassCache.@Nullable Entry<Object> entry(@Nullable Slot slot) {
    if (slot == null || slot.entry == null) {
      return null;
    }
    Boolean unused = (slot.kept == null ? light : heavy).get(slot);
    return slot.entry;
  }

  private synchronized List<Slot> candidates(int hash) {
    return List.copyOf(byHash.getOrDefault(hash, List.of()));
  }

  @SuppressWarnings("ReferenceEquality") // Data are compared by identity.
  private static boolean isSame(
      Slot slot, Schema writer, @Nullable Schema reader, GenericData data) {
    Schema otherWriter = slot.writer.get();
    if (slot.data.get() != data
        || otherWriter == null
        || slot.reads != (reader != null)
        || !EqualSchemas.same(writer, otherWriter)) {
      return false;
    }
    Schema otherReader = slot.reader.get();
    return reader == null
        || (reader == writer && otherReader == otherWriter)
        || (otherReader != null && EqualSchemas.same(reader, otherReader));
  }

  private ClassCache.Entry<Object> add(Slot slot, Search search) {
    List<Slot> sameHash = byHash.computeIfAbsent(slot.hash, absent -> new ArrayList<>());
    if (sameHash.size() >= MOST_OF_A_HASH) {
      remove(sameHash.get(0));
      sameHash = byHash.computeIfAbsent(slot.hash, absent -> new ArrayList<>());
    }
    sameHash.add(slot);
    light.put(slot, true);
    if (light.size() > (long) LIGHT_FACTOR * maxClasses) {
      remove(light.keySet().iterator().next());
    }
    byIdentity.put(new Key(search, freed), slot);
    ClassCache.Entry<Object> entry = slot.entry;
    return entry == null ? new ClassCache.Entry<>() : entry;
  }

  private void keep(Slot slot, Schema writer, @Nullable Schema reader) {
    if (slot.kept != null) {
      return;
    }
    light.remove(slot);
    slot.writer = new WeakReference<>(writer);
    slot.reader = new WeakReference<>(reader);
    slot.kept = reader == null ? List.of(writer) : List.of(writer, reader);
    slot.weight = weight(writer, reader);
    weight += slot.weight;
    heavy.put(slot, true);
    while (heavy.size() > 1 && (heavy.size() > maxClasses || weight > maxWeight)) {
      remove(heavy.keySet().iterator().next());
    }
  }

  private void remove(Slot slot) {
    slot.entry = null;
    light.remove(slot);
    if (heavy.remove(slot) != null) {
      weight -= slot.weight;
    }
    slot.kept = null;
    List<Slot> sameHash = byHash.get(slot.hash);
    if (sameHash != null) {
      sameHash.remove(slot);
      if (sameHash.isEmpty()) {
        byHash.remove(slot.hash);
      }
    }
  }

  /** Removes the keys of schemas that the garbage collector has freed. */
  private void purge() {
    for (Reference<? extends Schema> schema = freed.poll(); schema != null; schema = freed.poll()) {
      Slot slot = byIdentity.remove(((Freed) schema).key);
      if (slot != null && slot.entry != null && slot.kept == null) {
        remove(slot);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // The same object is weighed once.
  private static long weight(Schema writer, @Nullable Schema reader) {
    return weight(writer) + (reader == null || reader == writer ? 0 : weight(reader));
  }

  private static long weight(Schema schema) {
    String text = schema.toString();
    long parts = text.chars().filter(each -> "{[,:".indexOf(each) >= 0).count();
    return 2L * text.length() + PART_BYTES * parts;
  }
}
