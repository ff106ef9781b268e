package io.tidemark.connect.hdfs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A keytab of MIT's format with one key of AES-256, as tests without a KDC need it. */
public final class KeytabFixture {
  /** Bytes of a key that can be searched for. */
  public static final String KEY = "s3cr3t-key-of-exactly-32-octets!";

  private static final int VERSION = 0x0502;
  private static final int AES_256 = 18;

  private KeytabFixture() {}

  /** Writes the keytab of a principal without a host. */
  public static Path write(Path file, String user, String realm) throws IOException {
    var entry = new ByteArrayOutputStream();
    var out = new DataOutputStream(entry);
    out.writeShort(1); // components of the name
    out.writeUTF(realm);
    out.writeUTF(user);
    out.writeInt(1); // a principal
    out.writeInt(0); // time
    out.writeByte(1); // version of the key
    out.writeShort(AES_256);
    out.writeShort(KEY.length());
    out.write(KEY.getBytes(US_ASCII));
    try (var all = new DataOutputStream(Files.newOutputStream(file))) {
      all.writeShort(VERSION);
      all.writeInt(entry.size());
      entry.writeTo(all);
    }
    return file;
  }
}
