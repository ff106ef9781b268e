package io.tidemark.avro.codegen.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * A directory with a limited number of class files, of which the least recently used are removed.
 * Safe for use by many threads, and by other JVMs at the same time. Internal: this class may change
 * with any release.
 *
 * <p>A file is complete or does not exist, and only its owner may read it. No method throws an
 * exception because of an error of the file system: {@code read} then returns no file, and {@code
 * write} has no effect. The first error is logged, and all are counted. A directory that everybody
 * may write to is not used, because its classes would be run.
 */
public final class ClassDirectory {
  /** The maximum size of a file in bytes; no class of the JVM, with its constants, is as large. */
  private static final int MAX_FILE_BYTES = 1 << 26;

  private final Path directory;
  private final boolean posix;
  private final OldFiles oldFiles;
  private final AtomicBoolean logged = new AtomicBoolean();
  private final LongAdder loaded = new LongAdder();
  private final LongAdder stored = new LongAdder();
  private final LongAdder ignored = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile Optional<String> lastFailure = Optional.empty();

  /**
   * Creates an instance for a directory, which need not exist.
   *
   * @param maxFiles the maximum number of files, from 1
   */
  public ClassDirectory(Path directory, int maxFiles) {
    this.directory = directory;
    posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    oldFiles = new OldFiles(directory, maxFiles);
  }

  /** Returns the bytes of a file, if it exists and can be read. */
  public Optional<byte[]> read(String name) {
    Path file = directory.resolve(name);
    try {
      refuseIfAnybodyWrites();
      var attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile() || attributes.size() > MAX_FILE_BYTES) {
        ignored.increment();
        return Optional.empty();
      }
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      fail(e);
      return Optional.empty();
    }
  }

  /** Counts a file whose class is used, and sets its last use. */
  public void countLoaded(String name) {
    loaded.increment();
    try {
      Files.setLastModifiedTime(
          directory.resolve(name), FileTime.fromMillis(System.currentTimeMillis()));
    } catch (IOException | SecurityException e) {
      // Another JVM has removed the file, or the directory is read-only. The class is used anyway,
      // and the last use of the file remains as it was.
    }
  }

  /** Counts a file that was read but cannot be used. */
  public void countIgnored() {
    ignored.increment();
  }

  /**
   * Writes a file, which replaces an existing one, and removes the oldest if there are too many.
   */
  public void write(String name, byte[] content) {
    if (content.length > MAX_FILE_BYTES) {
      return;
    }
    try {
      create();
      refuseIfAnybodyWrites();
      put(directory.resolve(name), content);
      stored.increment();
      oldFiles.remove(name);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void create() throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    if (posix) {
      var ownersOnly = PosixFilePermissions.fromString("rwx------");
      Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(ownersOnly));
    } else {
      Files.createDirectories(directory);
    }
  }

  private void refuseIfAnybodyWrites() throws IOException {
    if (posix
        && Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException("everybody may write there, and classes from there are run");
    }
  }

  /** Writes by a temporary file, which only its owner can read if the file system has owners. */
  private void put(Path file, byte[] content) throws IOException {
    Path temporary = Files.createTempFile(directory, OldFiles.TEMPORARY, null);
    try {
      Files.write(temporary, content);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      removeAfter(e, temporary);
      throw e;
    }
  }

  private static void removeAfter(Exception fault, Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      fault.addSuppressed(e);
    }
  }

  private void fail(Exception fault) {
    failed.increment();
    String failure =
        directory
            + ": classes cannot be kept on disk, so each start generates them again: "
            + fault
            + ". Name a directory that only the program's user may write to, with room for "
            + oldFiles.maxFiles()
            + " files, or do not set a directory.";
    lastFailure = Optional.of(failure);
    if (logged.compareAndSet(false, true)) {
      System.getLogger(ClassDirectory.class.getName())
          .log(System.Logger.Level.WARNING, failure, fault);
    }
  }

  /** Returns the counts of all classes so far. */
  public DiskStatistics statistics() {
    return new DiskStatistics(loaded.sum(), stored.sum(), ignored.sum(), failed.sum(), lastFailure);
  }
}
