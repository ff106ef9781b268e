package io.tidemark.registry.confluent;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schemas of subjects, of which it keeps each version that it has seen: a version does not
 * change. Safe for use by many threads.
 */
public final class SubjectVersions {
  private final ConfluentSubjects subjects;

  /** Nothing where a version is not Avro's. */
  private final Map<SubjectVersion.Name, Optional<RegisteredSchema>> seen =
      new ConcurrentHashMap<>();

  public SubjectVersions(ConfluentSubjects subjects) {
    this.subjects = subjects;
  }

  /** Every schema of a subject that is Avro's, the oldest first. */
  public List<RegisteredSchema> schemas(String subject)
      throws RegistryException, InterruptedException {
    List<RegisteredSchema> schemas = new ArrayList<>();
    for (int version : subjects.versions(subject)) {
      SubjectVersion.Name name = new SubjectVersion.Name(subject, version);
      Optional<RegisteredSchema> schema = seen.get(name);
      if (schema == null) {
        schema = ask(name);
        seen.put(name, schema);
      }
      schema.ifPresent(schemas::add);
    }
    return schemas;
  }

  private Optional<RegisteredSchema> ask(SubjectVersion.Name name)
      throws RegistryException, InterruptedException {
    try {
      return Optional.of(subjects.version(name.subject(), name.version()).schema());
    } catch (SchemaNotFoundException e) {
      return Optional.empty();
    }
  }
}
