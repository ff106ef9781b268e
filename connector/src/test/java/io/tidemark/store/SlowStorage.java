package io.tidemark.store;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A store over another one that delays the opening, writing and closing of streams, as a slow data
 * node does. It also counts the open staged files. Safe for use by many threads.
 */
public final class SlowStorage implements Storage {
  private final Storage storage;
  private final long callNanos;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();

  /** {@code callNanos} is the delay of each call of a stream. */
  public SlowStorage(Storage storage, long callNanos) {
    this.storage = storage;
    this.callNanos = callNanos;
  }

  /** The largest number of staged files that were open at the same time. */
  public int mostOpen() {
    return mostOpen.get();
  }

  /** The number of staged files that are open now. */
  public int open() {
    return open.get();
  }

  private void takeTime() {
    LockSupport.parkNanos(callNanos);
  }

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    takeTime();
    OutputStream created = storage.create(file);
    if (!file.value().contains("/.staging/") || file.name().startsWith("published+")) {
      return created;
    }
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    return new SlowStream(created);
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    storage.rename(source, target);
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    return storage.open(file);
  }

  @Override
  public List<StoredFile> list(StoragePath directory) throws IOException {
    return storage.list(directory);
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) throws IOException {
    return storage.find(path);
  }

  @Override
  public boolean delete(StoragePath file) throws IOException {
    return storage.delete(file);
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    return storage.deleteTree(directory);
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory)
      throws IOException {
    storage.requireRenames(sourceDirectory, targetDirectory);
  }

  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    storage.makeDirectories(directory);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  private final class SlowStream extends FilterOutputStream {
    private final AtomicBoolean closed = new AtomicBoolean();

    SlowStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      takeTime();
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      takeTime();
      try {
        out.close();
      } finally {
        if (closed.compareAndSet(false, true)) {
          open.decrementAndGet();
        }
      }
    }
  }
}
