package io.tidemark.registry.schemarepo;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 * A client of a registry with the REST API of AVRO-1124: {@code GET /{subject}/id/{id}}. Its ids
 * are unique only within a subject. It has no cache: every lookup sends a request. Safe for use by
 * many threads.
 *
 * <p>The URL ends with the API's path, as in {@code http://registry:2876/schema-repo}.
 */
public final class SchemaRepoRegistry implements SchemaRegistry {

  /** Segments with a special meaning in a path: an id with such text must be damaged. */
  private static final Set<String> NO_SEGMENTS = Set.of("", ".", "..");

  private final RegistryHttp http;

  /**
   * @throws IllegalArgumentException if a key store or trust store cannot be read
   */
  public SchemaRepoRegistry(HttpSettings settings) {
    this.http = new RegistryHttp(settings, new SchemaRepoDialect());
  }

  private SchemaRepoRegistry(RegistryHttp http) {
    this.http = http;
  }

  /** Returns the same client without retries: each lookup tries each URL at most once. */
  public SchemaRegistry once() {
    return new SchemaRepoRegistry(http.once());
  }

  /** Returns the subjects of the same registry, over the same connections. */
  public SchemaRepoSubjects subjects() {
    return new SchemaRepoSubjects(http);
  }

  @Override
  public RegisteredSchema schema(SchemaId id)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    if (!(id instanceof SchemaId.OfSubject ofSubject)) {
      throw SchemaNotFoundException.otherKind(
          id, "unique only within a subject (AVRO-1124)", location());
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
      throw new IllegalArgumentException("\"" + subject + "\" is not a valid name of a subject");
    }
    return "/" + Request.encode(subject);
  }

  /** Returns the schema of an entry, or empty if its text is too large or not Avro. */
  static Optional<RegisteredSchema> avro(SchemaEntry entry, RegistryHttp http) {
    try {
      return Optional.of(parsed(entry, http));
    } catch (SchemaNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Returns the schema of an entry; throws if its text is too large or not Avro. */
  static RegisteredSchema parsed(SchemaEntry entry, RegistryHttp http)
      throws SchemaNotFoundException {
    Optional<String> tooLarge = http.tooLarge(entry.schema().getBytes(UTF_8).length);
    if (tooLarge.isPresent()) {
      throw SchemaNotFoundException.unusable(
          entry.id() + " of " + http.location() + " " + tooLarge.get(),
          entry.id(),
          http.location());
    }
    try {
      return new RegisteredSchema(entry.id(), RegisteredSchema.parse(entry.schema()));
    } catch (SchemaParseException e) {
      throw SchemaNotFoundException.unusable(
          entry.id()
              + " of "
              + http.location()
              + " cannot be parsed by Avro: "
              + http.quoted(e.getMessage(), entry.schema())
              + ". The registry accepts any text. Register a corrected schema, or skip such"
              + " records.",
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
