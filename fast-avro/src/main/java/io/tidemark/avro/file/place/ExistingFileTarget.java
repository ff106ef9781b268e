package io.tidemark.avro.file.place;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.avro.file.SeekableInput;
import org.jspecify.annotations.Nullable;

/**
 * The end of an existing file of the local file system. If the file is abandoned, what was appended
 * is cut off. While it is open, no other {@code ExistingFileTarget} in any process can open the
 * file, if operating system and file system support locks.
 */
public final class ExistingFileTarget implements FileTarget {
  private final FileChannel channel;
  private final long lengthBefore;
  private final OutputStream stream;

  /**
   * Opens and locks a file.
   *
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  public ExistingFileTarget(Path path) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      lock(path);
      lengthBefore = channel.size();
      stream = Channels.newOutputStream(channel);
    } catch (IOException | RuntimeException e) {
      try (channel) {
        throw e;
      }
    }
  }

  private void lock(Path path) throws IOException {
    @Nullable FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException(
          path + ": another writer appends to the file. Wait until that writer has closed it.");
    }
  }

  /** Returns the file's bytes, to read them before the first write. Closing it does nothing. */
  public SeekableInput input() {
    return new Input();
  }

  @Override
  public OutputStream stream() {
    return stream;
  }

  /** Moves to the file's end. Call this before the first byte is written. */
  public void moveToEnd() throws IOException {
    channel.position(lengthBefore);
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
  }

  @Override
  public void abandon() throws IOException {
    try (channel) {
      if (channel.size() > lengthBefore) {
        channel.truncate(lengthBefore);
      }
    }
  }

  /**
   * Reads by the same channel: closing a second channel frees the first one's lock on some systems.
   */
  private final class Input implements SeekableInput {
    @Override
    public void seek(long position) throws IOException {
      channel.position(position);
    }

    @Override
    public long tell() throws IOException {
      return channel.position();
    }

    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return channel.read(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public void close() {}
  }
}
