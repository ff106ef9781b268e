package io.tidemark.registry;

import java.util.Objects;

/**
 * A rule that a registry of Confluent's API keeps with a schema, such as the encryption of tagged
 * fields. Confluent's serializers execute the rules; this library executes none. Rules that the
 * registry has disabled are left out.
 *
 * <pre>
 *   {"name": "pii", "kind": "TRANSFORM", "mode": "WRITEREAD", "type": "ENCRYPT", "tags": ["PII"]}
 * </pre>
 *
 * @param phase what the rule applies to
 * @param name the rule's name, unique within its schema
 * @param type the kind of executor that the rule needs, such as {@code ENCRYPT} or {@code CEL}
 * @param mode when the rule is executed, such as {@code WRITE} or {@code WRITEREAD}
 */
public record SchemaRule(Phase phase, String name, String type, String mode) {

  /** What a rule applies to. */
  public enum Phase {
    /** A datum's values. */
    DOMAIN,
    /** A datum's bytes. */
    ENCODING,
    /** Values that are converted from one version of the schema to another. */
    MIGRATION
  }

  public SchemaRule {
    Objects.requireNonNull(phase, "phase");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(mode, "mode");
  }

  /** Returns whether the rule is executed when a datum is written. */
  public boolean onWrite() {
    return phase != Phase.MIGRATION && !mode.equals("READ");
  }

  /** Returns whether the rule is executed when a datum is read. */
  public boolean onRead() {
    return phase != Phase.MIGRATION && !mode.equals("WRITE");
  }

  /** Returns the rule for messages: {@code rule pii of type ENCRYPT}. */
  @Override
  public String toString() {
    return "rule " + Printable.of(name) + " of type " + Printable.of(type);
  }
}
