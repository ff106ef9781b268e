package io.tidemark.cli.adopt;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A log of the old sink for one topic-partition, {@code LOGS_DIR/TOPIC/PARTITION/log} or {@code
 * log.1}. The sink closes its temporary files, writes a block of renames, and then renames.
 *
 * <p>A block without END was never applied. Of the complete blocks, only the last one can lack
 * renames; older ones must not be repeated, because their temporary names are used again.
 *
 * @param listed the number of bytes that the name node lists: 35 while a log is open
 * @param bytes the number of bytes that can be read
 * @param blocks the number of complete blocks that have renames
 * @param last the last of these
 * @param open the last block, if it has no END
 * @param authorities the authorities of the URIs, such as {@code namenode:8020}
 * @param cut whether the log ends within an entry, as a kill may leave it
 * @param damage what is wrong, with the position; empty if the log is whole
 */
record WriteAheadLog(
    StoragePath path,
    long listed,
    long bytes,
    long blocks,
    Optional<Block> last,
    Optional<Block> open,
    Set<String> authorities,
    boolean cut,
    Optional<String> damage) {

  private static final int BUFFER_BYTES = 64 << 10;

  // log, log.1, log.1.adopted
  static boolean isName(StoragePath path) {
    return path.name().matches("log(\\.1)?(\\.adopted)?");
  }

  /** Returns whether a task has the log open, or was killed and its lease is not recovered. */
  boolean isOpen() {
    return damage.isEmpty() && listed != bytes;
  }

  WriteAheadLog {
    authorities = Set.copyOf(authorities);
  }

  /** A temporary file, and the name at which it is committed. */
  record Rename(StoragePath temporary, StoragePath target) {}

  /**
   * The renames of one commit, in the order in which the sink makes them.
   *
   * @param at the position of BEGIN in the log, in bytes
   */
  record Block(long at, List<Rename> renames) {
    Block {
      renames = List.copyOf(renames);
    }
  }

  /** Reads a log to its end, whatever length a listing has; empty if there is none. */
  static Optional<WriteAheadLog> read(Storage storage, StoragePath path) throws IOException {
    Optional<StoredFile> listed = storage.find(path);
    if (listed.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = new BufferedInputStream(storage.open(path), BUFFER_BYTES)) {
      return Optional.of(new WriteAheadLogReader(path, listed.get().bytes(), in).read());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
