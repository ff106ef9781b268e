package io.tidemark.registry.confluent;

import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryRefusedException.Reason;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.http.HttpSettings;
import io.tidemark.registry.http.RegistryHttp;
import io.tidemark.registry.http.Request;
import java.util.Optional;

/**
 * A client of a registry with Confluent's REST API: {@code GET /schemas/ids/{id}}, {@code GET
 * /schemas/guids/{guid}}, and {@code GET /subjects/{subject}/versions/{version}} for references. It
 * has no cache: every lookup sends a request. Safe for use by many threads.
 */
public final class ConfluentRegistry implements SchemaRegistry {
  private final RegistryHttp http;
  private final SchemaContext context;

  /** Creates a client of the registry's default context. */
  public ConfluentRegistry(HttpSettings settings) {
    this(settings, SchemaContext.DEFAULT);
  }

  /**
   * Creates a client of one context, in which it looks up ids and subjects.
   *
   * @throws IllegalArgumentException if a key store or trust store cannot be read
   */
  public ConfluentRegistry(HttpSettings settings, SchemaContext context) {
    this(new RegistryHttp(settings, new ConfluentDialect()), context);
  }

  private ConfluentRegistry(RegistryHttp http, SchemaContext context) {
    this.http = http;
    this.context = context;
  }

  /** Returns the same client without retries: each lookup tries each URL at most once. */
  public SchemaRegistry once() {
    return new ConfluentRegistry(http.once(), context);
  }

  /** Returns the subjects of the same registry and context, over the same connections. */
  public ConfluentSubjects subjects() {
    return new ConfluentSubjects(http, context);
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws RegistryException, InterruptedException {
    RegistryHttp lookup = http.lookup();
    SchemaDocument document;
    try {
      document = lookup.send(request(id));
    } catch (RegistryRefusedException e) {
      switch (e.reason()) {
        case SCHEMA_NOT_FOUND, SUBJECT_NOT_FOUND, VERSION_NOT_FOUND ->
            throw SchemaNotFoundException.unknown(id, e.code(), location());
        case INVALID -> {
          requireNumbers(Optional.of(e));
          throw SchemaNotFoundException.malformed(id, e.code(), location());
        }
        case NOT_OFFERED -> {
          requireNumbers(Optional.empty());
          throw SchemaNotFoundException.otherKind(
              id, "numbers, because it does not support GUIDs", location());
        }
        default ->
            throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e.code(), e);
      }
    }
    return new RegisteredSchema(
        id,
        new SchemaAssembly(id, lookup).assemble(document, context),
        Optional.empty(),
        document.rules());
  }

  /**
   * Requires that the registry has ids that are numbers: otherwise its URL or the context may be
   * wrong, and not the id.
   *
   * @param refusal thrown if the registry also refuses a number
   */
  private void requireNumbers(Optional<RegistryRefusedException> refusal)
      throws RegistryException, InterruptedException {
    try {
      SchemaDocument unused = http.send(request(SchemaId.of(1)));
    } catch (RegistryRefusedException e) {
      if (e.reason() != Reason.SCHEMA_NOT_FOUND) {
        if (refusal.isPresent()) {
          throw refusal.get();
        }
        throw new RegistryUnavailableException(String.valueOf(e.getMessage()), e.code(), e);
      }
    }
  }

  private Request<SchemaDocument> request(SchemaId id) throws SchemaNotFoundException {
    if (id instanceof SchemaId.Int32 number) {
      return schema(
          "/schemas/ids/"
              + number.value()
              + (context.isDefault() ? "" : "?subject=" + Request.encode(context.prefix())));
    }
    if (id instanceof SchemaId.Guid guid) {
      return schema("/schemas/guids/" + guid.value()).ofFeature("schemas by their GUIDs");
    }
    throw SchemaNotFoundException.otherKind(id, "numbers or GUIDs (Confluent's API)", location());
  }

  private static Request<SchemaDocument> schema(String path) {
    return ConfluentDialect.get(path, "a schema", SchemaDocument::read);
  }

  /** Returns the addresses, and the context unless it is the default one. */
  @Override
  public String location() {
    return context.isDefault() ? http.location() : http.location() + " context " + context.name();
  }

  @Override
  public void close() {
    http.close();
  }
}
