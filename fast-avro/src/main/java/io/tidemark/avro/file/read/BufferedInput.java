package io.tidemark.avro.file.read;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import org.apache.avro.InvalidNumberEncodingException;
import org.apache.avro.file.SeekableInput;

/** A seekable input, read through a buffer. Not thread-safe. */
final class BufferedInput implements Closeable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int MAX_VARINT_BYTES = 10;

  private final SeekableInput input;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int end;

  /** The position of the buffer's end in the file. */
  private long inputPosition;

  /**
   * True if the input must be moved before the next read. Some inputs cannot be moved to their end.
   */
  private boolean moved = true;

  BufferedInput(SeekableInput input) {
    this.input = input;
  }

  long length() throws IOException {
    return input.length();
  }

  /** Returns the position of the next byte. */
  long position() {
    return inputPosition - (end - at);
  }

  void seek(long position) {
    long begin = inputPosition - end;
    if (position >= begin && position < inputPosition) {
      at = (int) (position - begin);
      return;
    }
    at = 0;
    end = 0;
    inputPosition = position;
    moved = true;
  }

  /** Reads from the input, unless it has ended. */
  private int readInput(byte[] target, int offset, int length) throws IOException {
    if (moved) {
      if (inputPosition >= input.length()) {
        return -1;
      }
      input.seek(inputPosition);
      moved = false;
    }
    int read = input.read(target, offset, length);
    inputPosition += Math.max(0, read);
    return read;
  }

  /** Returns the next byte, or -1 at the end of the file. */
  int read() throws IOException {
    if (at == end && !fill()) {
      return -1;
    }
    return buffer[at++] & 0xff;
  }

  private boolean fill() throws IOException {
    at = 0;
    end = 0;
    end = Math.max(0, readInput(buffer, 0, buffer.length));
    return end > 0;
  }

  /** Fills the first bytes of an array. */
  void readFully(byte[] target, int length) throws IOException {
    int copied = Math.min(length, end - at);
    System.arraycopy(buffer, at, target, 0, copied);
    at += copied;
    while (copied < length) {
      at = 0;
      end = 0;
      int read = readInput(target, copied, length - copied);
      if (read < 0) {
        throw new EOFException();
      }
      copied += read;
    }
  }

  /** Reads a long in Avro's encoding. */
  long readLong() throws IOException {
    long raw = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      int next = read();
      if (next < 0) {
        throw new EOFException();
      }
      raw |= (next & 0x7fL) << (7 * i);
      if (next < 0x80) {
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    throw new InvalidNumberEncodingException(
        "a number is longer than " + MAX_VARINT_BYTES + " bytes");
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
