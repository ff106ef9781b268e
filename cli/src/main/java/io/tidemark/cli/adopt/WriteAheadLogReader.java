package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.WriteAheadLog.Block;
import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import io.tidemark.store.PrintableText;
import io.tidemark.store.StoragePath;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one log of the old sink. Keeps at most two blocks in memory. Used by one thread, once.
 *
 * <pre>
 * "WAL" 0 | sync mark: 16 bytes
 * for each entry: length of key and value: int32 | length of key: int32 | key | value
 * or:             -1: int32 | the sync mark
 * </pre>
 *
 * Key and value are Hadoop's {@code Text}: the length as a variable number, then UTF-8.
 */
final class WriteAheadLogReader {
  private static final byte[] MAGIC = {'W', 'A', 'L', 0};
  private static final int SYNC_BYTES = 16;
  private static final int SYNC_MARK = -1;

  /** HDFS allows paths of 8,000 characters. */
  private static final int ENTRY_MOST_BYTES = 128 << 10;

  private static final int BLOCK_MOST_RENAMES = 500_000;

  // hdfs://namenode:8020/topics//+tmp/orders/partition=0/7f0c…_tmp.avro
  private static final Pattern URI =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*:(//([^/]*))?)?(/.*)", Pattern.DOTALL);

  private final StoragePath path;
  private final long listed;
  private final InputStream in;
  private final Set<String> authorities = new TreeSet<>();
  private byte[] sync = {};
  private long at;
  private long entryAt;
  private long blocks;
  private @Nullable Block last;
  private long openAt = -1;
  private List<Rename> open = new ArrayList<>();

  WriteAheadLogReader(StoragePath path, long listed, InputStream in) {
    this.path = path;
    this.listed = listed;
    this.in = in;
  }

  /** Reports bytes that no old sink writes. */
  private static final class DamageException extends Exception {
    private static final long serialVersionUID = 1L;

    DamageException(String message) {
      super(message);
    }
  }

  WriteAheadLog read() throws IOException {
    boolean cut = false;
    Optional<String> damage = Optional.empty();
    try {
      readEntries();
    } catch (EOFException e) {
      cut = true;
    } catch (DamageException e) {
      damage = Optional.of("at byte %d: %s".formatted(entryAt, e.getMessage()));
    }
    return new WriteAheadLog(
        path,
        listed,
        at,
        blocks,
        Optional.ofNullable(last),
        openAt < 0 ? Optional.empty() : Optional.of(new Block(openAt, open)),
        authorities,
        cut,
        damage);
  }

  private void readEntries() throws IOException, DamageException {
    int first = in.read();
    if (first < 0) {
      return; // The sink was killed before it wrote the header.
    }
    at++;
    byte[] magic = bytes(MAGIC.length - 1);
    if (first != MAGIC[0] || !Arrays.equals(magic, 0, 3, MAGIC, 1, 4)) {
      throw new DamageException("it does not begin as a log of version 0");
    }
    sync = bytes(SYNC_BYTES);
    for (first = in.read(); first >= 0; first = in.read()) {
      entryAt = at;
      at++;
      int length = (first << 24) | number(bytes(3));
      if (length == SYNC_MARK) {
        if (!Arrays.equals(bytes(SYNC_BYTES), sync)) {
          throw new DamageException("its sync mark is not that of the header");
        }
      } else {
        readEntry(length);
      }
    }
  }

  private void readEntry(int length) throws IOException, DamageException {
    if (length < 0 || length > ENTRY_MOST_BYTES) {
      throw new DamageException("an entry has the length " + length);
    }
    int keyLength = number(bytes(4));
    if (keyLength < 0 || keyLength > length) {
      throw new DamageException(
          "an entry of %d bytes has a key of %d".formatted(length, keyLength));
    }
    byte[] entry = bytes(length);
    String key = text(entry, 0, keyLength);
    String value = text(entry, keyLength, length);
    if (key.equals("BEGIN") && value.isEmpty()) {
      openAt = entryAt;
      open = new ArrayList<>();
    } else if (openAt < 0) {
      throw new DamageException("an entry is not in a block");
    } else if (key.equals("END") && value.isEmpty()) {
      end();
    } else {
      if (open.size() >= BLOCK_MOST_RENAMES) {
        throw new DamageException(
            "the block at byte %d has more than %d renames".formatted(openAt, BLOCK_MOST_RENAMES));
      }
      open.add(new Rename(path(key), path(value)));
    }
  }

  private void end() {
    if (!open.isEmpty()) {
      last = new Block(openAt, open);
      blocks++;
    }
    openAt = -1;
    open = new ArrayList<>();
  }

  /** Decodes a Text, which must fill its place. */
  private static String text(byte[] entry, int from, int to) throws DamageException {
    int start = from + 1;
    int length = from < to ? entry[from] : -1;
    if (length < -112 && length >= -116) {
      // -113 to -116: a number of 1 to 4 bytes follows.
      int end = start - length - 112;
      length = 0;
      for (; start < end; start++) {
        length = (length << 8) | (start < to ? entry[start] & 0xff : 0xff);
      }
    }
    if (length < 0 || length != to - start) {
      throw new DamageException("a text does not have the length of its place");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(entry, start, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new DamageException("a text is not UTF-8");
    }
  }

  /**
   * Returns the path of a URI. Only paths are compared: a log keeps the authority of its time. The
   * sink escapes nothing, so a parser of URIs would refuse some names.
   */
  private StoragePath path(String uri) throws DamageException {
    Matcher parts = URI.matcher(uri);
    if (!parts.matches()) {
      throw new DamageException("an entry has \"%s\" for a URI".formatted(PrintableText.of(uri)));
    }
    if (parts.group(3) != null) {
      authorities.add(parts.group(3));
    }
    try {
      return new StoragePath(parts.group(4).replaceAll("/{2,}", "/"));
    } catch (IllegalArgumentException e) {
      throw new DamageException("an entry has %s".formatted(PrintableText.messageOf(e)));
    }
  }

  private static int number(byte[] bytes) {
    int number = 0;
    for (byte each : bytes) {
      number = (number << 8) | (each & 0xff);
    }
    return number;
  }

  private byte[] bytes(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    at += bytes.length;
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }
}
