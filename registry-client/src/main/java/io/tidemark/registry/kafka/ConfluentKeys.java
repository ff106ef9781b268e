package io.tidemark.registry.kafka;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of Confluent's serializer and deserializer that change bytes or values, and are not
 * supported here. They are refused: with the setting ignored, a record would differ in silence. A
 * setting that only one of the two uses is refused only there, because programs pass the same
 * settings to both.
 */
final class ConfluentKeys {
  private static final String RULE_EXECUTORS = "rule.executors";
  private static final String DISABLED = ".disabled";

  /** Who uses a setting. */
  enum Role {
    SERIALIZER,
    DESERIALIZER,
    BOTH
  }

  /**
   * A setting that is refused, unless its value has no effect.
   *
   * @param harmless the value without an effect, besides an empty one
   */
  private record Refused(String key, Role role, String harmless, String cure) {}

  private static final String NEWEST =
      "a value is written with its own schema, or with the newest of its subject. Remove the key,"
          + " or set auto.register.schemas=false and use.latest.version=true";
  private static final String NO_RULES =
      "rules of schemas are not executed here. Remove the key, or use Confluent's serializers for"
          + " this topic";

  private static final List<Refused> REFUSED =
      List.of(
          new Refused("use.schema.id", Role.SERIALIZER, "-1", NEWEST),
          new Refused("use.schema.guid", Role.SERIALIZER, "", NEWEST),
          new Refused(
              "use.latest.with.metadata",
              Role.BOTH,
              "",
              "a schema cannot be selected by its metadata. Remove the key, or set"
                  + " use.latest.version=true"),
          new Refused(
              "latest.compatibility.strict",
              Role.SERIALIZER,
              "true",
              "a value that does not resolve to the newest schema cannot be written. Set it to"
                  + " true"),
          new Refused(
              "schema.reflection",
              Role.BOTH,
              "false",
              "plain Java objects are not supported. Use generic or generated records"),
          new Refused(
              "propagate.schema.tags",
              Role.SERIALIZER,
              "false",
              "tags of the previous version would be lost. Remove the key, and register the schema"
                  + " with its tags"),
          new Refused(
              "context.name.strategy",
              Role.BOTH,
              "NullContextNameStrategy",
              "a context cannot depend on the topic. Remove the key, and set"
                  + " schema.registry.context"),
          new Refused("validation.rules.execution", Role.SERIALIZER, "DISABLED", NO_RULES),
          new Refused(RULE_EXECUTORS, Role.BOTH, "", NO_RULES),
          new Refused("rule.actions", Role.BOTH, "", NO_RULES));

  private ConfluentKeys() {}

  /**
   * Returns if all settings can be honoured.
   *
   * @throws ConfigException for the first that cannot
   */
  static void requireSupported(Map<String, ?> settings, boolean isKey, Role role) {
    for (Refused refused : REFUSED) {
      @Nullable String value = SerdeSettings.text(settings, refused.key());
      if (value != null
          && (refused.role() == Role.BOTH || refused.role() == role)
          && !isHarmless(value, refused.harmless())) {
        throw new ConfigException(refused.key(), value, refused.cure());
      }
    }
    for (String key : settings.keySet()) {
      if ((key.startsWith(RULE_EXECUTORS + ".") && !isSwitchOfRules(key))
          || key.startsWith("rule.actions.")) {
        // Without the value, which may be a secret of an executor.
        throw new ConfigException(key + ": " + NO_RULES);
      }
    }
    if (role == Role.DESERIALIZER) {
      String key = SerdeSettings.ofRecord(isKey, "schema.id.deserializer");
      @Nullable String value = SerdeSettings.text(settings, key);
      if (value != null
          && !isOneOf(value, "DualSchemaIdDeserializer", "PrefixSchemaIdDeserializer")) {
        throw new ConfigException(
            key,
            value,
            "ids are read from a header or before the datum. Use DualSchemaIdDeserializer or"
                + " PrefixSchemaIdDeserializer, or remove the key");
      }
    }
  }

  /** Returns whether a key disables a rule, as in {@code rule.executors._ENCRYPT_.disabled}. */
  static boolean isSwitchOfRules(String key) {
    return key.startsWith(RULE_EXECUTORS + ".")
        && key.endsWith(DISABLED)
        && key.length() > RULE_EXECUTORS.length() + 1 + DISABLED.length();
  }

  /** Returns the rule's name, the type between underscores, or {@code _default_} for all rules. */
  static String ruleOf(String key) {
    return key.substring(RULE_EXECUTORS.length() + 1, key.length() - DISABLED.length());
  }

  /** Returns whether a class's name, with or without its package, is one of some simple names. */
  static boolean isOneOf(String name, String... simpleNames) {
    return List.of(simpleNames).contains(name.substring(name.lastIndexOf('.') + 1));
  }

  private static boolean isHarmless(String value, String harmless) {
    return value.equalsIgnoreCase(harmless) || isOneOf(value, harmless);
  }
}
