package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topics with schema ids in other places or formats than Confluent's prefix of the value. */
@OnSharedStack
final class IdFormatsIT {
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "ids-in-headers | - | schema.id.placement=header",
        "ids-of-subjects | avro-1124 | schema.registry.id.format=subject-int32",
        "ids-as-text | avro-1124 | schema.registry.id.format=subject-varint-text"
            + ";schema.registry.subject.template=${topic}-value",
        "ids-as-short-text | avro-1124 | schema.registry.id.format=subject-uint16-text",
        "fingerprints | - | schema.registry.id.format=single-object"
            + ";schema.registry.subjects=fingerprints-value",
      })
  void topicLandsByConfigurationAlone(String name, String api, String settings, RealStack stack) {
    Map<String, String> registry = registry(stack, Optional.ofNullable(api), settings);
    SourceTopic topic = stack.topic(name, 2).writtenBy(registry);
    topic.send(Readings.V1, 0, 500);
    Deployment connector = stack.deploy(connector(name, topic, registry));
    connector.awaitLanded();
    topic.sendAlternating(0, List.of(Readings.V1, Readings.V2), 500, 1_000);
    connector.awaitLanded();

    LandedTable table = connector.table(topic);
    table.assertHoldsExactly(topic.produced());
  }

  /** The registry has the schema, under a subject that is not configured. */
  @Test
  void fingerprintsLandOnceTheirSubjectIsNamed(RealStack stack) {
    stack.register("another-subject", Readings.V2);
    Map<String, String> written =
        registry(
            stack,
            Optional.empty(),
            "schema.registry.id.format=single-object;schema.registry.subjects=another-subject-value");
    SourceTopic topic = stack.topic("unnamed-subject", 1).writtenBy(written);
    topic.send(Readings.V1, 0, 100);
    ConnectorSettings settings = connector("unnamed-subject", topic, written);
    Deployment connector = stack.deployFailing(settings.with("on.refusal", "stop-task"));
    assertThat(connector.awaitFailure())
        .contains("belongs to no schema of the subjects", "add its subject to")
        .contains("schema.registry.subjects");

    connector.configureStopped(
        settings.with("schema.registry.subjects", "another-subject-value,unnamed-subject-value"));

    connector.awaitRunning();
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
  }

  static ConnectorSettings connector(String name, SourceTopic topic, Map<String, String> registry) {
    ConnectorSettings settings = ConnectorSettings.of(name, topic).with("header.converter", BYTES);
    for (Map.Entry<String, String> setting : registry.entrySet()) {
      settings = settings.with(setting.getKey(), setting.getValue());
    }
    return settings;
  }

  static Map<String, String> registry(RealStack stack, Optional<String> api, String settings) {
    Map<String, String> registry = new HashMap<>();
    for (String setting : settings.split(";", -1)) {
      int equals = setting.indexOf('=');
      registry.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
    api.ifPresent(name -> registry.put("schema.registry.api", name));
    registry.put(
        "schema.registry.url",
        api.isPresent() ? stack.services().schemaRepo().url() : stack.services().registry().url());
    return registry;
  }
}
