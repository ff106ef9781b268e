package io.tidemark.cli.adopt;

import io.tidemark.cli.audit.AvroBlocks;
import io.tidemark.cli.audit.AvroBlocks.DamagedFileException;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads the headers of a file's blocks: whether the file is complete, closed and not empty. */
final class FileLook {
  private FileLook() {}

  /**
   * Looks at a file.
   *
   * @param bytes the file's length in a listing, which is not that of a file that is still open
   */
  static OldFile.Content at(Storage storage, StoragePath path, long bytes) throws IOException {
    try (Measured in = new Measured(storage.open(path))) {
      long records = AvroBlocks.count(in).records();
      if (in.bytes != bytes) {
        return new OldFile.Broken(
            "is still open: %d bytes can be read, and the name node lists %d"
                .formatted(in.bytes, bytes));
      }
      return records == 0 ? new OldFile.Broken("has no record") : new OldFile.Records(records);
    } catch (DamagedFileException e) {
      return new OldFile.Broken(
          bytes == 0 ? "has 0 bytes" : "is not a complete Avro file: " + e.getMessage());
    }
  }

  /** A stream that counts the bytes that were read or skipped. */
  private static final class Measured extends FilterInputStream {
    private long bytes;

    Measured(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      bytes += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      bytes += Math.max(0, read);
      return read;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = super.skip(count);
      bytes += skipped;
      return skipped;
    }
  }
}
