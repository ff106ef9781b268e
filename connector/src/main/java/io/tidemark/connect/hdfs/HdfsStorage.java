package io.tidemark.connect.hdfs;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.StoreRefusedException.Reason;
import io.tidemark.store.StoredFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.EncryptionZone;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Storage in HDFS. Thread-safe.
 *
 * <p>HDFS provides the guarantees of {@link Storage} as follows. {@code rename2} without {@code
 * OVERWRITE} is one atomic step of the name node. The name node's retry cache returns the first
 * result for a repeated call. Files are created with {@code SYNC_BLOCK}: every data node of the
 * pipeline forces a block to its disk before it acknowledges the block's end, while a plain close
 * leaves the block in the page cache. Parent directories are never created with a file, so that
 * removing a directory stops its writers.
 */
public final class HdfsStorage implements Storage {
  private static final int REMEMBERED_ZONES = 10_000;

  private final DistributedFileSystem fileSystem;
  private final HdfsIdentity identity;
  private final String location;
  private final String root;
  private final Map<StoragePath, Optional<String>> zones = new ConcurrentHashMap<>();

  /** {@code root} is the path of {@code /} in the store, {@code ""} for the file system's root. */
  HdfsStorage(DistributedFileSystem fileSystem, HdfsIdentity identity, String root) {
    this.fileSystem = fileSystem;
    this.identity = identity;
    this.root = root;
    this.location = fileSystem.getUri() + root;
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public OutputStream create(StoragePath file) throws IOException {
    Path path = resolve(file);
    try {
      return new HdfsOutput(identity.call(() -> created(path)), location);
    } catch (IOException e) {
      throw failed(e, path, null);
    }
  }

  private OutputStream created(Path path) throws IOException {
    // Use the cluster's defaults. The client's own default is three replicas on any cluster.
    FsServerDefaults cluster = fileSystem.getServerDefaults(path);
    Configuration conf = fileSystem.getConf();
    return fileSystem
        .createFile(path)
        .overwrite(false)
        .syncBlock()
        .replication((short) conf.getInt("dfs.replication", cluster.getReplication()))
        .blockSize(conf.getLongBytes("dfs.blocksize", cluster.getBlockSize()))
        .build();
  }

  @Override
  public void rename(StoragePath source, StoragePath target) throws IOException {
    Path from = resolve(source);
    Path to = resolve(target);
    try {
      Path unused =
          identity.call(
              () -> {
                fileSystem.rename(from, to, Options.Rename.NONE);
                return to;
              });
    } catch (RemoteException e) {
      // The name node first checks whether source and target are both files or both directories. If
      // they are not, it reports "must both be directories" instead of an existing target.
      if (find(target).filter(StoredFile::directory).isPresent()) {
        throw caused(new FileAlreadyExistsException(to.toString(), null, "a directory"), e);
      }
      throw failed(e, from, to);
    } catch (IOException e) {
      throw failed(e, from, to);
    }
  }

  @Override
  public void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory)
      throws IOException {
    Optional<String> from;
    Optional<String> to;
    try {
      from = zone(sourceDirectory);
      to = zone(targetDirectory);
    } catch (IOException e) {
      IOException failed = HdfsFailure.of(e, location);
      if (failed instanceof StoreRefusedException refused && refused.reason() == Reason.ACCESS) {
        return; // The rename may succeed, because it needs no READ permission.
      }
      throw failed;
    }
    if (!from.equals(to)) {
      zones.remove(sourceDirectory);
      zones.remove(targetDirectory);
      throw HdfsFailure.of(
          new IOException(
              "HDFS cannot rename a file from %s (%s) to %s (%s)"
                  .formatted(sourceDirectory, shown(from), targetDirectory, shown(to))),
          location);
    }
  }

  /** Requests the encryption zone once, because only an empty directory can become a zone. */
  private Optional<String> zone(StoragePath directory) throws IOException {
    Optional<String> known = zones.get(directory);
    if (known != null) {
      return known;
    }
    EncryptionZone zone = identity.call(() -> fileSystem.getEZForPath(resolve(directory)));
    Optional<String> found = Optional.ofNullable(zone).map(EncryptionZone::getPath);
    if (zones.size() >= REMEMBERED_ZONES) {
      zones.clear();
    }
    zones.put(directory, found);
    return found;
  }

  private static String shown(Optional<String> zone) {
    return zone.map(path -> "in the encryption zone " + path).orElse("in no encryption zone");
  }

  @Override
  public InputStream open(StoragePath file) throws IOException {
    Path path = resolve(file);
    try {
      return identity.call(() -> fileSystem.open(path));
    } catch (IOException e) {
      throw failed(e, path, null);
    }
  }

  @Override
  public List<StoredFile> list(StoragePath directory) throws IOException {
    Path path = resolve(directory);
    FileStatus[] statuses;
    try {
      statuses = identity.call(() -> fileSystem.listStatus(path));
    } catch (FileNotFoundException e) {
      return List.of();
    } catch (IOException e) {
      throw failed(e, path, null);
    }
    List<StoredFile> found = new ArrayList<>(statuses.length);
    for (FileStatus status : statuses) {
      if (status.isFile() && status.getPath().toUri().getPath().equals(path.toUri().getPath())) {
        throw new NotDirectoryException(path.toString());
      }
      found.add(stored(directory.child(status.getPath().getName()), status));
    }
    found.sort(Comparator.comparing(file -> file.path().name()));
    return List.copyOf(found);
  }

  @Override
  public Optional<StoredFile> find(StoragePath path) throws IOException {
    Path resolved = resolve(path);
    try {
      return Optional.of(stored(path, identity.call(() -> fileSystem.getFileStatus(resolved))));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw failed(e, resolved, null);
    }
  }

  @Override
  public boolean delete(StoragePath file) throws IOException {
    return delete(file, false);
  }

  @Override
  public boolean deleteTree(StoragePath directory) throws IOException {
    return delete(directory, true);
  }

  private boolean delete(StoragePath path, boolean recursive) throws IOException {
    Path resolved = resolve(path);
    try {
      return identity.call(() -> fileSystem.delete(resolved, recursive));
    } catch (IOException e) {
      throw failed(e, resolved, null);
    }
  }

  @Override
  public void makeDirectories(StoragePath directory) throws IOException {
    Path path = resolve(directory);
    try {
      if (!identity.call(() -> fileSystem.mkdirs(path))) {
        throw new IOException("the name node did not create " + path);
      }
    } catch (IOException e) {
      throw failed(e, path, null);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      fileSystem.close();
    } finally {
      identity.close();
    }
  }

  private Path resolve(StoragePath path) {
    String resolved = path.value().equals("/") ? root : root + path.value();
    return new Path(resolved.isEmpty() ? "/" : resolved);
  }

  private static StoredFile stored(StoragePath path, FileStatus status) {
    return status.isDirectory()
        ? StoredFile.directory(path, status.getModificationTime())
        : StoredFile.file(path, status.getLen(), status.getModificationTime());
  }

  /** Converts Hadoop's exception to the exception that {@link Storage} specifies. */
  private IOException failed(IOException thrown, Path path, @Nullable Path other) {
    IOException e =
        thrown instanceof RemoteException remote ? remote.unwrapRemoteException() : thrown;
    String second = other == null ? null : other.toString();
    if (e instanceof org.apache.hadoop.fs.FileAlreadyExistsException
        || e instanceof AlreadyBeingCreatedException) {
      return caused(new FileAlreadyExistsException(path.toString(), second, reason(e)), thrown);
    }
    return e instanceof FileNotFoundException
        ? caused(new NoSuchFileException(path.toString(), second, reason(e)), thrown)
        : HdfsFailure.of(thrown, location);
  }

  /** The name node's message without the stack trace that it contains. */
  private static @Nullable String reason(IOException e) {
    String message = e.getMessage();
    return message == null ? null : message.lines().findFirst().orElse("");
  }

  private static IOException caused(IOException exception, IOException cause) {
    exception.initCause(cause);
    return exception;
  }
}
