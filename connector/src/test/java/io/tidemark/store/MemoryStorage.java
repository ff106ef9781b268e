package io.tidemark.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A store in memory, for tests. Safe for use by many threads. */
public final class MemoryStorage implements Storage {

  /** A file or directory. It stays the same object after a rename, so that its writer continues. */
  private static final class Node {
    final boolean directory;
    byte[] bytes = {};
    long modifiedMs;
    boolean deleted;

    /** Whether a writer has not closed it yet. */
    boolean open;

    Node(boolean directory) {
      this.directory = directory;
    }
  }

  private final Clock clock;

  /** The node at each path, guarded by this. */
  private final TreeMap<String, Node> nodes = new TreeMap<>(Map.of("/", new Node(true)));

  /** An empty store. */
  public MemoryStorage() {
    this(Clock.systemUTC());
  }

  /** An empty store with a clock of its own. */
  public MemoryStorage(Clock clock) {
    this.clock = clock;
  }

  /** Returns a store with the same files, which later changes of this store do not reach. */
  public synchronized MemoryStorage copy() {
    MemoryStorage copy = new MemoryStorage(clock);
    nodes.forEach(
        (path, node) -> {
          Node same = new Node(node.directory);
          same.bytes = node.bytes;
          same.modifiedMs = node.modifiedMs;
          copy.nodes.put(path, same);
        });
    return copy;
  }

  /**
   * All nodes lose their power. What was written to open files is lost, and their writers fail.
   * Closed files and all renames remain.
   */
  public synchronized void losePower() {
    nodes.values().forEach(node -> node.open = false);
  }

  @Override
  public String location() {
    return "memory:";
  }

  @Override
  public synchronized OutputStream create(StoragePath file) throws IOException {
    requireDirectory(file.parent());
    requireAbsent(file);
    Node node = new Node(false);
    node.modifiedMs = clock.millis();
    node.open = true;
    nodes.put(file.value(), node);
    changed(file.parent());
    return new Writer(file, node);
  }

  @Override
  public synchronized void rename(StoragePath source, StoragePath target) throws IOException {
    Node node = requireFile(source);
    requireDirectory(target.parent());
    requireAbsent(target);
    nodes.remove(source.value());
    nodes.put(target.value(), node);
    changed(source.parent());
    changed(target.parent());
  }

  private void changed(StoragePath directory) {
    Optional.ofNullable(nodes.get(directory.value()))
        .ifPresent(node -> node.modifiedMs = clock.millis());
  }

  @Override
  public synchronized InputStream open(StoragePath file) throws IOException {
    return new ByteArrayInputStream(requireFile(file).bytes);
  }

  @Override
  public synchronized List<StoredFile> list(StoragePath directory) throws IOException {
    Node node = nodes.get(directory.value());
    if (node == null) {
      return List.of();
    }
    if (!node.directory) {
      throw new NotDirectoryException(directory.value());
    }
    List<StoredFile> found = new ArrayList<>();
    String prefix = prefix(directory);
    Map.Entry<String, Node> next = nodes.higherEntry(prefix);
    while (next != null && next.getKey().startsWith(prefix)) {
      String path = next.getKey();
      int end = path.indexOf('/', prefix.length());
      if (end < 0) {
        found.add(stored(new StoragePath(path), next.getValue()));
        next = nodes.higherEntry(path);
      } else {
        // After all paths below this directory.
        next = nodes.ceilingEntry(path.substring(0, end) + (char) ('/' + 1));
      }
    }
    found.sort(Comparator.comparing(file -> file.path().name()));
    return List.copyOf(found);
  }

  @Override
  public synchronized Optional<StoredFile> find(StoragePath path) {
    return Optional.ofNullable(nodes.get(path.value())).map(node -> stored(path, node));
  }

  @Override
  public synchronized boolean delete(StoragePath file) throws IOException {
    if (!below(file).isEmpty()) {
      throw new DirectoryNotEmptyException(file.value());
    }
    return remove(file);
  }

  @Override
  public synchronized boolean deleteTree(StoragePath directory) {
    below(directory).values().forEach(node -> node.deleted = true);
    below(directory).clear();
    return remove(directory);
  }

  private boolean remove(StoragePath path) {
    Node node = nodes.remove(path.value());
    if (node == null) {
      return false;
    }
    node.deleted = true;
    changed(path.parent());
    return true;
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory) {}

  @Override
  public synchronized void makeDirectories(StoragePath directory) throws IOException {
    Node node = nodes.get(directory.value());
    if (node == null) {
      makeDirectories(directory.parent());
      nodes.put(directory.value(), new Node(true));
      changed(directory);
      changed(directory.parent());
    } else if (!node.directory) {
      throw new FileAlreadyExistsException(directory.value());
    }
  }

  @Override
  public void close() {}

  private SortedMap<String, Node> below(StoragePath directory) {
    String prefix = prefix(directory);
    return nodes.subMap(prefix + '\0', prefix + Character.MAX_VALUE);
  }

  private static String prefix(StoragePath directory) {
    return directory.value().equals("/") ? "/" : directory.value() + '/';
  }

  private static StoredFile stored(StoragePath path, Node node) {
    return node.directory
        ? StoredFile.directory(path, node.modifiedMs)
        : StoredFile.file(path, node.bytes.length, node.modifiedMs);
  }

  private Node requireFile(StoragePath path) throws IOException {
    Node node = nodes.get(path.value());
    if (node == null) {
      throw new NoSuchFileException(path.value());
    }
    if (node.directory) {
      throw new IOException(path + " is a directory");
    }
    return node;
  }

  private void requireDirectory(StoragePath path) throws IOException {
    Node node = nodes.get(path.value());
    if (node == null) {
      throw new NoSuchFileException(path.value());
    }
    if (!node.directory) {
      throw new NotDirectoryException(path.value());
    }
  }

  private void requireAbsent(StoragePath path) throws IOException {
    if (nodes.containsKey(path.value())) {
      throw new FileAlreadyExistsException(path.value());
    }
  }

  private final class Writer extends OutputStream {
    private final StoragePath created;
    private final Node node;
    private @Nullable ByteArrayOutputStream buffer = new ByteArrayOutputStream();

    Writer(StoragePath created, Node node) {
      this.created = created;
      this.node = node;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (buffer == null) {
        throw new IOException(created + " is closed");
      }
      buffer.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (buffer == null) {
        return;
      }
      synchronized (MemoryStorage.this) {
        byte[] bytes = buffer.toByteArray();
        buffer = null;
        if (!node.open) {
          throw new IOException(created + " lost its blocks while it was written");
        }
        node.open = false;
        if (node.deleted) {
          throw new NoSuchFileException(created.value(), null, "removed while it was written");
        }
        node.bytes = bytes;
        node.modifiedMs = clock.millis();
      }
    }
  }
}
