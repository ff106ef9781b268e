package io.tidemark.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A store over another one in which tests let calls fail, before or after they take effect. A
 * failure after the effect is a lost answer. A client may also repeat a call whose answer was lost,
 * and return the second answer. Calls are named {@code rename}, {@code create}, {@code delete},
 * {@code list}, {@code open}, {@code find}.
 */
public final class FaultyStorage implements Storage {
  private final Storage storage;
  private volatile Predicate<String> failBefore = call -> false;
  private volatile Predicate<String> failAfter = call -> false;
  private volatile Predicate<String> repeated = call -> false;
  private volatile Predicate<StoragePath> lost = file -> false;
  private volatile Function<String, IOException> failWith =
      call -> new IOException("the store did not answer: " + call);

  public FaultyStorage(Storage storage) {
    this.storage = storage;
  }

  /** Calls that match the predicate fail without effect. Example of a call: {@code "rename /a"}. */
  public void failBefore(Predicate<String> calls) {
    failBefore = calls;
  }

  /** Sets the exception of the calls that fail without effect. */
  public void failWith(Function<String, IOException> failure) {
    failWith = failure;
  }

  /** Calls that match the predicate take effect and then fail. */
  public void failAfter(Predicate<String> calls) {
    failAfter = calls;
  }

  /**
   * Calls that match the predicate take effect, and are repeated, as HDFS's client does after a
   * failover. The caller gets the second answer: the name node has no retry cache.
   */
  public void repeat(Predicate<String> calls) {
    repeated = calls;
  }

  /** No data node has the content of these files, which can be opened. */
  public void lose(Predicate<StoragePath> files) {
    lost = files;
  }

  /** From now on no call fails. */
  public void heal() {
    lost = file -> false;
    repeated = call -> false;
    failBefore = call -> false;
    failAfter = call -> false;
  }

  private void before(String call) throws IOException {
    if (failBefore.test(call)) {
      throw failWith.apply(call);
    }
  }

  private void after(String call) throws IOException {
    if (failAfter.test(call)) {
      throw new IOException("the answer was lost: " + call);
    }
  }

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    before("create " + file.value());
    OutputStream out = storage.create(file);
    if (repeated.test("create " + file.value())) {
      out = storage.create(file);
    }
    after("create " + file.value());
    return out;
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    before("rename " + target.value());
    storage.rename(source, target);
    if (repeated.test("rename " + target.value())) {
      storage.rename(source, target);
    }
    after("rename " + target.value());
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    before("open " + file.value());
    InputStream in = storage.open(file);
    return lost.test(file) ? lostContent(in, file) : in;
  }

  private static InputStream lostContent(InputStream in, StoragePath file) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        throw new IOException("no live data node has a block of " + file);
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return read();
      }
    };
  }

  @Override
  public List<StoredFile> list(StoragePath directory) throws IOException {
    before("list " + directory.value());
    return storage.list(directory);
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) throws IOException {
    before("find " + path.value());
    return storage.find(path);
  }

  @Override
  public boolean delete(StoragePath file) throws IOException {
    before("delete " + file.value());
    boolean removed = storage.delete(file);
    if (repeated.test("delete " + file.value())) {
      removed = storage.delete(file);
    }
    after("delete " + file.value());
    return removed;
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    before("deleteTree " + directory.value());
    boolean removed = storage.deleteTree(directory);
    return repeated.test("deleteTree " + directory.value())
        ? storage.deleteTree(directory)
        : removed;
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory)
      throws IOException {
    before("requireRenames " + targetDirectory.value());
    storage.requireRenames(sourceDirectory, targetDirectory);
  }

  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    before("makeDirectories " + directory.value());
    storage.makeDirectories(directory);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
