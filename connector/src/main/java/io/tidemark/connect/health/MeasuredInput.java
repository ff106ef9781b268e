package io.tidemark.connect.health;

import io.tidemark.connect.health.ServiceCalls.Call;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Measures the reads of a file, so that a data node that does not respond is detected. */
final class MeasuredInput extends FilterInputStream {
  private final ServiceCalls calls;

  MeasuredInput(InputStream measured, ServiceCalls calls) {
    super(measured);
    this.calls = calls;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try (Call call = calls.begin("read")) {
      int read = in.read(bytes, offset, length);
      call.answer();
      return read;
    }
  }
}
