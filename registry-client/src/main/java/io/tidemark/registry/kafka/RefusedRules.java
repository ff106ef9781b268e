package io.tidemark.registry.kafka;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaRule;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Refuses schemas with rules, none of which can be executed here. Without the encryption that a
 * rule requires, for example, a secret would be written as plain text.
 */
final class RefusedRules {
  private RefusedRules() {}

  /** Thrown if a value needs a rule. */
  static final class RuleException extends Exception {
    private static final long serialVersionUID = 1L;

    private RuleException(String message) {
      super(message);
    }
  }

  /**
   * Returns if a schema has no rule of a kind.
   *
   * @param disabled rules that the settings disable
   */
  static void requireNone(RegisteredSchema schema, Predicate<SchemaRule> kind, Set<String> disabled)
      throws RuleException {
    for (SchemaRule rule : schema.rules()) {
      if (kind.test(rule) && !isDisabled(rule, disabled)) {
        throw new RuleException(
            schema.id()
                + " has the "
                + rule
                + ", and rules are not executed here. Use Confluent's serializers for this topic,"
                + " or set rule.executors._"
                + rule.type()
                + "_.disabled=true to use the values without the rule.");
      }
    }
  }

  private static boolean isDisabled(SchemaRule rule, Set<String> disabled) {
    return disabled.contains(rule.name())
        || disabled.contains("_" + rule.type() + "_")
        || disabled.contains("_default_");
  }
}
