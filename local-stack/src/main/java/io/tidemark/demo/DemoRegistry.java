package io.tidemark.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.EnumSet;
import java.util.Map;

/** Which kind of schema registry the demo runs on. */
enum DemoRegistry {
  /** Confluent's API. */
  CONFLUENT("confluent", Service.REGISTRY),

  /** The API of AVRO-1124: an id has a meaning within its subject, which is the topic. */
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
    throw new IllegalArgumentException(
        "--registry " + name + ": there are confluent and avro-1124");
  }

  /** All services of the demo, with this registry and not the other. */
  Service[] services() {
    EnumSet<Service> services = EnumSet.allOf(Service.class);
    services.removeAll(EnumSet.of(Service.REGISTRY, Service.SCHEMA_REPO));
    services.add(service);
    return services.toArray(Service[]::new);
  }

  String url(LocalStack stack) {
    return this == CONFLUENT ? stack.registry().url() : stack.schemaRepo().url();
  }

  /** What a connector is told of it. */
  Map<String, String> settings(LocalStack stack) {
    return Map.of("schema.registry.url", url(stack), "schema.registry.api", configName);
  }

  /** Registers the schema of a topic's values, and says its id. */
  int register(LocalStack stack, String topic, String schema)
      throws IOException, InterruptedException {
    if (this == CONFLUENT) {
      ObjectMapper json = new ObjectMapper();
      String answer =
          send(
              request(url(stack) + "/subjects/" + topic + "-value/versions")
                  .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                  .POST(BodyPublishers.ofString(json.writeValueAsString(Map.of("schema", schema))))
                  .build());
      return json.readTree(answer).path("id").asInt();
    }
    String subject = url(stack) + "/" + topic;
    send(
        request(subject)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .PUT(BodyPublishers.noBody())
            .build());
    String id =
        send(
            request(subject + "/register")
                .header("Content-Type", "text/plain")
                .PUT(BodyPublishers.ofString(schema))
                .build());
    return Integer.parseInt(id.strip());
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).header("Accept", "*/*");
  }

  private static String send(HttpRequest request) throws IOException, InterruptedException {
    var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new DemoFailedException(
          "%s %s answers %d: %s"
              .formatted(request.method(), request.uri(), response.statusCode(), response.body()));
    }
    return response.body();
  }
}
