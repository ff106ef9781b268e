package io.tidemark.connect.hdfs;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A file that is written: a quota, and a permission that was taken away, is met when its next block
 * is asked for, long after it was created. Used by one thread at a time.
 */
final class HdfsOutput extends FilterOutputStream {
  private final String location;

  HdfsOutput(OutputStream file, String location) {
    super(file);
    this.location = location;
  }

  /** The file as Hadoop's client writes it. */
  OutputStream file() {
    return out;
  }

  @Override
  public void write(int octet) throws IOException {
    try {
      out.write(octet);
    } catch (IOException e) {
      throw refusedOr(e);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw refusedOr(e);
    }
  }

  /** Not through {@link #flush} and not twice, as the superclass would have it. */
  @Override
  public void close() throws IOException {
    try {
      out.close();
    } catch (IOException e) {
      throw refusedOr(e);
    }
  }

  private IOException refusedOr(IOException thrown) {
    return HdfsRefusal.in(thrown, location).<IOException>map(refused -> refused).orElse(thrown);
  }
}
