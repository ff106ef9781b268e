package io.tidemark.registry.kafka;

import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.confluent.SubjectNameStrategy;
import io.tidemark.registry.wire.IdFormat;
import io.tidemark.registry.wire.WireFormat;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of a serializer or deserializer beside those of its registry; {@code
 * docs/REGISTRY.md} lists them.
 *
 * @param header the record's header for the id
 */
record SerdeSettings(
    RegistryConfig registry,
    SubjectNameStrategy strategy,
    boolean isKey,
    boolean autoRegister,
    boolean normalize,
    boolean inHeader,
    boolean specific,
    String header) {

  /**
   * Reads the settings.
   *
   * @throws ConfigException with all that is wrong in the registry's settings, or one of our own
   */
  static SerdeSettings parse(Map<String, ?> settings, boolean isKey) {
    RegistryConfig registry;
    try {
      registry = RegistryConfig.parse(settings);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage());
    }
    String strategyKey = (isKey ? "key" : "value") + ".subject.name.strategy";
    Object strategy = settings.get(strategyKey);
    boolean inHeader = inHeader(settings);
    if (inHeader && registry.idFormat() != IdFormat.CONFLUENT) {
      throw new ConfigException(
          "schema.id.placement",
          "header",
          "ids of schema.registry.id.format=" + registry.idFormat() + " have no place in a header");
    }
    return new SerdeSettings(
        registry,
        strategy == null ? SubjectNameStrategy.TOPIC_NAME : strategy(strategyKey, strategy),
        isKey,
        flag(settings, "auto.register.schemas", true),
        flag(settings, "normalize.schemas", false),
        inHeader,
        flag(settings, "specific.avro.reader", false),
        isKey ? WireFormat.KEY_HEADER : WireFormat.VALUE_HEADER);
  }

  private static SubjectNameStrategy strategy(String key, Object value) {
    try {
      return SubjectNameStrategy.parse(
          value instanceof Class<?> c ? c.getName() : value.toString());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key + ": " + e.getMessage());
    }
  }

  private static boolean inHeader(Map<String, ?> settings) {
    Object placement = settings.get("schema.id.placement");
    if (placement == null || placement.equals("value")) {
      return false;
    }
    if (placement.equals("header")) {
      return true;
    }
    throw new ConfigException("schema.id.placement", placement, "use value or header");
  }

  private static boolean flag(Map<String, ?> settings, String key, boolean byDefault) {
    Object value = settings.get(key);
    String text = value == null ? Boolean.toString(byDefault) : value.toString();
    if (!text.equals("true") && !text.equals("false")) {
      throw new ConfigException(key, value, "use true or false");
    }
    return text.equals("true");
  }
}
