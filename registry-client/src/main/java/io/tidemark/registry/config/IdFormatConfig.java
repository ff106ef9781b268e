package io.tidemark.registry.config;

import io.tidemark.registry.fingerprint.FingerprintSettings;
import io.tidemark.registry.wire.IdFormat;
import io.tidemark.registry.wire.SubjectTemplate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads the settings of the schema ids' format, and of the lookup of such ids. */
final class IdFormatConfig {
  private static final String FORMAT = "schema.registry.id.format";
  private static final String TEMPLATE = "schema.registry.subject.template";
  private static final String SUBJECTS = "schema.registry.subjects";
  private static final String REFRESH = "schema.registry.subjects.refresh.ms";

  private final ConfigReader config;

  IdFormatConfig(ConfigReader config) {
    this.config = config;
  }

  /** Returns the format of the ids, which must fit the registry's API. */
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
              + " does not fit the registry's API. The subject-* formats need"
              + " schema.registry.api=avro-1124, and confluent needs"
              + " schema.registry.api=confluent.");
    }
    return format;
  }

  /** Returns the template for the subject of a topic. */
  SubjectTemplate subject(RegistryApi api) {
    Optional<SubjectTemplate> template =
        config.parsed(TEMPLATE, config.own("subject.template"), SubjectTemplate::new);
    if (template.isPresent() && api != RegistryApi.AVRO_1124) {
      config.problem(TEMPLATE, "has no effect without schema.registry.api=avro-1124. Remove it.");
    }
    return template.orElse(SubjectTemplate.TOPIC);
  }

  /** Returns the subjects whose schemas are looked up by fingerprint. */
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
      config.problem(SUBJECTS, "has no effect with " + FORMAT + "=" + format + ". Remove it.");
    }
    return new FingerprintSettings(subjects, refreshMs);
  }
}
