package io.tidemark.cli.adopt;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a log as the old sink does. */
final class LogBytes {
  private static final byte[] SYNC = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  LogBytes() {
    out.writeBytes(new byte[] {'W', 'A', 'L', 0});
    out.writeBytes(SYNC);
  }

  LogBytes begin() {
    return entry("BEGIN", "");
  }

  LogBytes end() {
    return entry("END", "");
  }

  LogBytes sync() {
    out.writeBytes(ByteBuffer.allocate(4).putInt(-1).array());
    out.writeBytes(SYNC);
    return this;
  }

  LogBytes entry(String key, String value) {
    byte[] first = text(key);
    byte[] second = text(value);
    out.writeBytes(
        ByteBuffer.allocate(8).putInt(first.length + second.length).putInt(first.length).array());
    out.writeBytes(first);
    out.writeBytes(second);
    return this;
  }

  /** A length of one byte up to 127, else its number of bytes and these. */
  private static byte[] text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 3);
    if (bytes.length <= 127) {
      buffer.put((byte) bytes.length);
    } else if (bytes.length <= 255) {
      buffer.put((byte) -113).put((byte) bytes.length);
    } else {
      buffer.put((byte) -114).putShort((short) bytes.length);
    }
    buffer.put(bytes);
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
