package io.tidemark.registry.confluent;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import java.util.Objects;
import java.util.Optional;

/**
 * One version of a subject.
 *
 * @param subject with its context, as the registry writes it
 * @param version the number of the version, from 1
 * @param guid the schema's GUID, unique everywhere; empty for older registries
 */
public record SubjectVersion(
    String subject, int version, RegisteredSchema schema, Optional<SchemaId.Guid> guid) {

  public SubjectVersion {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(guid, "guid");
  }

  /** A version without its schema. */
  public record Name(String subject, int version) {}
}
