package io.tidemark.registry.schemarepo;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.http.RegistryHttp;
import io.tidemark.registry.http.Request;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.SchemaParseException;

/**
 * A registry that speaks the REST API of AVRO-1124: {@code GET /{subject}/id/{id}}. Its ids have a
 * meaning within their subject alone. It keeps no schema: every lookup asks the service. Safe for
 * use by many threads.
 *
 * <p>The URL ends with the API's path, as in {@code http://registry:2876/schema-repo}.
 */
public final class SchemaRepoRegistry implements SchemaRegistry {

  /** Segments that a path has a meaning of its own for: such an id can only be a damaged one. */
  private static final Set<String> NO_SEGMENTS = Set.of("", ".", "..");

  private final RegistryHttp http;

  /**
   * @throws IllegalArgumentException when a key or trust store cannot be read
   */
  public SchemaRepoRegistry(HttpSettings settings) {
    this.http = new RegistryHttp(settings, new SchemaRepoDialect());
  }

  private SchemaRepoRegistry(RegistryHttp http) {
    this.http = http;
  }

  /** The same registry over the same connections, which is asked once in each lookup. */
  public SchemaRegistry once() {
    return new SchemaRepoRegistry(http.once());
  }

  /** The subjects of the same registry, over the same connections. */
  public SchemaRepoSubjects subjects() {
    return new SchemaRepoSubjects(http);
  }

  @Override
  public RegisteredSchema schema(SchemaId id)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    if (!(id instanceof SchemaId.OfSubject ofSubject)) {
      throw SchemaNotFoundException.otherKind(id, "ids of subjects", location());
    }
    if (NO_SEGMENTS.contains(ofSubject.value()) || NO_SEGMENTS.contains(ofSubject.subject())) {
      throw SchemaNotFoundException.unknown(id, 0, location());
    }
    try {
      String text =
          http.send(
              SchemaRepoDialect.get(
                  path(ofSubject.subject()) + "/id/" + Request.encode(ofSubject.value()),
                  "a schema",
                  SchemaRepoDialect::text));
      return parsed(new SchemaEntry(ofSubject, text), http);
    } catch (RegistryRefusedException e) {
      throw SchemaNotFoundException.unknown(id, e.code(), location());
    }
  }

  static String path(String subject) {
    if (NO_SEGMENTS.contains(subject)) {
      throw new IllegalArgumentException("\"" + subject + "\" names no subject");
    }
    return "/" + Request.encode(subject);
  }

  /** An entry, unless its text is not Avro's. */
  static Optional<RegisteredSchema> avro(SchemaEntry entry) {
    try {
      return Optional.of(new RegisteredSchema(entry.id(), RegisteredSchema.parse(entry.schema())));
    } catch (SchemaParseException e) {
      return Optional.empty();
    }
  }

  /** An entry whose text is Avro's. */
  static RegisteredSchema parsed(SchemaEntry entry, RegistryHttp http)
      throws SchemaNotFoundException {
    try {
      return new RegisteredSchema(entry.id(), RegisteredSchema.parse(entry.schema()));
    } catch (SchemaParseException e) {
      throw SchemaNotFoundException.unusable(
          entry.id()
              + " of "
              + http.location()
              + " cannot be parsed by Avro: "
              + http.quoted(e.getMessage(), entry.schema())
              + ". The registry takes any text. Register a corrected schema, or send such records to"
              + " a dead letter topic.",
          entry.id(),
          http.location());
    }
  }

  @Override
  public String location() {
    return http.location();
  }

  @Override
  public void close() {
    http.close();
  }
}
