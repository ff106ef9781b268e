package io.tidemark.stack;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The log file of a server. Example: {@code logs/connect-1.log}.
 *
 * @param file the file, created by the server's first start
 */
public record ServerLog(Path file) {

  private static final int TAIL_BYTES = 6_000;

  /** Returns everything that the server has written, over all its starts. */
  public String text() {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  /** Returns the last lines, with the path of the file. */
  String tail() {
    if (!Files.exists(file)) {
      return file + " does not exist: the server has written nothing";
    }
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      long start = Math.max(0, open.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (open.length() - start)];
      open.seek(start);
      open.readFully(bytes);
      return "the end of %s:%n%s".formatted(file, new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }
}
