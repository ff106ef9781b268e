package io.tidemark.registry.confluent;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRule;
import io.tidemark.registry.Subjects;
import io.tidemark.registry.http.Json;
import io.tidemark.registry.http.RegistryHttp;
import io.tidemark.registry.http.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.Schema;

/**
 * The subjects of a registry with Confluent's REST API, in one context. It has no cache: every call
 * sends a request. Safe for use by many threads. It is closed with the {@link ConfluentRegistry}
 * that returned it.
 *
 * <p>The context is added to the name of a subject, unless the name already contains a context
 * ({@code :.staging:orders}).
 */
public final class ConfluentSubjects implements Subjects {
  private final RegistryHttp http;
  private final SchemaContext context;
  private final boolean normalize;

  ConfluentSubjects(RegistryHttp http, SchemaContext context) {
    this(http, context, false);
  }

  private ConfluentSubjects(RegistryHttp http, SchemaContext context, boolean normalize) {
    this.http = http;
    this.context = context;
    this.normalize = normalize;
  }

  /**
   * Returns the same subjects with normalization: the registry normalizes schemas before it
   * compares or registers them, so that schemas that differ only in formatting are equal.
   */
  public ConfluentSubjects normalizing() {
    return new ConfluentSubjects(http, context, true);
  }

  /**
   * Returns the names of the context's subjects. In the default context it returns the subjects of
   * all contexts.
   */
  @Override
  public List<String> names() throws RegistryException, InterruptedException {
    return http.send(
        ConfluentDialect.get(
            context.isDefault()
                ? "/subjects"
                : "/subjects?subjectPrefix=" + Request.encode(context.prefix()),
            "a list of subjects",
            Json::texts));
  }

  /** Returns the registry's contexts. */
  public List<String> contexts() throws RegistryException, InterruptedException {
    return http.send(
        ConfluentDialect.get("/contexts", "a list of contexts", Json::texts)
            .ofFeature("a list of its contexts"));
  }

  /** Returns the versions of a subject in ascending order, without deleted ones. */
  public List<Integer> versions(String subject) throws RegistryException, InterruptedException {
    return http.send(
        ConfluentDialect.get(path(subject) + "/versions", "a list of versions", Json::ints));
  }

  /** Returns one version of a subject. */
  public SubjectVersion version(String subject, int version)
      throws RegistryException, InterruptedException {
    return subjectVersion(
        ConfluentDialect.get(
            path(subject) + "/versions/" + version, "a subject's version", VersionDocument::read));
  }

  /** Returns the newest version of a subject. */
  public SubjectVersion latestVersion(String subject)
      throws RegistryException, InterruptedException {
    return subjectVersion(
        ConfluentDialect.get(
            path(subject) + "/versions/latest", "a subject's version", VersionDocument::read));
  }

  @Override
  public RegisteredSchema latest(String subject) throws RegistryException, InterruptedException {
    return latestVersion(subject).schema();
  }

  /** Returns the version that a schema has in a subject. */
  public SubjectVersion findVersion(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return subjectVersion(lookup(subject, schema));
  }

  @Override
  public SchemaId find(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return findSchema(subject, schema).id();
  }

  @Override
  public RegisteredSchema findSchema(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    VersionDocument document = http.send(lookup(subject, schema));
    return new RegisteredSchema(
        SchemaId.of(document.id()),
        schema,
        document.guid().map(SchemaId.Guid::new),
        document.schema().rules());
  }

  @Override
  public SchemaId register(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return register(subject, schema.toString(), List.of());
  }

  @Override
  public RegisteredSchema registerSchema(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    Registration registration = registration(subject, schema.toString(), List.of());
    return new RegisteredSchema(
        registration.id(), schema, registration.guid(), registration.rules());
  }

  /**
   * Registers a schema that refers to types of other subjects.
   *
   * @param schema schema JSON that uses those types by name
   */
  public SchemaId register(String subject, String schema, List<SchemaReference> references)
      throws RegistryException, InterruptedException {
    return registration(subject, schema, references).id();
  }

  private Registration registration(String subject, String schema, List<SchemaReference> references)
      throws RegistryException, InterruptedException {
    return http.send(
        ConfluentDialect.post(
            path(subject) + "/versions" + normalization(),
            new SchemaDocument(schema, "AVRO", references).toJson(),
            "a schema's id",
            Registration::read));
  }

  /**
   * Checks whether a schema is compatible with a subject's newest version, at the subject's
   * compatibility level.
   */
  public Compatibility checkLatest(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return http.send(check(subject, "/versions/latest", schema));
  }

  /**
   * Checks whether a subject would accept a schema, against all versions that the subject's
   * compatibility level requires.
   */
  public Compatibility check(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return http.send(
        check(subject, "/versions", schema)
            .ofFeature("a check against all versions; checkLatest checks against the newest"));
  }

  private Request<Compatibility> check(String subject, String versions, Schema schema) {
    return ConfluentDialect.post(
        "/compatibility" + path(subject) + versions + "?verbose=true",
        document(schema),
        "the outcome of a compatibility check",
        ConfluentSubjects::compatibility);
  }

  /** Returns the subjects that contain the schema with this id, each with the schema's version. */
  public List<SubjectVersion.Name> versionsOf(SchemaId.Int32 id)
      throws RegistryException, InterruptedException {
    return http.send(
        ConfluentDialect.get(
                "/schemas/ids/"
                    + id.value()
                    + "/versions"
                    + (context.isDefault() ? "" : "?subject=" + Request.encode(context.prefix())),
                "a list of subjects and versions",
                ConfluentSubjects::names)
            .ofFeature("the subjects of a schema id"));
  }

  private Request<VersionDocument> lookup(String subject, Schema schema) {
    return ConfluentDialect.post(
        path(subject) + normalization(),
        document(schema),
        "a subject's version",
        VersionDocument::read);
  }

  private SubjectVersion subjectVersion(Request<VersionDocument> request)
      throws RegistryException, InterruptedException {
    VersionDocument document = http.send(request);
    SchemaId id = SchemaId.of(document.id());
    Schema schema =
        new SchemaAssembly(id, http).assemble(document.schema(), context.of(document.subject()));
    return new SubjectVersion(
        document.subject(),
        document.version(),
        new RegisteredSchema(
            id, schema, document.guid().map(SchemaId.Guid::new), document.schema().rules()),
        document.guid().map(SchemaId.Guid::new));
  }

  private String path(String subject) {
    return "/subjects/" + Request.encode(context.qualify(subject));
  }

  private String normalization() {
    return normalize ? "?normalize=true" : "";
  }

  private static String document(Schema schema) {
    return new SchemaDocument(schema.toString(), "AVRO", List.of()).toJson();
  }

  private static Optional<Compatibility> compatibility(byte[] body) {
    JsonNode json = Json.read(body);
    List<String> messages = new ArrayList<>();
    json.path("messages").forEach(message -> messages.add(message.asText()));
    return json.path("is_compatible").isBoolean()
        ? Optional.of(new Compatibility(json.path("is_compatible").booleanValue(), messages))
        : Optional.empty();
  }

  private static Optional<List<SubjectVersion.Name>> names(byte[] body) {
    JsonNode json = Json.read(body);
    List<SubjectVersion.Name> names = new ArrayList<>();
    for (JsonNode name : json) {
      if (!name.path("subject").isTextual() || !name.path("version").canConvertToInt()) {
        return Optional.empty();
      }
      names.add(
          new SubjectVersion.Name(
              name.path("subject").textValue(), name.path("version").intValue()));
    }
    return json.isArray() ? Optional.of(List.copyOf(names)) : Optional.empty();
  }

  private static Optional<UUID> guid(JsonNode json) {
    try {
      return Optional.of(UUID.fromString(json.path("guid").asText()));
    } catch (IllegalArgumentException e) {
      // No GUID, or malformed: the number identifies the schema as well.
      return Optional.empty();
    }
  }

  /**
   * A response to a registration. Older registries only return the id.
   *
   * <pre>
   *   {"id": 4711, "guid": "89791762-...", "ruleSet": {"domainRules": [...]}}
   * </pre>
   */
  private record Registration(SchemaId id, Optional<SchemaId.Guid> guid, List<SchemaRule> rules) {
    static Optional<Registration> read(byte[] body) {
      JsonNode json = Json.read(body);
      return json.path("id").canConvertToInt()
          ? Optional.of(
              new Registration(
                  SchemaId.of(json.path("id").intValue()),
                  ConfluentSubjects.guid(json).map(SchemaId.Guid::new),
                  SchemaDocument.rules(json)))
          : Optional.empty();
    }
  }

  /**
   * A version in the registry's JSON.
   *
   * <pre>
   *   {"subject": "orders-value", "version": 3, "id": 4711, "guid": "89791762-...", "schema": ...}
   * </pre>
   */
  private record VersionDocument(
      String subject, int version, int id, Optional<UUID> guid, SchemaDocument schema) {

    static Optional<VersionDocument> read(byte[] body) {
      JsonNode json = Json.read(body);
      Optional<SchemaDocument> schema = SchemaDocument.of(json);
      if (schema.isEmpty()
          || !json.path("subject").isTextual()
          || !json.path("version").canConvertToInt()
          || !json.path("id").canConvertToInt()) {
        return Optional.empty();
      }
      return Optional.of(
          new VersionDocument(
              json.path("subject").textValue(),
              json.path("version").intValue(),
              json.path("id").intValue(),
              ConfluentSubjects.guid(json),
              schema.get()));
    }
  }
}
