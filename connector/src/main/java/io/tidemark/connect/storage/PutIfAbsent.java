package io.tidemark.connect.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small files of one directory that are written once and never changed: of any number of writers of
 * one name, one puts the file, and all others read it. Safe for use by many threads, tasks and
 * workers.
 *
 * <p>A file is written under a temporary name and then renamed. Example: {@code
 * .quotes.json.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp} becomes {@code quotes.json}. Temporary
 * names are never used again.
 */
public final class PutIfAbsent {
  private static final Logger LOG = LoggerFactory.getLogger(PutIfAbsent.class);
  private static final int COMPONENT_MAX_BYTES = 255;
  // Version 1 of the formats had no ".tmp" behind the temporary name of a schema.
  private static final String TEMPORARY_END = "\\.[0-9a-f-]{36}(\\.tmp)?";
  private static final int TEMPORARY_END_BYTES = 41;

  private final Storage storage;
  private final StoragePath directory;

  public PutIfAbsent(Storage storage, StoragePath directory) {
    this.storage = storage;
    this.directory = directory;
  }

  /** What a file has, for files that are too large to be held in memory. */
  @FunctionalInterface
  public interface Content {

    /**
     * Writes all of it; the stream may be closed or left open.
     *
     * @throws IOException it cannot be read or written: no file is put. Not a {@link
     *     NoSuchFileException} of what is read, which would be taken for one of the file
     */
    void writeTo(OutputStream out) throws IOException;
  }

  /** As {@link #put(String, Content)}, with bytes. */
  public boolean put(String name, byte[] content) throws IOException {
    return put(name, out -> out.write(content));
  }

  /**
   * Puts a file, unless one of its name is there. Makes the directory, where missing.
   *
   * @return whether this call put it; if not, another writer was first, and its file is to be read
   * @throws IOException the store is away: try again. The file may be there, or come later
   */
  public boolean put(String name, Content content) throws IOException {
    storage.makeDirectories(directory);
    StoragePath target = directory.child(name);
    StoragePath temporary = temporary(name);
    try {
      try (OutputStream out = storage.create(temporary)) {
        content.writeTo(out);
      }
      storage.rename(temporary, target);
      return true;
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      boolean removed = storage.delete(temporary);
      LOG.info("{} was there before {}, which is removed: {}", target, temporary, removed);
      return false;
    } catch (StoreRefusedException e) {
      removeRefused(temporary, e);
      throw e;
    }
  }

  /**
   * Writes so many bytes under a temporary name and removes them: whether {@link #put} could.
   *
   * @throws IOException it could not, or the store is away
   */
  public void tryToWrite(String name, int bytes) throws IOException {
    StoragePath temporary = temporary(name);
    try (OutputStream out = storage.create(temporary)) {
      out.write(new byte[bytes]);
    } catch (StoreRefusedException e) {
      removeRefused(temporary, e);
      throw e;
    }
    boolean removed = storage.delete(temporary);
    LOG.debug("{} was written and is removed: {}", temporary, removed);
  }

  /** A quota may refuse the bytes of a file that it has let in; each try would leave one more. */
  private void removeRefused(StoragePath temporary, StoreRefusedException refusal) {
    try {
      boolean removed = storage.delete(temporary);
      LOG.debug("{} was refused and is removed: {}", temporary, removed);
    } catch (IOException e) {
      refusal.addSuppressed(e);
    }
  }

  private StoragePath temporary(String name) {
    return directory.child(temporaryStart(name) + "." + UUID.randomUUID() + ".tmp");
  }

  /**
   * Removes temporary files of names that stand: no rename of theirs can take effect any more.
   *
   * @param listed what stands, or stood, in the directory
   * @param standing names that are known to stand there now
   */
  public void removeLeftovers(List<StoredFile> listed, Collection<String> standing)
      throws IOException {
    for (String name : standing) {
      Pattern temporary = Pattern.compile(Pattern.quote(temporaryStart(name)) + TEMPORARY_END);
      for (StoredFile file : listed) {
        if (!file.directory()
            && temporary.matcher(file.path().name()).matches()
            && storage.delete(file.path())) {
          LOG.info("removed {}, left by a task that stopped", file.path());
        }
      }
    }
  }

  /** The name, or a hash of it where a temporary name would be too long for the file system. */
  private static String temporaryStart(String name) {
    byte[] bytes = name.getBytes(UTF_8);
    return "."
        + (bytes.length + 1 + TEMPORARY_END_BYTES <= COMPONENT_MAX_BYTES
            ? name
            : UUID.nameUUIDFromBytes(bytes).toString());
  }
}
