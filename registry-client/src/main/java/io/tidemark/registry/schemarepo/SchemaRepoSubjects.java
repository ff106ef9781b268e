package io.tidemark.registry.schemarepo;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.Subjects;
import io.tidemark.registry.http.Json;
import io.tidemark.registry.http.RegistryHttp;
import io.tidemark.registry.http.Request;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.avro.Schema;

/**
 * The subjects of a registry with the REST API of AVRO-1124. It has no cache: every call sends a
 * request. Safe for use by many threads. It is closed with the {@link SchemaRepoRegistry} that
 * returned it.
 *
 * <p>The registry compares schemas as texts: this class sends {@link Schema#toString()}. An empty
 * result is never an error: if a call fails, its method throws an exception.
 */
public final class SchemaRepoSubjects implements Subjects {
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;

  private final RegistryHttp http;

  SchemaRepoSubjects(RegistryHttp http) {
    this.http = http;
  }

  @Override
  public List<String> names() throws RegistryException, InterruptedException {
    return http.send(SchemaRepoDialect.list("/", "a list of subjects", SchemaRepoSubjects::names));
  }

  /** Returns whether a subject exists. */
  public boolean exists(String subject) throws RegistryException, InterruptedException {
    try {
      // The response has no body, and so no media type.
      return http.send(
          SchemaRepoDialect.get(
              path(subject),
              "an empty response",
              (mediaType, body) -> body.length == 0 ? Optional.of(true) : Optional.empty()));
    } catch (RegistryRefusedException e) {
      if (e.reason() == Reason.SUBJECT_NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Creates a subject. An existing subject and its configuration are not changed.
   *
   * @param config for example {@code repo.validators} with the names of the registry's validators;
   *     the registry does not check these names
   */
  public void create(String subject, Map<String, String> config)
      throws RegistryException, InterruptedException {
    String form =
        new TreeMap<>(config)
            .entrySet().stream()
                .map(
                    entry ->
                        Request.encode(entry.getKey()) + "=" + Request.encode(entry.getValue()))
                .collect(joining("&"));
    http.send(
        new Request<>(
            "PUT",
            path(subject),
            Optional.of(new Request.Body("application/x-www-form-urlencoded", form)),
            SchemaRepoDialect.TEXT,
            "the subject's name",
            SchemaRepoDialect::text));
  }

  /** Returns the configuration with which a subject was created. */
  public Map<String, String> config(String subject) throws RegistryException, InterruptedException {
    return http.send(
        SchemaRepoDialect.get(
            path(subject) + "/config", "a subject's configuration", SchemaRepoSubjects::config));
  }

  /** Returns whether a subject's ids are numbers. */
  public boolean hasIntegralIds(String subject) throws RegistryException, InterruptedException {
    return http.send(
        SchemaRepoDialect.get(
            path(subject) + "/integral",
            "true or false",
            (mediaType, body) ->
                SchemaRepoDialect.text(mediaType, body)
                    .map(String::strip)
                    .filter(text -> text.equals("true") || text.equals("false"))
                    .map(Boolean::valueOf)));
  }

  /** Returns all entries of a subject, the oldest first. */
  public List<SchemaEntry> all(String subject) throws RegistryException, InterruptedException {
    return http.send(
        SchemaRepoDialect.list(
            path(subject) + "/all",
            "a list of ids and schemas",
            (mediaType, body) -> SchemaEntry.all(subject, mediaType, body)));
  }

  /**
   * Returns the ids of all Avro schemas of a subject by CRC-64-AVRO fingerprint; of several schemas
   * with the same, the id of the newest.
   */
  public Map<Long, SchemaId> ids(String subject) throws RegistryException, InterruptedException {
    Map<Long, SchemaId> ids = new LinkedHashMap<>();
    for (SchemaEntry entry : all(subject)) {
      SchemaRepoRegistry.avro(entry, http)
          .ifPresent(schema -> ids.put(schema.canonicalFingerprint(), schema.id()));
    }
    return ids;
  }

  @Override
  public RegisteredSchema latest(String subject) throws RegistryException, InterruptedException {
    return SchemaRepoRegistry.parsed(latestEntry(subject), http);
  }

  private SchemaEntry latestEntry(String subject) throws RegistryException, InterruptedException {
    return http.send(
        SchemaRepoDialect.get(
            path(subject) + "/latest",
            "an id and a schema",
            (mediaType, body) ->
                SchemaRepoDialect.text(mediaType, body)
                    .flatMap(text -> SchemaEntry.ofText(subject, text))));
  }

  @Override
  public SchemaId.OfSubject find(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    return send("POST", subject, "/schema", schema);
  }

  /** Registers a schema in a subject; creates the subject, without configuration, if needed. */
  @Override
  public SchemaId.OfSubject register(String subject, Schema schema)
      throws RegistryException, InterruptedException {
    try {
      return validated("/register", subject, schema);
    } catch (RegistryRefusedException e) {
      if (e.reason() != Reason.SUBJECT_NOT_FOUND) {
        throw e;
      }
      create(subject, Map.of());
      return validated("/register", subject, schema);
    }
  }

  /**
   * Registers a schema if the subject's newest schema is still the expected one.
   *
   * @param expected the id of the newest schema; empty if the subject must have none
   * @return the id of the schema; empty if the newest schema is another one
   */
  public Optional<SchemaId.OfSubject> registerIfLatest(
      String subject, Schema schema, Optional<SchemaId.OfSubject> expected)
      throws RegistryException, InterruptedException {
    String id = expected.map(latest -> Request.encode(latest.value())).orElse("");
    try {
      return Optional.of(validated("/register_if_latest/" + id, subject, schema));
    } catch (RegistryUnavailableException e) {
      if (e.code() != CONFLICT) {
        throw e;
      }
      // This schema may be the newest one: a request whose response was lost is sent again.
      SchemaEntry latest = latestEntry(subject);
      return latest.schema().equals(schema.toString())
          ? Optional.of(latest.id())
          : Optional.empty();
    }
  }

  /** Registers a schema. A rejection by a validator has the same status as a missing permission. */
  private SchemaId.OfSubject validated(String resource, String subject, Schema schema)
      throws RegistryException, InterruptedException {
    try {
      return send("PUT", subject, resource, schema);
    } catch (RegistryUnavailableException e) {
      if (e.code() != FORBIDDEN) {
        throw e;
      }
      throw new RegistryRefusedException(
          http.location()
              + path(subject)
              + resource
              + " returned HTTP 403: a validator of the subject rejects the schema, or this user"
              + " has no permission to register schemas. Change the schema, or check repo.validators of"
              + " the subject and the credentials.",
          FORBIDDEN,
          Reason.INCOMPATIBLE);
    }
  }

  private SchemaId.OfSubject send(String method, String subject, String resource, Schema schema)
      throws RegistryRefusedException, RegistryUnavailableException, InterruptedException {
    return http.send(
        SchemaRepoDialect.send(
            method,
            path(subject) + resource,
            schema.toString(),
            "a schema's id",
            (mediaType, body) ->
                SchemaRepoDialect.text(mediaType, body)
                    .map(String::strip)
                    .filter(id -> !id.isEmpty() && id.indexOf('\n') < 0)
                    .map(id -> new SchemaId.OfSubject(subject, id))));
  }

  private static String path(String subject) {
    return SchemaRepoRegistry.path(subject);
  }

  private static Optional<List<String>> names(String mediaType, byte[] body) {
    if (!mediaType.equals(SchemaRepoDialect.JSON)) {
      return SchemaRepoDialect.lines(mediaType, body);
    }
    JsonNode json = Json.read(body);
    if (!json.isArray()) {
      return Optional.empty();
    }
    List<String> names = new ArrayList<>();
    for (JsonNode subject : json) {
      if (!subject.path("name").isTextual()) {
        return Optional.empty();
      }
      names.add(subject.path("name").textValue());
    }
    return Optional.of(List.copyOf(names));
  }

  private static Optional<Map<String, String>> config(String mediaType, byte[] body) {
    Optional<List<String>> lines = SchemaRepoDialect.lines(mediaType, body);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(String.join("\n", lines.get())));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new AssertionError("reading from memory does no I/O", e);
    }
    Map<String, String> config = new TreeMap<>();
    properties
        .stringPropertyNames()
        .forEach(name -> config.put(name, properties.getProperty(name)));
    return Optional.of(Map.copyOf(config));
  }
}
