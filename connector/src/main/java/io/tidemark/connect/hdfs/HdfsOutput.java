package io.tidemark.connect.hdfs;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A file that is being written. A quota or a revoked permission takes effect only when the next
 * block is requested, long after the file was created. Not thread-safe.
 */
final class HdfsOutput extends FilterOutputStream {
  private final String location;

  HdfsOutput(OutputStream file, String location) {
    super(file);
    this.location = location;
  }

  /** The stream of Hadoop's client. */
  OutputStream file() {
    return out;
  }

  @Override
  public void write(int octet) throws IOException {
    try {
      out.write(octet);
    } catch (IOException e) {
      throw HdfsFailure.of(e, location);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw HdfsFailure.of(e, location);
    }
  }

  /** Closes the file once and without {@link #flush}, unlike the superclass. */
  @Override
  public void close() throws IOException {
    try {
      out.close();
    } catch (IOException e) {
      throw HdfsFailure.of(e, location);
    }
  }
}
