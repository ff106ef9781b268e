package io.tidemark.store;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storage in a directory of a local disk. Safe for use by many threads and processes.
 *
 * <p>A rename is a hard link, followed by the deletion of the source. A link never replaces an
 * existing file, while {@code rename(2)} and Hadoop's local file systems do. A crash between link
 * and deletion leaves the file under both names; the new name is valid.
 *
 * <p>Durable means: bytes and directory entries are forced to the disk.
 */
public final class LocalStorage implements Storage {
  private static final Logger log = LoggerFactory.getLogger(LocalStorage.class);

  private final Path root;

  /** {@code root} is {@code /} of this store; created if missing. */
  public LocalStorage(Path root) throws IOException {
    this.root = Files.createDirectories(root.toAbsolutePath().normalize());
  }

  @Override
  public String location() {
    String uri = root.toUri().toString();
    return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    Path path = resolve(file);
    return new DurableStream(
        path,
        resolve(file.parent()),
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    Path from = resolve(source);
    Path to = resolve(target);
    if (Files.isDirectory(from)) {
      throw new IOException(
          from + " is a directory, which a hard link cannot move. Move its files one by one.");
    }
    if (Files.notExists(from)) {
      throw new NoSuchFileException(from.toString(), to.toString(), "the source is missing");
    }
    Files.createLink(to, from);
    force(resolve(target.parent()));
    if (!Files.deleteIfExists(from)) {
      log.debug("{} was removed by another thread or process while it was renamed to {}", from, to);
    }
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory)
      throws IOException {
    Path from = resolve(sourceDirectory);
    Path to = resolve(targetDirectory);
    if (!Files.getFileStore(from).equals(Files.getFileStore(to))) {
      throw new StoreRefusedException(
          StoreRefusedException.Reason.BOUNDARY,
          "files cannot be renamed from %s to %s, because they are on two disks: %s and %s"
              .formatted(from, to, Files.getFileStore(from), Files.getFileStore(to)),
          "Mount one disk that contains both directories.",
          null);
    }
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    return Files.newInputStream(resolve(file));
  }

  @Override
  public List<StoredFile> list(StoragePath directory) throws IOException {
    List<StoredFile> found = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(resolve(directory))) {
      for (Path child : children) {
        find(directory.child(child.getFileName().toString())).ifPresent(found::add);
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    found.sort(Comparator.comparing(file -> file.path().name()));
    return List.copyOf(found);
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(resolve(path), BasicFileAttributes.class);
      long modifiedMs = attributes.lastModifiedTime().toMillis();
      return Optional.of(
          attributes.isDirectory()
              ? StoredFile.directory(path, modifiedMs)
              : StoredFile.file(path, attributes.size(), modifiedMs));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean delete(StoragePath file) throws IOException {
    return Files.deleteIfExists(resolve(file));
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    Path path = resolve(directory);
    if (Files.notExists(path)) {
      return false;
    }
    try {
      deleteWithContent(path);
      return true;
    } catch (NoSuchFileException e) {
      // Another call is removing the same tree. One of the two calls completes the removal.
      return deleteTree(directory);
    }
  }

  private static void deleteWithContent(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
        for (Path child : children) {
          deleteWithContent(child);
        }
      }
    }
    Files.delete(path);
  }

  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    Path path = resolve(directory);
    if (Files.isDirectory(path)) {
      return;
    }
    if (path.equals(root)) {
      throw new NoSuchFileException(root.toString(), null, "the root of the store was removed");
    }
    makeDirectories(directory.parent());
    try {
      Files.createDirectory(path);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(path)) {
        throw e;
      }
    }
    force(resolve(directory.parent()));
  }

  @Override
  public void close() {}

  private Path resolve(StoragePath path) {
    Path resolved = root.resolve(path.value().substring(1)).normalize();
    if (!resolved.startsWith(root)) {
      throw new IllegalArgumentException(path + " is outside " + root);
    }
    return resolved;
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** A new file that is forced to the disk, together with its name, when it is closed. */
  private static final class DurableStream extends FilterOutputStream {
    private final Path path;
    private final Path directory;
    private final FileChannel channel;

    DurableStream(Path path, Path directory, FileChannel channel) {
      super(Channels.newOutputStream(channel));
      this.path = path;
      this.directory = directory;
      this.channel = channel;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (!channel.isOpen()) {
        return;
      }
      try (channel) {
        channel.force(true);
      }
      if (Files.notExists(path)) {
        throw new NoSuchFileException(path.toString(), null, "removed while it was written");
      }
      force(directory);
    }
  }
}
