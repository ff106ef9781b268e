package io.tidemark.connect.health;

import io.tidemark.connect.health.ServiceCalls.Call;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Measures the writes of a file, so that a data node that does not respond is detected. */
final class MeasuredOutput extends FilterOutputStream {
  private final ServiceCalls calls;

  MeasuredOutput(OutputStream measured, ServiceCalls calls) {
    super(measured);
    this.calls = calls;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try (Call call = calls.begin("write")) {
      out.write(bytes, offset, length);
      call.answer();
    }
  }

  /** Closes the file once and without {@link #flush}, unlike the superclass. */
  @Override
  public void close() throws IOException {
    try (Call call = calls.begin("close a file")) {
      out.close();
      call.answer();
    }
  }
}
