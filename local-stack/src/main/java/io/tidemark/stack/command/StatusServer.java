package io.tidemark.stack.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Serves the problems of each server over HTTP, on the loopback interface.
 *
 * <p>Every request checks all servers in parallel, as their clients would. Example of a response
 * when only Kafka answers: <code>{"kafka": "", "registry": "its process has ended"}</code>. Safe
 * for use by several threads.
 */
final class StatusServer implements AutoCloseable {

  /** The longest wait for a server's answer; a suspended server gives none. */
  static final int ANSWER_SECONDS = 10;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer http;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "status");
            thread.setDaemon(true);
            return thread;
          });
  private volatile Map<String, Supplier<Optional<String>>> checks = Map.of();

  /** Listens on a free port; reports no servers yet. */
  StatusServer() {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("no port for the status on the loopback interface", e);
    }
    http.setExecutor(threads);
    http.createContext("/status", this::answer);
    http.start();
  }

  int port() {
    return http.getAddress().getPort();
  }

  /** Sets the servers that responses report, by name. */
  void watch(Map<String, Supplier<Optional<String>>> checksByName) {
    checks = new LinkedHashMap<>(checksByName);
  }

  /** Stops answering. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, CompletableFuture<String>> answers = new LinkedHashMap<>();
    checks.forEach((name, check) -> answers.put(name, ask(check)));
    Map<String, String> problems = new LinkedHashMap<>();
    answers.forEach((name, answer) -> problems.put(name, answer.join()));
    byte[] body = JSON.writeValueAsString(problems).getBytes(UTF_8);
    exchange.getResponseHeaders().put("Content-Type", List.of("application/json"));
    exchange.sendResponseHeaders(200, body.length);
    try (exchange) {
      exchange.getResponseBody().write(body);
    }
  }

  private CompletableFuture<String> ask(Supplier<Optional<String>> check) {
    return CompletableFuture.supplyAsync(() -> check.get().orElse(""), threads)
        .completeOnTimeout(
            "no answer within " + ANSWER_SECONDS + " s", ANSWER_SECONDS, TimeUnit.SECONDS)
        .exceptionally(error -> "the check failed: " + error);
  }
}
