package io.tidemark.cli.adopt;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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

/** Files in memory that can only be read. A listing may have other lengths, as in HDFS. */
final class MemoryStorage implements Storage {
  private final Map<StoragePath, byte[]> files = new HashMap<>();
  private final Map<StoragePath, Long> listed = new HashMap<>();
  private final Map<StoragePath, Set<StoragePath>> directories = new HashMap<>();

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
    return "memory:";
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
        ? Optional.of(StoredFile.directory(path))
        : Optional.empty();
  }

  @Override
  public OutputStream create(StoragePath file) {
    throw new UnsupportedOperationException("a dry run creates nothing");
  }

  @Override
  public void rename(StoragePath source, StoragePath target) {
    throw new UnsupportedOperationException("a dry run renames nothing");
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory) {
    throw new UnsupportedOperationException("a dry run renames nothing");
  }

  @Override
  public boolean delete(StoragePath file) {
    throw new UnsupportedOperationException("a dry run deletes nothing");
  }

  @Override
  public boolean deleteTree(StoragePath directory) {
    throw new UnsupportedOperationException("a dry run deletes nothing");
  }

  @Override
  public void makeDirectories(StoragePath directory) {
    throw new UnsupportedOperationException("a dry run creates nothing");
  }

  @Override
  public void close() {}
}
