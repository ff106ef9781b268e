package io.tidemark.connect.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/**
 * The file system as the commit log needs it. Implementations are safe for use by many threads.
 *
 * <p>Every implementation guarantees:
 *
 * <ol>
 *   <li><b>Put if absent.</b> {@link #rename} is atomic and never replaces: of any number of
 *       writers that rename to one target, at most one succeeds, and the others get {@link
 *       FileAlreadyExistsException}.
 *   <li><b>Durable files.</b> Once the stream of {@link #create} is closed, the bytes survive a
 *       crash of every process and machine that holds them.
 *   <li><b>Consistent listing.</b> A file that was renamed or created before {@link #list} or
 *       {@link #find} began is seen.
 *   <li><b>No directory by accident.</b> {@link #create} and {@link #rename} fail with {@link
 *       NoSuchFileException} when the target's directory is missing; so removing a directory stops
 *       those who still write there.
 * </ol>
 *
 * <p>An {@link IOException} other than the two named ones leaves the outcome unknown: the call may
 * have taken effect, or may take effect later.
 */
public interface Storage extends Closeable {

  /** This store, for messages and locations. Example: {@code hdfs://namenode:8020}. */
  String location();

  /** A new file, durable when its stream is closed. Its directory must exist. */
  OutputStream create(StoragePath file) throws IOException;

  /** Moves a file to a name that is free, atomically; both directories must exist. */
  void rename(StoragePath source, StoragePath target) throws IOException;

  /**
   * Refuses two directories with a boundary between them that no rename crosses: an encryption zone
   * of HDFS, another disk. To be called before something rests on such a rename; both directories
   * must exist. What was allowed once may be allowed again without a look.
   *
   * @throws StoreRefusedException there is such a boundary; the message says what to do
   */
  void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory) throws IOException;

  /** Reads a file; {@link NoSuchFileException} when there is none. */
  InputStream open(StoragePath file) throws IOException;

  /** What stands directly in a directory, in the order of names; nothing when it does not exist. */
  List<StoredFile> list(StoragePath directory) throws IOException;

  /** What stands at a path. */
  Optional<StoredFile> find(StoragePath path) throws IOException;

  /** Removes one file; true when this call removed it, false when there was none. */
  boolean delete(StoragePath file) throws IOException;

  /** Removes a directory with all that it holds; true when this call removed it. */
  boolean deleteTree(StoragePath directory) throws IOException;

  /** Makes a directory and those above it, where missing. */
  void makeDirectories(StoragePath directory) throws IOException;
}
