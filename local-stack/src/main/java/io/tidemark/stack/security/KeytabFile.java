package io.tidemark.stack.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A keytab that has the keys of several principals.
 *
 * <p>The format is MIT's, version 2: the bytes 5 and 2, then entries. An entry is its length as a
 * 32-bit number, and so many bytes. They begin with the number of the name's components, the realm,
 * and the components, all with 16-bit numbers as lengths. {@code 0001 000d "TIDEMARK.TEST" 0005
 * "alice"} begins the entry of {@code alice@TIDEMARK.TEST}. A negative length is a hole.
 */
public final class KeytabFile {

  private static final short VERSION = 0x0502;

  private final Map<String, List<byte[]>> entries = new LinkedHashMap<>();

  private KeytabFile() {}

  /**
   * Reads a keytab.
   *
   * @throws IOException if it is missing, or no keytab of version 2
   */
  public static KeytabFile read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.remaining() < Short.BYTES || bytes.getShort() != VERSION) {
      throw new IOException(file + " is not a keytab of version 2");
    }
    KeytabFile keytab = new KeytabFile();
    while (bytes.remaining() >= Integer.BYTES) {
      int length = bytes.getInt();
      byte[] entry = new byte[Math.abs(length)];
      bytes.get(entry);
      if (length > 0) {
        keytab.entries.computeIfAbsent(nameIn(entry), name -> new ArrayList<>()).add(entry);
      }
    }
    return keytab;
  }

  private static String nameIn(byte[] entry) {
    ByteBuffer bytes = ByteBuffer.wrap(entry);
    int components = bytes.getShort();
    text(bytes);
    List<String> name = new ArrayList<>();
    for (int i = 0; i < components; i++) {
      name.add(text(bytes));
    }
    return String.join("/", name);
  }

  private static String text(ByteBuffer bytes) {
    byte[] text = new byte[bytes.getShort()];
    bytes.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Writes a keytab for each principal, and replaces the keytabs of earlier keys. */
  public void splitInto(Realm realm) throws IOException {
    for (Map.Entry<String, List<byte[]>> one : entries.entrySet()) {
      int size = one.getValue().stream().mapToInt(entry -> Integer.BYTES + entry.length).sum();
      ByteBuffer bytes = ByteBuffer.allocate(Short.BYTES + size).putShort(VERSION);
      one.getValue().forEach(entry -> bytes.putInt(entry.length).put(entry));
      Files.write(
          realm.keytab(one.getKey()),
          bytes.array(),
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
    }
  }
}
