package io.tidemark.avro.file.place;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A new file at a path of the local file system. It is written under a temporary name in the same
 * directory, and created under its final name by a hard link. The link is atomic and never replaces
 * a file, so the file is there complete or not at all.
 */
public final class NewFileTarget implements FileTarget {
  private final Path path;
  private final Path temporary;
  private final FileChannel channel;
  private final OutputStream stream;

  /**
   * Begins a file under its temporary name. Example: for {@code /data/quotes.avro} {@code
   * /data/.quotes.avro.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp}.
   *
   * @throws FileAlreadyExistsException if a file exists at the path
   */
  public NewFileTarget(Path given) throws IOException {
    path = given.toAbsolutePath();
    if (Files.exists(path)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    temporary = path.resolveSibling("." + path.getFileName() + "." + UUID.randomUUID() + ".tmp");
    channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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
              + " cannot get its name: its file system has no hard links, which are needed to make"
              + " a file appear atomically. Write to a stream, or to another file system.",
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
