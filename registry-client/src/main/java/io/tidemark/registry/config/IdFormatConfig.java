package io.tidemark.registry.config;

import io.tidemark.registry.fingerprint.FingerprintSettings;
import io.tidemark.registry.wire.IdFormat;
import io.tidemark.registry.wire.SubjectTemplate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The settings of how ids stand with a datum, and what their registry must know for it. */
final class IdFormatConfig {
  private static final String FORMAT = "schema.registry.id.format";
  private static final String TEMPLATE = "schema.registry.subject.template";
  private static final String SUBJECTS = "schema.registry.subjects";
  private static final String REFRESH = "schema.registry.subjects.refresh.ms";

  private final ConfigReader config;

  IdFormatConfig(ConfigReader config) {
    this.config = config;
  }

  /** The format of the ids, which must be one that the registry keeps. */
  IdFormat format(RegistryApi api) {
    IdFormat byDefault = api == RegistryApi.AVRO_1124 ? IdFormat.SUBJECT_INT32 : IdFormat.CONFLUENT;
    IdFormat format =
        config.parsed(FORMAT, config.own("id.format"), IdFormat::parse).orElse(byDefault);
    boolean kept =
        format == IdFormat.SINGLE_OBJECT || format.ofSubject() == (api == RegistryApi.AVRO_1124);
    if (!kept) {
      config.problem(
          FORMAT,
          format
              + " has ids that such a registry does not keep. Ids of subjects belong to"
              + " schema.registry.api=avro-1124, Confluent's to confluent.");
    }
    return format;
  }

  /** How the subject of a topic is named. */
  SubjectTemplate subject(RegistryApi api) {
    Optional<SubjectTemplate> template =
        config.parsed(TEMPLATE, config.own("subject.template"), SubjectTemplate::new);
    if (template.isPresent() && api != RegistryApi.AVRO_1124) {
      config.problem(TEMPLATE, "has no meaning without schema.registry.api=avro-1124. Remove it.");
    }
    return template.orElse(SubjectTemplate.TOPIC);
  }

  /** The subjects whose schemas are known by their fingerprints. */
  FingerprintSettings fingerprints(IdFormat format) {
    FingerprintSettings byDefault = FingerprintSettings.NONE;
    List<String> subjects =
        config.own("subjects").stream()
            .flatMap(text -> Arrays.stream(text.split(",")))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .toList();
    int refreshMs =
        (int)
            config.number(
                REFRESH,
                config.own("subjects.refresh.ms"),
                "milliseconds",
                0,
                3_600_000,
                byDefault.refreshMs());
    if (format == IdFormat.SINGLE_OBJECT && subjects.isEmpty()) {
      config.problem(
          SUBJECTS,
          "is missing. A fingerprint is looked up among the schemas of subjects; list them:"
              + " orders-value,refunds-value");
    } else if (format != IdFormat.SINGLE_OBJECT && !subjects.isEmpty()) {
      config.problem(SUBJECTS, "has no meaning for " + FORMAT + "=" + format + ". Remove it.");
    }
    return new FingerprintSettings(subjects, refreshMs);
  }
}
