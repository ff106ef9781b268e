package io.tidemark.store;

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
 * Writes small files of one directory once. The files are never changed. Of any number of writers
 * to one name, exactly one puts the file, and all others read it. Safe for use by many workers.
 *
 * <p>A file is written under a temporary name and then renamed. Example: {@code
 * .quotes.json.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp} becomes {@code quotes.json}. Temporary
 * names are never reused.
 */
public record PutIfAbsent(Storage storage, StoragePath directory) {
  private static final Logger LOG = LoggerFactory.getLogger(PutIfAbsent.class);
  private static final String TEMPORARY_END = "\\.[0-9a-f-]{36}\\.tmp";
  private static final int TEMPORARY_END_BYTES = 41;

  /** The content of a file that is too large for memory. */
  @FunctionalInterface
  public interface Content {

    /**
     * Writes the whole content. After an exception no file is put. A {@link NoSuchFileException}
     * for the source of the content is not allowed: it would count as one for the file.
     */
    void writeTo(OutputStream out) throws IOException;
  }

  public boolean put(String name, byte[] content) throws IOException {
    return put(name, out -> out.write(content));
  }

  /**
   * Puts a file, unless the name exists. Creates a missing directory. Returns false if another
   * writer was first, or may have been: read its file. After an exception it may appear later.
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
      // After a failover HDFS's client repeats a call. This may be the answer to the second call,
      // which found what the first one had done: a created temporary file, or a renamed one.
      storage.delete(temporary);
      if (storage.find(target).isEmpty()) {
        throw new IOException(
            "%s%s was not written, because its temporary file existed or its directory was removed. Probably the store failed over during the call. The call is retried."
                .formatted(storage.location(), target),
            e);
      }
      LOG.info("{} exists already, so {} is removed", target, temporary);
      return false;
    } catch (StoreRefusedException e) {
      removeRefused(temporary, e);
      throw e;
    }
  }

  /**
   * Puts a file, unless a listing has the name, and removes its temporary files that are left. Read
   * the file then: another writer may have been first.
   */
  public void ensure(String name, byte[] content) throws IOException {
    List<StoredFile> listed = storage.list(directory);
    if (listed.stream().noneMatch(file -> file.path().name().equals(name))) {
      put(name, content);
    }
    removeLeftovers(listed, List.of(name));
  }

  /** Tests whether {@link #put} could write so many bytes, under a temporary name. */
  public void tryToWrite(String name, int bytes) throws IOException {
    StoragePath temporary = temporary(name);
    try (OutputStream out = storage.create(temporary)) {
      out.write(new byte[bytes]);
    } catch (StoreRefusedException e) {
      removeRefused(temporary, e);
      throw e;
    }
    storage.delete(temporary);
  }

  /** Removes a rejected file: a quota may reject bytes after it allowed the file's creation. */
  private void removeRefused(StoragePath temporary, StoreRefusedException refusal) {
    try {
      storage.delete(temporary);
    } catch (IOException e) {
      refusal.addSuppressed(e);
    }
  }

  private StoragePath temporary(String name) {
    return directory.child(temporaryStart(name) + "." + UUID.randomUUID() + ".tmp");
  }

  /** Removes listed temporary files of names that exist now: their renames cannot take effect. */
  public void removeLeftovers(List<StoredFile> listed, Collection<String> existing)
      throws IOException {
    for (String name : existing) {
      Pattern temporary = Pattern.compile(Pattern.quote(temporaryStart(name)) + TEMPORARY_END);
      for (StoredFile file : listed) {
        if (!file.directory()
            && temporary.matcher(file.path().name()).matches()
            && storage.delete(file.path())) {
          LOG.info("removed {}, a temporary file of a task that stopped", file.path());
        }
      }
    }
  }

  /** Returns the name, or its hash if a temporary name would be too long for the file system. */
  private static String temporaryStart(String name) {
    byte[] bytes = name.getBytes(UTF_8);
    return "."
        + (bytes.length + 1 + TEMPORARY_END_BYTES <= StoragePath.COMPONENT_MAX_BYTES
            ? name
            : UUID.nameUUIDFromBytes(bytes).toString());
  }
}
