package io.tidemark.avro.mapping;

import io.tidemark.avro.plan.step.Conversion;
import io.tidemark.avro.plan.step.Varints;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The SHA-256 of a salt and a value, as 64 hexadecimal digits. Text is hashed as UTF-8, bytes as
 * they are, a number as its decimal text, and an enum as its symbol.
 */
final class HashText extends Conversion {
  private static final int HASH_BYTES = 32;

  private final Schema.Type type;
  private final List<String> symbols;
  private final ThreadLocal<Hashing> hashing;

  /** A digest of a thread, and one that has the salt and is copied for each value. */
  private static final class Hashing {
    final MessageDigest salted;
    final byte[] hash = new byte[HASH_BYTES];

    Hashing(Salt salt) {
      salted = salt.digest();
    }

    MessageDigest next() {
      try {
        return (MessageDigest) salted.clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException("the SHA-256 of this Java platform has no clone", e);
      }
    }
  }

  HashText(Salt salt, Schema schema) {
    super(name(schema), name(schema) + " with salt " + salt.identity());
    type = schema.getType();
    symbols = type == Schema.Type.ENUM ? List.copyOf(schema.getEnumSymbols()) : List.of();
    hashing = ThreadLocal.withInitial(() -> new Hashing(salt));
  }

  private static String name(Schema schema) {
    return "hash of "
        + schema.getType().getName()
        + (schema.getType() == Schema.Type.ENUM ? " " + schema.getEnumSymbols() : "");
  }

  /** Returns whether values of a schema can be hashed. */
  static boolean takes(Schema schema) {
    return switch (schema.getType()) {
      case STRING, BYTES, FIXED, INT, LONG, ENUM -> true;
      default -> false;
    };
  }

  @Override
  public int maxBytes(byte[] source, int from, int to) {
    return Varints.MOST_BYTES + 2 * HASH_BYTES;
  }

  @Override
  public int convert(byte[] source, int from, int to, byte[] target, int at) {
    Hashing mine = hashing.get();
    MessageDigest digest = mine.next();
    switch (type) {
      case STRING, BYTES -> {
        int begin = Varints.end(source, from);
        digest.update(source, begin, to - begin);
      }
      case FIXED -> digest.update(source, from, to - from);
      case ENUM -> digest.update(utf8(symbols.get((int) Varints.read(source, from))));
      default -> digest.update(utf8(Long.toString(Varints.read(source, from))));
    }
    try {
      digest.digest(mine.hash, 0, HASH_BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException("a SHA-256 has 32 bytes", e);
    }
    int end = Varints.write(2 * HASH_BYTES, target, at);
    return HexDigits.write(mine.hash, 0, HASH_BYTES, target, end);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String problem(byte[] source, int from, int to) {
    throw new IllegalStateException("every value has a hash");
  }
}
