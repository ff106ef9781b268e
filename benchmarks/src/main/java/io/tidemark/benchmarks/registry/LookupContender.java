package io.tidemark.benchmarks.registry;

import io.tidemark.benchmarks.contenders.IsolatedModule;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.config.RegistryConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A client that looks up schemas. */
public enum LookupContender {
  /** registry-client, by Confluent's API. */
  OURS("ours") {
    @Override
    Lookups open(String url, int ids, Optional<Path> copy) {
      return ours(Map.of("schema.registry.url", url), ids, copy, SchemaId::of);
    }
  },
  /** registry-client, by the API of AVRO-1124. */
  OURS_AVRO_1124("ours-avro-1124") {
    @Override
    Lookups open(String url, int ids, Optional<Path> copy) {
      return ours(
          Map.of(
              "schema.registry.url",
              url + RegistryHost.SCHEMA_REPO,
              "schema.registry.api",
              "avro-1124"),
          ids,
          copy,
          id -> new SchemaId.OfSubject(RegistryHost.SUBJECT, Integer.toString(id)));
    }
  },
  /** The client of schema-repo 0.1.3, with its cache in memory. */
  SCHEMA_REPO_CLIENT("schema-repo-client") {
    @Override
    Lookups open(String url, int ids, Optional<Path> copy) {
      return schemaRepoClient(url + RegistryHost.SCHEMA_REPO, ids);
    }
  };

  private static final String CLIENT = "io.tidemark.benchmarks.schemarepo.SchemaRepoClient";

  private final String label;

  LookupContender(String label) {
    this.label = label;
  }

  /** Returns the contender's name in the results. */
  public String label() {
    return label;
  }

  /** Returns whether it supports a question: only registry-client has a copy on disk. */
  public boolean answers(Question question) {
    return question != Question.COPIED_IDS || this != SCHEMA_REPO_CLIENT;
  }

  /** Returns the contender with a label. */
  static LookupContender labelled(String label) {
    return Arrays.stream(values())
        .filter(contender -> contender.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no contender \"" + label + '"'));
  }

  /**
   * Opens a client with an empty cache that has room for all ids.
   *
   * @param url the URL of a {@link RegistryHost}
   * @param copy the file of registry-client's copy on disk; empty for none
   */
  abstract Lookups open(String url, int ids, Optional<Path> copy);

  private static Lookups ours(
      Map<String, String> client, int ids, Optional<Path> copy, IntFunction<SchemaId> id) {
    var settings = new HashMap<>(client);
    settings.put("schema.registry.cache.size", Integer.toString(ids));
    copy.ifPresent(file -> settings.put("schema.registry.cache.file", file.toString()));
    SchemaRegistry registry = RegistryConfig.parse(settings).open();
    SchemaId[] made = IntStream.range(0, ids).mapToObj(id).toArray(SchemaId[]::new);
    return new Lookups() {
      @Override
      public RegisteredSchema schema(int number) throws RegistryException, InterruptedException {
        return registry.schema(made[number]);
      }

      @Override
      public void close() {
        registry.close();
      }
    };
  }

  private static Lookups schemaRepoClient(String url, int ids) {
    IntFunction<?> client;
    try {
      client =
          (IntFunction<?>)
              IsolatedModule.SCHEMA_REPO
                  .load(CLIENT)
                  .getMethod("of", String.class, String.class, int.class)
                  .invoke(null, url, RegistryHost.SUBJECT, ids);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("schema-repo's client cannot be opened at " + url, e);
    }
    return new Lookups() {
      @Override
      public Object schema(int id) {
        return client.apply(id);
      }

      @Override
      public void close() {
        // This client has nothing to close.
      }
    };
  }
}
