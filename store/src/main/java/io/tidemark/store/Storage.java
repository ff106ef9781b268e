package io.tidemark.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/**
 * The file system with the guarantees that the commit log needs. Implementations are thread-safe.
 *
 * <p>Every implementation guarantees:
 *
 * <ol>
 *   <li><b>Put if absent.</b> {@link #rename} is atomic and never replaces: of any number of
 *       writers that rename to one target, at most one succeeds, and the others get {@link
 *       FileAlreadyExistsException}.
 *   <li><b>Durable files.</b> Once the stream of {@link #create} is closed, the bytes survive a
 *       crash of every process and machine that stores them.
 *   <li><b>Consistent listing.</b> {@link #list} and {@link #find} return every file that was
 *       renamed or created before the call began.
 *   <li><b>No directory by accident.</b> {@link #create} and {@link #rename} fail with {@link
 *       NoSuchFileException} when the target's directory is missing. So removing a directory stops
 *       its writers.
 * </ol>
 *
 * <p>Any other {@link IOException} leaves the outcome unknown: the call may have taken effect, or
 * may take effect later. A failed {@link #create} may leave its file.
 *
 * <p>A store's client may repeat a call whose answer was lost. So these exceptions, and a result
 * false, may come after this caller's own change: look at source and target before judging.
 */
public interface Storage extends Closeable {

  /** Returns the store's URL, for messages and locations: {@code hdfs://namenode:8020}. */
  String location();

  /** Creates a file, durable when its stream is closed. Its directory must exist. */
  OutputStream create(StoragePath file) throws IOException;

  /** Moves a file to a name that is free, atomically; both directories must exist. */
  void rename(StoragePath source, StoragePath target) throws IOException;

  /**
   * Checks that a rename from one directory to the other is possible: no boundary of an encryption
   * zone of HDFS or of a disk lies between them. Call this method before you depend on such a
   * rename. Both directories must exist. A positive result may be cached.
   *
   * @throws StoreRefusedException if there is such a boundary; the message has the cure
   */
  void requireRenames(StoragePath sourceDirectory, StoragePath targetDirectory) throws IOException;

  /** Reads a file; {@link NoSuchFileException} when there is none. */
  InputStream open(StoragePath file) throws IOException;

  /** Lists a directory's direct children, in the order of names; empty if it does not exist. */
  List<StoredFile> list(StoragePath directory) throws IOException;

  /** Returns the file or directory at a path; empty if there is none. */
  Optional<StoredFile> find(StoragePath path) throws IOException;

  /** Removes one file. Returns true if this call removed it, false if there was none. */
  boolean delete(StoragePath file) throws IOException;

  /** Removes a directory with its content. Returns true if this call removed it. */
  boolean deleteTree(StoragePath directory) throws IOException;

  /** Creates a directory and its missing parents. */
  void makeDirectories(StoragePath directory) throws IOException;
}
