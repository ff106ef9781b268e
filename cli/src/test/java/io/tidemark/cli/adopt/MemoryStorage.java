package io.tidemark.cli.adopt;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Files in memory. A listing may have other lengths, as in HDFS. Used by one thread if changed. */
final class MemoryStorage implements Storage {
  private final Map<StoragePath, byte[]> files = new HashMap<>();
  private final Map<StoragePath, Long> listed = new HashMap<>();
  private final Map<StoragePath, Set<StoragePath>> directories = new HashMap<>();

  private String location = "memory:";
  private int changes;
  private int interruptBefore;
  private Runnable interruption = () -> {};
  private int failAfter;

  void put(StoragePath path, byte[] content) {
    files.put(path, content);
    listed.put(path, (long) content.length);
    putInParent(path);
  }

  void putDirectory(StoragePath path) {
    if (!directories.containsKey(path)) {
      children(path);
      if (!path.value().equals("/")) {
        putInParent(path);
      }
    }
  }

  private void putInParent(StoragePath path) {
    putDirectory(path.parent());
    children(path.parent()).add(path);
  }

  private Set<StoragePath> children(StoragePath directory) {
    return directories.computeIfAbsent(
        directory, any -> new TreeSet<>(Comparator.comparing(StoragePath::value)));
  }

  /** Sets what the store's name is. */
  void locate(String url) {
    location = url;
  }

  /** Sets the length that listings have. */
  void list(StoragePath path, long length) {
    listed.put(path, length);
  }

  /** Moves a file, as the old sink or an operator would. */
  void move(StoragePath source, StoragePath target) {
    put(target, content(source));
    remove(source);
  }

  void remove(StoragePath path) {
    files.remove(path);
    children(path.parent()).remove(path);
  }

  /** Writes all directories and files to a local disk. */
  void unpack(Path root) throws IOException {
    for (StoragePath each : directories.keySet()) {
      Files.createDirectories(root.resolve(each.value().substring(1)));
    }
    for (Map.Entry<StoragePath, byte[]> each : files.entrySet()) {
      Files.write(root.resolve(each.getKey().value().substring(1)), each.getValue());
    }
  }

  byte[] content(StoragePath path) {
    return files.getOrDefault(path, new byte[0]);
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    byte[] content = files.get(file);
    if (content == null) {
      throw new NoSuchFileException(file.value());
    }
    return new ByteArrayInputStream(content);
  }

  @Override
  public List<StoredFile> list(StoragePath directory) {
    Set<StoragePath> children = directories.get(directory);
    return children == null
        ? List.of()
        : children.stream().map(each -> find(each).orElseThrow()).toList();
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) {
    if (files.containsKey(path)) {
      return Optional.of(StoredFile.file(path, listed.getOrDefault(path, 0L), 0));
    }
    return directories.containsKey(path)
        ? Optional.of(StoredFile.directory(path, 0))
        : Optional.empty();
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    change();
    requireDirectory(file.parent());
    if (files.containsKey(file)) {
      throw new FileAlreadyExistsException(file.value());
    }
    put(file, new byte[0]);
    changed();
    return new ByteArrayOutputStream() {
      @Override
      public void close() throws IOException {
        change();
        if (files.containsKey(file)) {
          put(file, toByteArray());
        }
        changed();
      }
    };
  }

  private void requireDirectory(StoragePath directory) throws NoSuchFileException {
    if (!directories.containsKey(directory)) {
      throw new NoSuchFileException(directory.value());
    }
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    change();
    requireDirectory(target.parent());
    if (!files.containsKey(source)) {
      throw new NoSuchFileException(source.value());
    }
    if (find(target).isPresent()) {
      throw new FileAlreadyExistsException(target.value());
    }
    long length = listed.getOrDefault(source, 0L);
    move(source, target);
    list(target, length);
    changed();
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory) {}

  @Override
  public boolean delete(StoragePath file) throws IOException {
    change();
    boolean existed = files.containsKey(file);
    remove(file);
    changed();
    return existed;
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    change();
    boolean existed = directories.containsKey(directory);
    files.keySet().removeIf(each -> each.isBelow(directory));
    directories.keySet().removeIf(each -> each.equals(directory) || each.isBelow(directory));
    if (existed) {
      children(directory.parent()).remove(directory);
    }
    changed();
    return existed;
  }

  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    change();
    putDirectory(directory);
    changed();
  }

  /** The process was killed. */
  static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Kills the process before a change: the first one has the number 1; 0 for never. */
  void killBefore(int number) {
    interruptBefore(
        number,
        () -> {
          throw new KilledException();
        });
  }

  /** Lets a change be done and fail, as if its answer was lost; 0 for never. */
  void failAfter(int number) {
    changes = 0;
    failAfter = number;
  }

  /** Runs an action before a change, once. */
  void interruptBefore(int number, Runnable action) {
    changes = 0;
    interruptBefore = number;
    interruption = action;
  }

  /** Returns the number of changes since the last call of {@link #interruptBefore}. */
  int changes() {
    return changes;
  }

  private void change() {
    changes++;
    if (changes == interruptBefore) {
      interruptBefore = 0;
      interruption.run();
    }
  }

  private void changed() throws IOException {
    if (changes == failAfter) {
      failAfter = 0;
      throw new IOException("the answer was lost");
    }
  }

  /** Returns all files, by their paths. */
  Map<StoragePath, byte[]> files() {
    return new HashMap<>(files);
  }

  @Override
  public void close() {}
}
