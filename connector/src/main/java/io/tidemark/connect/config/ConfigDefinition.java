package io.tidemark.connect.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;

import io.tidemark.avro.file.BlockCodec;
import io.tidemark.store.IndentedTexts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/** Defines every key from the table in {@code keys.txt}, which says what its cells mean. */
final class ConfigDefinition {
  private static final String EMPTY = "\"\"";

  /** The cells in braces. */
  private static final Map<String, String> OF_THE_CODE =
      Map.of(
          "{codecs}",
          String.join("; ", BlockCodec.NAMES),
          "{threads}",
          "" + Math.min(4, Runtime.getRuntime().availableProcessors()));

  private static final Map<String, String> ROWS =
      IndentedTexts.read(ConfigDefinition.class, "keys.txt");

  private ConfigDefinition() {}

  /** Returns the keys that can be set for each {@code topic}, or for each {@code table}. */
  static List<String> keysOf(String scope) {
    return ROWS.keySet().stream()
        .map(row -> row.split(" \\| ", -1))
        .filter(cells -> cells.length > 5 && cells[5].contains(scope))
        .map(cells -> cells[0])
        .toList();
  }

  static ConfigDef definition() {
    ConfigDef definition = new ConfigDef();
    String group = "";
    int order = 0;
    for (Map.Entry<String, String> row : ROWS.entrySet()) {
      String[] cells = row.getKey().split(" \\| ", -1);
      if (cells.length == 1) {
        group = row.getKey();
        order = 0;
        continue;
      }
      String key = cells[0];
      ConfigDef.Type type = ConfigDef.Type.valueOf(cells[1].toUpperCase(Locale.ROOT));
      definition.define(
          key,
          type,
          byDefault(OF_THE_CODE.getOrDefault(cells[2], cells[2])),
          validator(type, OF_THE_CODE.getOrDefault(cells[3], cells[3])),
          Importance.valueOf(cells[4].toUpperCase(Locale.ROOT)),
          row.getValue(),
          group,
          ++order,
          Width.LONG,
          key);
    }
    return definition.defineInternal(ConnectorConfig.TASK_ID, INT, 0, LOW);
  }

  private static @Nullable Object byDefault(String cell) {
    return switch (cell) {
      case "required" -> ConfigDef.NO_DEFAULT_VALUE;
      case "none" -> null;
      default -> cell.replace(EMPTY, "");
    };
  }

  private static ConfigDef.@Nullable Validator validator(ConfigDef.Type type, String values) {
    if (values.equals("-")) {
      return null;
    }
    if (type == INT || type == ConfigDef.Type.LONG) {
      String[] ends = values.split("\\.\\.", -1);
      return Range.between(
          Long.parseLong(ends[0]), ends[1].isEmpty() ? Long.MAX_VALUE : Long.parseLong(ends[1]));
    }
    if (values.matches("[A-Z_]+")) {
      return ValueForm.valueOf(values);
    }
    String[] texts = values.replace(EMPTY, "").split("; ", -1);
    return type == ConfigDef.Type.LIST ? ValidList.in(texts) : ValidString.in(texts);
  }
}
