package io.tidemark.avro.mapping;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** A secret before each value that is hashed. Its text shows nothing of it. Immutable. */
final class Salt {
  private final byte[] secret;

  Salt(String secret) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a new SHA-256 that has digested the salt. */
  MessageDigest digest() {
    MessageDigest digest = sha256();
    digest.update(secret);
    return digest;
  }

  /** Returns a number that another salt has not, and from which the salt cannot be read. */
  String identity() {
    MessageDigest digest = sha256();
    digest.update("identity of a salt".getBytes(StandardCharsets.UTF_8));
    digest.update(secret);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Salt salt && Arrays.equals(salt.secret, secret);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(secret);
  }

  @Override
  public String toString() {
    return "salt";
  }
}
