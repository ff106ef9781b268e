package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The calls that clients send to a name node, and the number of files in a directory. Read over
 * HTTP, which the name node does not count as calls. The services need not be secured.
 */
final class NameNodeWork {
  private static final String COUNTERS =
      "/jmx?qry=Hadoop:service=NameNode,name=RpcDetailedActivityForPort*";
  private static final String COUNT = "NumOps";

  /** Calls of data nodes. */
  private static final Set<String> OF_DATA_NODES =
      Set.of(
          "BlockReceivedAndDeleted",
          "BlockReport",
          "CacheReport",
          "CommitBlockSynchronization",
          "ErrorReport",
          "RegisterDatanode",
          "ReportBadBlocks",
          "SendHeartbeat",
          "SendLifeline",
          "VersionRequest");

  /** Counters of the same calls with other times. */
  private static final List<String> SECOND_COUNTERS = List.of("Deferred", "Overall");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration QUIET = Duration.ofSeconds(1);
  private static final int LONGEST_WAIT = 30;

  /** The most calls in a quiet second: some clients look for changes from time to time. */
  private static final int FEW = 5;

  private final URI webUrl;
  private final HttpClient client = HttpClient.newHttpClient();

  NameNodeWork(URI webUrl) {
    this.webUrl = webUrl;
  }

  /** Returns the number of calls since the start of the name node, by name. */
  Map<String, Long> calls() throws IOException, InterruptedException {
    return callsIn(get(COUNTERS));
  }

  /** Returns the calls after the clients have sent at most a few for a second. */
  Map<String, Long> settledCalls() throws IOException, InterruptedException {
    Map<String, Long> before = calls();
    for (int i = 0; i < LONGEST_WAIT; i++) {
      Thread.sleep(QUIET.toMillis());
      Map<String, Long> after = calls();
      if (total(difference(before, after)) <= FEW) {
        return after;
      }
      before = after;
    }
    return before;
  }

  static Map<String, Long> callsIn(JsonNode answer) {
    Map<String, Long> calls = new TreeMap<>();
    for (JsonNode bean : answer.path("beans")) {
      for (var field : bean.properties()) {
        String name = field.getKey();
        if (name.endsWith(COUNT)) {
          String call = name.substring(0, name.length() - COUNT.length());
          boolean counted =
              SECOND_COUNTERS.stream().noneMatch(call::startsWith) && !OF_DATA_NODES.contains(call);
          if (counted) {
            calls.merge(call, field.getValue().asLong(), Long::sum);
          }
        }
      }
    }
    return calls;
  }

  /** Returns the calls from one reading to another, without those that have not increased. */
  static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> more = new TreeMap<>();
    after.forEach(
        (call, count) -> {
          long increase = count - before.getOrDefault(call, 0L);
          if (increase > 0) {
            more.put(call, increase);
          }
        });
    return more;
  }

  static long total(Map<String, Long> calls) {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the number of files in a directory and its subdirectories. */
  long filesBelow(String directory) throws IOException, InterruptedException {
    return get("/webhdfs/v1"
            + directory
            + "?op=GETCONTENTSUMMARY&user.name="
            + System.getProperty("user.name"))
        .path("ContentSummary")
        .path("fileCount")
        .asLong();
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    URI page = webUrl.resolve(path);
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(
          "GET %s answers %d: %s".formatted(page, response.statusCode(), response.body()));
    }
    return JSON.readTree(response.body());
  }
}
