package io.tidemark.avro.codegen;

import io.tidemark.avro.plan.Plan;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The identity of a plan: the SHA-256 of the compiler's version, both schemas in full, the paths of
 * the fields, and the rules of its mapping.
 *
 * <p>The schemas are JSON with every property, default and alias, as each of them may change the
 * planner's decisions. Avro's own fingerprints omit these.
 *
 * @param sha256 64 hexadecimal digits
 */
record PlanFingerprint(String sha256) {

  static PlanFingerprint of(Plan plan) {
    MessageDigest digest = newDigest();
    update(digest, PlanCompiler.VERSION);
    update(digest, plan.writerSchema().toString());
    update(digest, plan.tableSchema().toString());
    plan.fieldPaths().forEach(path -> update(digest, path));
    if (!plan.mapping().isEmpty()) {
      update(digest, "mapping");
      update(digest, plan.mapping());
    }
    return new PlanFingerprint(HexFormat.of().formatHex(digest.digest()));
  }

  /** Adds a text after its length, so that different lists of texts never have the same bytes. */
  private static void update(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int shift = 24; shift >= 0; shift -= 8) {
      digest.update((byte) (bytes.length >> shift));
    }
    digest.update(bytes);
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
