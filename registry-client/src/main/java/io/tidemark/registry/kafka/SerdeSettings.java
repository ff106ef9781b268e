package io.tidemark.registry.kafka;

import io.tidemark.registry.config.RegistryConfig;
import io.tidemark.registry.confluent.SubjectNameStrategy;
import io.tidemark.registry.wire.IdFormat;
import io.tidemark.registry.wire.WireFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of a serializer or deserializer, besides those of its registry; {@code
 * docs/REGISTRY.md} lists them.
 *
 * @param useLatest values are written with the newest schema of their subject
 * @param logicalTypes values of logical types in generic records are read as objects
 * @param header the name of the record's header for the id
 */
record SerdeSettings(
    RegistryConfig registry,
    SubjectNameStrategy strategy,
    boolean isKey,
    boolean autoRegister,
    boolean normalize,
    boolean useLatest,
    boolean inHeader,
    boolean specific,
    boolean logicalTypes,
    String header) {

  private static final String USE_LATEST = "use.latest.version";

  /**
   * Parses the settings.
   *
   * @throws ConfigException with all problems of the registry's settings, or one of these settings
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
          "ids of schema.registry.id.format=" + registry.idFormat() + " cannot be in a header");
    }
    refuseUnsupported(settings);
    boolean autoRegister = flag(settings, "auto.register.schemas", true);
    boolean useLatest = flag(settings, USE_LATEST, false);
    if (useLatest && autoRegister) {
      throw new ConfigException(
          USE_LATEST,
          true,
          "has no effect while auto.register.schemas is true, its default."
              + " Set auto.register.schemas=false");
    }
    return new SerdeSettings(
        registry,
        strategy == null ? SubjectNameStrategy.TOPIC_NAME : strategy(strategyKey, strategy),
        isKey,
        autoRegister,
        flag(settings, "normalize.schemas", false),
        useLatest,
        inHeader,
        flag(settings, "specific.avro.reader", false),
        flag(settings, "avro.use.logical.type.converters", false),
        isKey ? WireFormat.KEY_HEADER : WireFormat.VALUE_HEADER);
  }

  /** Rejects keys of Confluent's serializers that are not supported but would change the bytes. */
  private static void refuseUnsupported(Map<String, ?> settings) {
    for (String key : List.of("use.schema.id", "use.latest.with.metadata")) {
      Object value = settings.get(key);
      if (value != null && !value.toString().isEmpty()) {
        throw new ConfigException(
            key,
            value,
            "a value is written with its own schema, or with the newest of its subject. Remove the"
                + " key, or set auto.register.schemas=false and "
                + USE_LATEST
                + "=true");
      }
    }
    if (!flag(settings, "latest.compatibility.strict", true)) {
      throw new ConfigException(
          "latest.compatibility.strict",
          false,
          "a value that does not resolve to the newest schema cannot be written. Set it to true");
    }
    if (flag(settings, "schema.reflection", false)) {
      throw new ConfigException(
          "schema.reflection",
          true,
          "plain Java objects are not supported. Send generic or generated records");
    }
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
