package io.tidemark.avro.mapping;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Reads the rules of a {@link SchemaMapping} from texts, such as the settings of a program.
 *
 * <pre>
 * unwrap=debezium
 * types=iceberg
 * types.timestamp-micros=timestamp-millis
 * types.inexact=truncate
 * fields.types=customer.born:date
 * fields.exclude=customer.note,customer.phone
 * fields.hash=customer.ssn
 * fields.hash.salt=…
 * </pre>
 *
 * <p>{@code unwrap} is {@code debezium} or {@code as-is}. {@code types} names one of the
 * {@linkplain TypeRules#sets sets}. {@code types.TYPE} has a {@linkplain TypeRules#choices choice}
 * for one type, or {@code as-is}; without it the set decides. {@code types.inexact} is {@code
 * refuse}, {@code truncate} or {@code round}. The keys {@code fields.include}, {@code
 * fields.exclude}, {@code fields.hash} and {@code fields.mask} have paths of fields, with commas
 * between them; {@code fields.mask.text} is the text of masked fields.
 */
public final class MappingSettings {
  private static final String TYPES = "types";
  private static final String AS_IS = "as-is";
  private static final String HASH = "fields.hash";
  private static final String SALT = "fields.hash.salt";
  private static final String FIELD_TYPES = "fields.types";
  private static final Pattern COMMA = Pattern.compile(",");

  private final UnaryOperator<String> settings;
  private final BiConsumer<String, String> errors;

  private MappingSettings(UnaryOperator<String> settings, BiConsumer<String, String> errors) {
    this.settings = settings;
    this.errors = errors;
  }

  /**
   * Reads all rules.
   *
   * @param settings returns the text of a key; empty if the key is not set
   * @param errors receives the key of each setting that is wrong, with the problem and its cure
   */
  public static SchemaMapping.Builder read(
      UnaryOperator<String> settings, BiConsumer<String, String> errors) {
    var rules = SchemaMapping.builder();
    var reader = new MappingSettings(settings, errors);
    if (settings.apply("unwrap").strip().equals("debezium")) {
      rules.unwrap();
    }
    reader.types(rules);
    reader.fields(rules);
    return rules;
  }

  private void types(SchemaMapping.Builder rules) {
    String name = settings.apply(TYPES).strip();
    Map<String, String> set = TypeRules.sets().get(name.isEmpty() ? AS_IS : name);
    if (set == null) {
      errors.accept(
          TYPES,
          "\"%s\" is none of %s. Set one of them.".formatted(name, TypeRules.sets().keySet()));
      set = Map.of();
    }
    for (Map.Entry<String, List<String>> choice : TypeRules.choices().entrySet()) {
      String key = TYPES + "." + choice.getKey();
      String own = settings.apply(key).strip();
      String to = own.isEmpty() ? set.getOrDefault(choice.getKey(), AS_IS) : own;
      if (choice.getValue().contains(to)) {
        rules.type(choice.getKey(), to);
      } else if (!to.equals(AS_IS)) {
        errors.accept(
            key, "\"%s\" is neither as-is nor one of %s.".formatted(to, choice.getValue()));
      }
    }
    String inexact = settings.apply("types.inexact").strip();
    if (inexact.equals("truncate") || inexact.equals("round")) {
      rules.truncate();
    }
    if (inexact.equals("round")) {
      rules.round();
    }
  }

  private void fields(SchemaMapping.Builder rules) {
    String salt = settings.apply(SALT);
    String mask = settings.apply("fields.mask.text");
    if (salt.isBlank() && !settings.apply(HASH).isBlank()) {
      errors.accept(
          HASH,
          "without a salt, anyone finds a hashed name or number by trying all. Set fields.hash.salt to a secret text.");
    }
    fields("fields.include", rules::include);
    fields("fields.exclude", rules::exclude);
    fields(HASH, path -> rules.hash(path, salt));
    fields("fields.mask", path -> rules.mask(path, mask));
    fields(
        FIELD_TYPES,
        field -> {
          int colon = field.indexOf(':');
          if (colon < 0) {
            throw new IllegalArgumentException("\"%s\" has no type".formatted(field));
          }
          rules.fieldType(field.substring(0, colon).strip(), field.substring(colon + 1).strip());
        });
  }

  private void fields(String key, Consumer<String> rule) {
    COMMA
        .splitAsStream(settings.apply(key))
        .map(String::strip)
        .filter(path -> !path.isEmpty())
        .forEach(
            path -> {
              try {
                rule.accept(path);
              } catch (IllegalArgumentException e) {
                errors.accept(
                    key,
                    "%s. Write fields like %s, and give each one rule."
                        .formatted(
                            e.getMessage(),
                            key.equals(FIELD_TYPES) ? "customer.born:date" : "customer.name"));
              }
            });
  }
}
