package io.tidemark.avro.file;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.apache.avro.file.Syncable;

/** Where a file is written, and how it comes to stand there. Used by one thread at a time. */
sealed interface FileTarget {

  /** Takes the file's bytes. */
  OutputStream stream();

  /**
   * Makes what was written survive a power loss.
   *
   * @throws UnsupportedOperationException if the target has no such operation
   */
  void force() throws IOException;

  /** Ends the file: it is whole. */
  void complete() throws IOException;

  /** Gives the file up. */
  void abandon() throws IOException;

  /** A stream of the caller's: the file ends where the stream ends. */
  record OfStream(OutputStream stream) implements FileTarget {

    @Override
    public void force() throws IOException {
      if (stream instanceof Syncable syncable) {
        syncable.sync();
      } else if (stream instanceof FileOutputStream file) {
        file.getFD().sync();
      } else {
        throw new UnsupportedOperationException(
            stream.getClass().getName()
                + " cannot be forced to a disk. Write to a path, a FileOutputStream or an"
                + " org.apache.avro.file.Syncable, or sync the stream itself after flush().");
      }
    }

    @Override
    public void complete() throws IOException {
      stream.close();
    }

    @Override
    public void abandon() throws IOException {
      stream.close();
    }
  }

  /**
   * A path of the local file system. The file grows under a temporary name beside it and gets its
   * own by a hard link, which is atomic and never replaces another file: it is there whole or not
   * at all.
   */
  final class OfPath implements FileTarget {
    private final Path path;
    private final Path temporary;
    private final FileChannel channel;
    private final OutputStream stream;

    /**
     * Begins a file under its temporary name. Example: for {@code /data/quotes.avro} {@code
     * /data/.quotes.avro.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp}.
     *
     * @throws FileAlreadyExistsException if something stands at the path
     */
    OfPath(Path given) throws IOException {
      path = given.toAbsolutePath();
      if (Files.exists(path)) {
        throw new FileAlreadyExistsException(path.toString());
      }
      temporary = path.resolveSibling("." + path.getFileName() + "." + UUID.randomUUID() + ".tmp");
      channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      stream = Channels.newOutputStream(channel);
    }

    @Override
    public OutputStream stream() {
      return stream;
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void complete() throws IOException {
      try (channel) {
        channel.force(true);
      }
      try {
        Files.createLink(path, temporary);
      } catch (UnsupportedOperationException e) {
        throw new IOException(
            path
                + " cannot get its name: its file system has no hard links, by which a file appears"
                + " whole and replaces none. Write to a stream, or to another file system.",
            e);
      }
      Files.delete(temporary);
      try (var directory = FileChannel.open(path.resolveSibling(""), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }

    @Override
    public void abandon() throws IOException {
      try (channel) {
        Files.deleteIfExists(temporary);
      }
    }
  }
}
