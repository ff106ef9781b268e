package io.tidemark.registry.kafka;

import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a deserializer, besides those that a serializer has, too.
 *
 * @param inHeader ids are first looked for in a header
 * @param specific records are objects of specific record classes
 * @param type the specific record class of all values; empty if it has the schema's name
 * @param logicalTypes values of logical types in generic records are objects
 * @param failOnTail a value with bytes after the datum is rejected
 */
record DeserializerSettings(
    SerdeSettings common,
    boolean inHeader,
    boolean specific,
    Optional<Class<?>> type,
    boolean logicalTypes,
    boolean failOnTail) {

  private static final Logger LOG = LoggerFactory.getLogger(DeserializerSettings.class);
  private static final String SPECIFIC = "specific.avro.reader";

  /**
   * Parses the settings.
   *
   * @throws ConfigException with all problems of the registry's settings, or one of these settings
   */
  static DeserializerSettings parse(Map<String, ?> settings, boolean isKey) {
    SerdeSettings common = SerdeSettings.parse(settings, isKey, ConfluentKeys.Role.DESERIALIZER);
    boolean specific = SerdeSettings.flag(settings, SPECIFIC, false);
    @Nullable String reader =
        SerdeSettings.text(settings, SerdeSettings.ofRecord(isKey, "schema.id.deserializer"));
    return new DeserializerSettings(
        common,
        reader == null || !ConfluentKeys.isOneOf(reader, "PrefixSchemaIdDeserializer"),
        specific,
        type(settings, "specific.avro." + (isKey ? "key" : "value") + ".type", specific),
        SerdeSettings.flag(settings, "avro.use.logical.type.converters", false),
        SerdeSettings.flag(settings, "avro.fail.on.trailing.data", true));
  }

  private static Optional<Class<?>> type(Map<String, ?> settings, String key, boolean specific) {
    if (SerdeSettings.text(settings, key) == null) {
      return Optional.empty();
    }
    Class<?> type = (Class<?>) ConfigDef.parseType(key, settings.get(key), ConfigDef.Type.CLASS);
    if (!SpecificRecord.class.isAssignableFrom(type)) {
      throw new ConfigException(
          key, type.getName(), "is not a specific record class. Name a class that Avro generated");
    }
    if (!specific) {
      LOG.warn("{}={} has no effect while {} is false. Set it to true.", key, type, SPECIFIC);
      return Optional.empty();
    }
    return Optional.of(type);
  }
}
