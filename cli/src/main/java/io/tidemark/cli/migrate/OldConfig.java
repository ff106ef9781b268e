package io.tidemark.cli.migrate;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.store.PrintableText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a connector as a file has it: as {@code POST /connectors} takes it, with
 * {@code name} and {@code config}, or only the settings.
 *
 * @param wrapped whether the file has {@code name} and {@code config}
 * @param settings in the file's order, with the name
 */
public record OldConfig(boolean wrapped, Map<String, String> settings) {
  private static final String CLASS = "connector.class";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  public OldConfig {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Reads a file. Throws a failure with its cure if it is not the configuration of a connector. */
  public static OldConfig read(Path file) throws CommandFailure {
    String place = PrintableText.of(file.toString());
    JsonNode root;
    try {
      root = JSON.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      // The message of the parser would repeat the text, in which there may be a password.
      throw failure(
          "%s: this is not JSON, at line %d, column %d. Save the configuration that Connect prints: curl http://worker:8083/connectors/NAME/config."
              .formatted(place, e.getLocation().getLineNr(), e.getLocation().getColumnNr()),
          e);
    } catch (IOException e) {
      throw failure(
          "%s: the file cannot be read: %s. Check its path and its rights, and that it is UTF-8."
              .formatted(place, PrintableText.of(e)),
          e);
    }
    if (!root.isObject()) {
      throw failure(
          "%s: this is not a JSON object. A configuration is {\"name\": …, \"config\": {…}}, or only the settings."
              .formatted(place),
          null);
    }
    boolean wrapped = root.path("config").isObject();
    Map<String, String> settings = new LinkedHashMap<>();
    if (wrapped && root.hasNonNull("name")) {
      settings.put("name", root.path("name").asText());
    }
    for (Map.Entry<String, JsonNode> each : (wrapped ? root.path("config") : root).properties()) {
      settings.put(each.getKey(), text(place, each));
    }
    if (Optional.ofNullable(settings.get(CLASS)).filter(name -> !name.isBlank()).isEmpty()) {
      throw failure(
          "%s: connector.class is not set, so this is not the configuration of a connector. Save what Connect prints: curl http://worker:8083/connectors/NAME/config."
              .formatted(place),
          null);
    }
    return new OldConfig(wrapped, settings);
  }

  private static String text(String place, Map.Entry<String, JsonNode> setting)
      throws CommandFailure {
    if (!setting.getValue().isValueNode() || setting.getValue().isNull()) {
      throw failure(
          "%s: the value of %s is not a text, a number or a boolean. Connect accepts no other value: correct it or remove the key."
              .formatted(place, PrintableText.of(setting.getKey())),
          null);
    }
    return setting.getValue().asText();
  }

  String connectorClass() {
    return settings.getOrDefault(CLASS, "").trim();
  }

  private static CommandFailure failure(String message, @Nullable Exception cause) {
    return cause == null
        ? new CommandFailure(ExitCode.USAGE, message)
        : new CommandFailure(ExitCode.USAGE, message, cause);
  }
}
