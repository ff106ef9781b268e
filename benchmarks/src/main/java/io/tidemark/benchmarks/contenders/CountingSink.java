package io.tidemark.benchmarks.contenders;

import java.io.OutputStream;

/** Counts bytes and discards them. Not safe for use by several threads. */
public final class CountingSink extends OutputStream {
  private long bytes;

  @Override
  public void write(int value) {
    bytes++;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    bytes += length;
  }

  /** Returns the number of bytes written. */
  public long bytes() {
    return bytes;
  }
}
