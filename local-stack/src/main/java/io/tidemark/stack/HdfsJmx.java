package io.tidemark.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.function.Function;

/** What the servers of HDFS say of themselves: their JMX beans, by HTTP. */
final class HdfsJmx {

  private static final int SILENT_SECONDS = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WebClient client;

  HdfsJmx(WebClient client) {
    this.client = client;
  }

  /**
   * Returns a check of a bean.
   *
   * @param server the URL of the server's web server
   * @param service its name in JMX. Example: {@code NameNode}
   * @param bean the bean's name. Example: {@code NameNodeInfo}
   * @param problem returns what is wrong, by the bean; empty if nothing is
   */
  HealthCheck check(
      URI server, String service, String bean, Function<JsonNode, Optional<String>> problem) {
    URI uri = page(server, "%s,name=%s".formatted(service, bean));
    return new HttpCheck(
        client, uri, body -> beanIn(body).map(problem).orElse(Optional.of("no " + bean)));
  }

  /**
   * Returns a check whether HDFS serves: the name node has left safe mode, and a data node reported
   * recently. A killed data node is listed as live for minutes.
   */
  HealthCheck serving(URI nameNode) {
    return check(nameNode, "NameNode", "NameNodeInfo", HdfsJmx::notServing);
  }

  /**
   * Example of {@code LiveNodes}, a text: <code>{"localhost:23456": {"lastContact": 0, …}}
   * </code>
   */
  private static Optional<String> notServing(JsonNode nameNodeInfo) {
    String safeMode = nameNodeInfo.path("Safemode").asText();
    if (!safeMode.isEmpty()) {
      return Optional.of(safeMode);
    }
    for (JsonNode dataNode : parsed(nameNodeInfo.path("LiveNodes").asText())) {
      if (dataNode.path("lastContact").asLong() <= SILENT_SECONDS) {
        return Optional.empty();
      }
    }
    return Optional.of("no data node reports to the name node");
  }

  /** Returns a number of the first of these beans; 0 if it does not have it. */
  long metric(URI server, String beans, String name) {
    URI page = page(server, beans);
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(page);
      String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return parsed(body).path("beans").path(0).path(name).asLong();
    } catch (IOException e) {
      throw new UncheckedIOException(page + " cannot be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static URI page(URI server, String beans) {
    return server.resolve("/jmx?qry=Hadoop:service=" + beans);
  }

  private static Optional<JsonNode> beanIn(String body) {
    return Optional.ofNullable(parsed(body).path("beans").get(0));
  }

  /** Some attributes are texts of JSON. */
  static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
