package io.tidemark.demo;

import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.util.Map;

/** The kind of schema registry of the demo. */
enum DemoRegistry {
  /** Confluent's API. */
  CONFLUENT("confluent", Service.REGISTRY),

  /** The API of AVRO-1124: an id is valid within its subject, which is the topic. */
  AVRO_1124("avro-1124", Service.SCHEMA_REPO);

  private final String configName;
  private final Service service;

  DemoRegistry(String configName, Service service) {
    this.configName = configName;
    this.service = service;
  }

  /** Reads {@code confluent} or {@code avro-1124}. */
  static DemoRegistry parse(String name) {
    for (DemoRegistry registry : values()) {
      if (registry.configName.equals(name)) {
        return registry;
      }
    }
    throw new IllegalArgumentException("--registry " + name + ": use confluent or avro-1124");
  }

  /** Returns all services of the demo, with only this registry. */
  Service[] services() {
    return new Service[] {
      service, Service.KAFKA, Service.HDFS, Service.METASTORE, Service.HIVE_SERVER, Service.CONNECT
    };
  }

  String url(LocalStack stack) {
    return this == CONFLUENT ? stack.registry().url() : stack.schemaRepo().url();
  }

  /** Returns the settings for a connector or a serializer. */
  Map<String, String> settings(LocalStack stack) {
    return Map.of("schema.registry.url", url(stack), "schema.registry.api", configName);
  }
}
