package io.tidemark.connect.pipeline;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.TableCatalog;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * A store in which a task has landed some batches. It is restored after each damage of a test. The
 * log is folded, and the table has two Hive partitions. Used by one thread.
 */
final class RottenStore {
  private static final PartitionSpec BY_PRICE = FieldPartitioned.parse("price");
  static final int RETAINED = 3;
  private static final int BATCH = 4;

  private final LogFixture.StoreContents whole;
  private final Map<TopicPartition, Long> group;
  private final int produced;

  private RottenStore(Quotes quotes) throws IOException {
    this.whole = LogFixture.StoreContents.of(quotes.storage);
    this.group = Map.copyOf(quotes.topic.groupOffsets);
    this.produced = quotes.produced.size();
  }

  /** All committed batches are published and registered. */
  static RottenStore published() throws Exception {
    Quotes quotes = new Quotes();
    landBatches(quotes);
    return new RottenStore(quotes);
  }

  /** The last batch is committed, and its task died before it published a file. */
  static RottenStore unpublished() throws Exception {
    Quotes quotes = new Quotes();
    landBatches(quotes);
    FaultyStorage faulty = new FaultyStorage(quotes.storage);
    try (TestTask task = task(quotes, faulty)) {
      task.open(0);
      task.pollUntilLanded(0);
      faulty.failBefore(call -> call.startsWith("create") && call.contains("/published+"));
      produce(quotes, BATCH);
      task.pollUntilLanded(0);
    }
    return new RottenStore(quotes);
  }

  private static void landBatches(Quotes quotes) throws Exception {
    try (TestTask task = task(quotes, quotes.storage)) {
      task.open(0);
      // Otherwise the log could begin with an entry of its own or with the first batch.
      task.pollUntil(() -> begun(quotes));
      for (int batch = 0; batch < 2 * RETAINED + 2; batch++) {
        produce(quotes, BATCH);
        task.pollUntilLanded(0);
      }
      task.pollUntil(() -> folded(quotes));
    }
  }

  private static boolean begun(Quotes quotes) {
    try {
      return quotes.log().last().filter(last -> last.entry().state().next() == 0).isPresent();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean folded(Quotes quotes) {
    try {
      return quotes.log().checkpoint() > 0;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Produces records of both Hive partitions, each with a key of its own. */
  static void produce(Quotes quotes, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      quotes.produce(Quotes.SCHEMA_ID, Quotes.SCHEMA, "k" + quotes.produced.size(), (long) (i % 2));
    }
  }

  private static TestTask task(Quotes quotes, Storage storage) {
    return task(quotes, storage, new FakeCatalog().registrar(storage), TestTask.BadRecords.STOP);
  }

  private static TestTask task(
      Quotes quotes, Storage storage, Registrar registrar, TestTask.BadRecords badRecords) {
    return new TestTask(
        quotes.topic,
        storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        BY_PRICE,
        Optional.of(registrar),
        BATCH,
        RETAINED,
        badRecords);
  }

  /** A task that lands all records of the topic. */
  static TestTask task(Quotes quotes) {
    return task(quotes, quotes.storage);
  }

  /** A task with its own catalog, and with a way for records that cannot land. */
  static TestTask task(Quotes quotes, TableCatalog catalog, TestTask.BadRecords badRecords) {
    return task(
        quotes,
        quotes.storage,
        new Registrar(quotes.storage, catalog, table -> Map.of(), MonotonicClock.system()),
        badRecords);
  }

  /** The paths of all files, in each directory in the order of their names. */
  List<String> paths() {
    return List.copyOf(whole.files().keySet());
  }

  /** Kafka and the store in their former state. */
  Quotes restored() throws IOException {
    Quotes quotes = new Quotes();
    while (quotes.produced.size() < produced) {
      produce(quotes, BATCH);
    }
    quotes.topic.groupOffsets.putAll(group);
    fill(quotes.storage, whole.files());
    for (String directory : whole.emptyDirectories()) {
      quotes.storage.makeDirectories(new StoragePath(directory));
    }
    return quotes;
  }

  private static void fill(MemoryStorage storage, SortedMap<String, byte[]> files)
      throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      StoragePath path = new StoragePath(file.getKey());
      storage.makeDirectories(path.parent());
      write(storage, path, file.getValue());
    }
  }

  private static void write(MemoryStorage storage, StoragePath path, byte[] bytes)
      throws IOException {
    try (OutputStream out = storage.create(path)) {
      out.write(bytes);
    }
  }

  /** The damage of a file. */
  sealed interface Damage {

    /** One bit has another value. */
    record Flipped(int offset, int bit) implements Damage {}

    /** Only this number of bytes is left. */
    record Truncated(int length) implements Damage {}

    /** The file is missing. */
    record Missing() implements Damage {}

    /** The rest of a file; empty if it is missing. */
    default Optional<byte[]> of(byte[] bytes) {
      if (this instanceof Flipped flipped) {
        byte[] damaged = bytes.clone();
        damaged[flipped.offset()] ^= (byte) (1 << flipped.bit());
        return Optional.of(damaged);
      }
      return this instanceof Truncated truncated
          ? Optional.of(Arrays.copyOf(bytes, truncated.length()))
          : Optional.empty();
    }
  }

  /**
   * The damages of a file: in each {@code step}th byte one bit is flipped, a different one each
   * time.
   */
  List<Damage> damages(String path, int step) {
    int length = bytes(path).length;
    List<Damage> damages = new ArrayList<>(List.of(new Damage.Missing()));
    IntStream.of(0, 1, length / 2, length - 1)
        .filter(cut -> cut >= 0 && cut < length)
        .distinct()
        .forEach(cut -> damages.add(new Damage.Truncated(cut)));
    for (int offset = 0; offset < length; offset += step) {
      damages.add(new Damage.Flipped(offset, (offset / step) % 8));
    }
    return damages;
  }

  /**
   * True if a recovery reads this file of the log: the last entry, the one before it, and the
   * entries that the last one does not report as published and registered. Folding reads some of
   * the others while batches land.
   */
  boolean isReadByRecovery(String path) throws IOException, CorruptLogException {
    NumberedEntry<CommitEntry> last = restored().log().last().orElseThrow();
    LogState state = last.entry().state();
    long number = Long.parseLong(path.substring(Quotes.LOG.value().length() + 1).substring(0, 20));
    return number >= last.number() - 1
        || number > Math.min(state.publishedThrough(), state.registeredThrough());
  }

  byte[] bytes(String path) {
    return whole.files().getOrDefault(path, new byte[0]);
  }

  void damage(Quotes quotes, String path, Damage damage) throws IOException {
    put(quotes, path, damage.of(bytes(path)));
  }

  /** Puts the file back as it was. */
  void restore(Quotes quotes, String path) throws IOException {
    put(quotes, path, Optional.of(bytes(path)));
  }

  private static void put(Quotes quotes, String path, Optional<byte[]> bytes) throws IOException {
    StoragePath file = new StoragePath(path);
    if (quotes.storage.find(file).isPresent()) {
      quotes.storage.delete(file);
    }
    if (bytes.isPresent()) {
      write(quotes.storage, file, bytes.get());
    }
  }
}
