package io.tidemark.registry.kafka;

import io.tidemark.registry.wire.IdFormat;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a serializer, besides those that a deserializer has, too.
 *
 * @param normalize the registry normalizes schemas first
 * @param place where the id is written
 * @param withoutJavaProperties schemas are registered and written without {@code avro.java.string}
 */
record SerializerSettings(
    SerdeSettings common,
    boolean autoRegister,
    boolean normalize,
    IdPlace place,
    boolean withoutJavaProperties) {

  private static final String PLACEMENT = "schema.id.placement";

  /** Where a serializer writes the id of a schema. */
  enum IdPlace {
    /** Before the datum, in the registry's format. */
    VALUE,
    /** In a header, as an int32. */
    HEADER,
    /** In a header, as a GUID: what Confluent's {@code HeaderSchemaIdSerializer} writes. */
    HEADER_GUID
  }

  /**
   * Parses the settings.
   *
   * @throws ConfigException with all problems of the registry's settings, or one of these settings
   */
  static SerializerSettings parse(Map<String, ?> settings, boolean isKey) {
    SerdeSettings common = SerdeSettings.parse(settings, isKey, ConfluentKeys.Role.SERIALIZER);
    boolean autoRegister = SerdeSettings.flag(settings, "auto.register.schemas", true);
    if (common.useLatest() && autoRegister) {
      throw new ConfigException(
          SerdeSettings.USE_LATEST,
          true,
          "has no effect while auto.register.schemas is true, its default."
              + " Set auto.register.schemas=false");
    }
    return new SerializerSettings(
        common,
        autoRegister,
        SerdeSettings.flag(settings, "normalize.schemas", false),
        place(settings, isKey, common.registry().idFormat()),
        SerdeSettings.flag(settings, "avro.remove.java.properties", false));
  }

  private static IdPlace place(Map<String, ?> settings, boolean isKey, IdFormat ids) {
    @Nullable IdPlace placement = placement(settings);
    String key = SerdeSettings.ofRecord(isKey, "schema.id.serializer");
    @Nullable String value = SerdeSettings.text(settings, key);
    @Nullable IdPlace serializer = value == null ? null : serializer(key, value);
    if (placement != null
        && serializer != null
        && (placement == IdPlace.VALUE) != (serializer == IdPlace.VALUE)) {
      throw new ConfigException(key, value, "contradicts " + PLACEMENT + ". Remove one of them");
    }
    IdPlace place = placement != null ? placement : serializer != null ? serializer : IdPlace.VALUE;
    if (place != IdPlace.VALUE && ids != IdFormat.CONFLUENT) {
      throw new ConfigException(
          placement != null ? PLACEMENT : key,
          placement != null ? "header" : value,
          "ids of schema.registry.id.format=" + ids + " cannot be in a header");
    }
    return place;
  }

  private static @Nullable IdPlace placement(Map<String, ?> settings) {
    @Nullable String value = SerdeSettings.text(settings, PLACEMENT);
    if (value == null) {
      return null;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "value" -> IdPlace.VALUE;
      case "header" -> IdPlace.HEADER;
      default -> throw new ConfigException(PLACEMENT, value, "use value or header");
    };
  }

  private static IdPlace serializer(String key, String value) {
    if (ConfluentKeys.isOneOf(value, "PrefixSchemaIdSerializer")) {
      return IdPlace.VALUE;
    }
    if (ConfluentKeys.isOneOf(value, "HeaderSchemaIdSerializer")) {
      return IdPlace.HEADER_GUID;
    }
    throw new ConfigException(
        key,
        value,
        "ids are written before the datum or in a header. Use PrefixSchemaIdSerializer or"
            + " HeaderSchemaIdSerializer, or remove the key");
  }
}
