package io.tidemark.registry.http;

import static java.util.stream.Collectors.joining;

import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.http.SchemaDocument.Reference;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/**
 * Puts one schema together from its document and those it refers to, each fetched once and parsed
 * before what uses it. For one thread and one schema.
 *
 * <p>The parser takes whatever names and defaults a registry took: registries hold schemas from
 * before Avro checked them ({@code my-field}, a default of another type), and their records are
 * sound. Where such a name must not go, as in a Hive column, is for the table to say.
 */
final class SchemaAssembly {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_REFERENCES = 1_000;

  private final SchemaId id;
  private final String location;
  private final Rounds rounds;
  private final Schema.Parser parser =
      new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
  private final Set<Reference> parsed = new HashSet<>();

  /** The references from the schema down to the one at hand. */
  private final Set<Reference> path = new LinkedHashSet<>();

  SchemaAssembly(SchemaId id, String location, Rounds rounds) {
    this.id = id;
    this.location = location;
    this.rounds = rounds;
  }

  Schema assemble(SchemaDocument document)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    if (!document.type().equals("AVRO")) {
      throw unusable(
          "is of type "
              + document.type()
              + ", not AVRO. The producer writes another format: keep such topics out of this"
              + " connector, or send such records to a dead letter topic.");
    }
    for (Reference reference : document.references()) {
      fetch(reference);
    }
    try {
      return parser.parse(document.schema());
    } catch (AvroRuntimeException | IllegalArgumentException e) {
      throw unusable(
          "cannot be parsed by Avro: "
              + e.getMessage()
              + ". The registry took what Avro's Java library does not. Register a corrected"
              + " schema, or send such records to a dead letter topic.");
    }
  }

  private void fetch(Reference reference)
      throws SchemaNotFoundException, RegistryUnavailableException, InterruptedException {
    if (parsed.contains(reference)) {
      return;
    }
    if (!path.add(reference)) {
      throw unusable("refers back to " + reference + ". Register the schemas without a circle.");
    }
    if (path.size() > MAX_DEPTH || parsed.size() + path.size() > MAX_REFERENCES) {
      throw unusable(
          "is one too many: at most "
              + MAX_DEPTH
              + " schemas one behind the other and "
              + MAX_REFERENCES
              + " in all are followed. Register a schema that refers to fewer.");
    }
    Optional<SchemaDocument> document = rounds.get(resource(reference));
    if (document.isEmpty()) {
      throw unusable(
          "the registry does not have. It was deleted there for good: register it again.");
    }
    assemble(document.get());
    path.remove(reference);
    parsed.add(reference);
  }

  /** Deleted versions are asked for too: what was written with them is still there. */
  private static String resource(Reference reference) {
    String subject =
        URLEncoder.encode(reference.subject(), StandardCharsets.UTF_8).replace("+", "%20");
    return "/subjects/" + subject + "/versions/" + reference.version() + "?deleted=true";
  }

  private SchemaNotFoundException unusable(String problem) {
    String through = path.stream().map(step -> "refers to " + step + ", which ").collect(joining());
    return new SchemaNotFoundException(
        id + " of " + location + " " + through + problem, 0, id, location);
  }
}
