package io.tidemark.registry.confluent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.http.RegistryHttp;
import io.tidemark.registry.http.Request;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * Assembles a schema from its document and those it refers to. Each is fetched once, and parsed
 * before the schema that uses it. For one thread and one schema.
 *
 * <p>A reference without a context belongs to the context of the schema that contains it.
 */
final class SchemaAssembly {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_REFERENCES = 1_000;

  private final SchemaId id;
  private final String location;
  private final RegistryHttp http;
  private final Schema.Parser parser = RegisteredSchema.parser();
  private final Set<SchemaReference> parsed = new HashSet<>();

  /** The references from the schema down to the current one. */
  private final Set<SchemaReference> path = new LinkedHashSet<>();

  /** The size of the texts so far, in UTF-8. */
  private long bytes;

  SchemaAssembly(SchemaId id, RegistryHttp http) {
    this.id = id;
    this.location = http.location();
    this.http = http;
  }

  Schema assemble(SchemaDocument document, SchemaContext context)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    if (!document.type().equals("AVRO")) {
      throw unusable(
          "is of type "
              + http.quoted(document.type())
              + ", not AVRO. The producer writes another format: do not read such topics as Avro,"
              + " or skip such records.");
    }
    bytes += document.schema().getBytes(UTF_8).length;
    Optional<String> tooLarge = http.tooLarge(bytes);
    if (tooLarge.isPresent()) {
      throw unusable(tooLarge.get());
    }
    for (SchemaReference reference : document.references()) {
      // The name is left out: one version may define several types, and is fetched once for all.
      fetch(
          new SchemaReference("", context.qualify(reference.subject()), reference.version()),
          context);
    }
    try {
      return RegisteredSchema.parse(parser, document.schema());
    } catch (SchemaParseException e) {
      throw unusable(
          "cannot be parsed by Avro: "
              + http.quoted(e.getMessage(), document.schema())
              + ". The registry accepted what Avro's Java library does not. Register a corrected"
              + " schema, or skip such records.");
    }
  }

  private void fetch(SchemaReference reference, SchemaContext context)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    if (parsed.contains(reference)) {
      return;
    }
    if (!path.add(reference)) {
      throw unusable(
          "refers back to "
              + http.quoted(reference.toString())
              + ". Register the schemas without a circular reference.");
    }
    if (path.size() > MAX_DEPTH || parsed.size() + path.size() > MAX_REFERENCES) {
      throw unusable(
          "exceeds the limit of "
              + MAX_DEPTH
              + " nested references, or of "
              + MAX_REFERENCES
              + " references in total. Register a schema with fewer references.");
    }
    SchemaDocument document;
    try {
      document =
          http.send(ConfluentDialect.get(resource(reference), "a schema", SchemaDocument::read));
    } catch (RegistryRefusedException e) {
      switch (e.reason()) {
        case SUBJECT_NOT_FOUND, VERSION_NOT_FOUND, SCHEMA_NOT_FOUND ->
            throw new SchemaNotFoundException(
                described(
                    "the registry does not have (code "
                        + e.code()
                        + "). It was permanently deleted there: register it again."),
                e.code(),
                id,
                location);
        case INVALID ->
            throw unusable(
                "the registry rejects as malformed (code "
                    + e.code()
                    + "). Register a schema with correct references, or skip such records.");
        default ->
            throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e.code(), e);
      }
    }
    assemble(document, context.of(reference.subject()));
    path.remove(reference);
    parsed.add(reference);
  }

  /** Returns the path of a version, also of a deleted one: its records still exist. */
  private static String resource(SchemaReference reference) {
    return "/subjects/"
        + Request.encode(reference.subject())
        + "/versions/"
        + reference.version()
        + "?deleted=true";
  }

  private SchemaNotFoundException unusable(String problem) {
    return SchemaNotFoundException.unusable(described(problem), id, location);
  }

  private String described(String problem) {
    String through =
        path.stream()
            .map(step -> "refers to " + http.quoted(step.toString()) + ", which ")
            .collect(joining());
    return id + " of " + location + " " + through + problem;
  }
}
