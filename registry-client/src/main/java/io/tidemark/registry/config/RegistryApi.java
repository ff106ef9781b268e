package io.tidemark.registry.config;

/** The API of a registry. */
public enum RegistryApi {
  /** Confluent's REST API: ids are numbers and GUIDs. */
  CONFLUENT("confluent"),

  /** The REST API of AVRO-1124, as in schema-repo: ids are unique only within a subject. */
  AVRO_1124("avro-1124");

  private final String name;

  RegistryApi(String name) {
    this.name = name;
  }

  static RegistryApi parse(String name) {
    for (RegistryApi api : values()) {
      if (api.name.equals(name)) {
        return api;
      }
    }
    throw new IllegalArgumentException("\"" + name + "\" is neither confluent nor avro-1124.");
  }
}
