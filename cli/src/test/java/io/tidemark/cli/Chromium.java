package io.tidemark.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one page, driven by its DevTools protocol. Used by one thread. */
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "chrome");
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> replies;
  private int calls;

  private Chromium(Process process, WebSocket socket, BlockingQueue<JsonNode> replies) {
    this.process = process;
    this.socket = socket;
    this.replies = replies;
  }

  /** The browser on the PATH. */
  static Optional<Path> installed() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(":", -1))
        .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts it; {@code profile} is an empty directory for its files. */
  static Chromium start(Path binary, Path profile) throws Exception {
    Process process =
        new ProcessBuilder(
                binary.toString(),
                "--headless=new",
                "--no-sandbox", // For root, as in containers. The page is a file of this test.
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("chromium.log").toFile())
            .start();
    try {
      HttpClient client = HttpClient.newHttpClient();
      BlockingQueue<JsonNode> replies = new LinkedBlockingQueue<>();
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .buildAsync(page(client, process, profile), new Replies(replies))
              .get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      return new Chromium(process, socket, replies);
    } catch (Exception | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** The address of the page's socket, after the browser has reported its port. */
  private static URI page(HttpClient client, Process process, Path profile) throws Exception {
    Path port = profile.resolve("DevToolsActivePort");
    long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
    while (System.nanoTime() < deadlineNanos && process.isAlive()) {
      if (Files.exists(port) && !Files.readAllLines(port).isEmpty()) {
        URI list =
            URI.create("http://127.0.0.1:%s/json/list".formatted(Files.readAllLines(port).get(0)));
        String text =
            client
                .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        for (JsonNode each : JSON.readTree(text)) {
          if (each.path("type").asText().equals("page")) {
            return URI.create(each.path("webSocketDebuggerUrl").asText());
          }
        }
      }
      Thread.sleep(100);
    }
    throw new IOException(
        "chromium did not come up: " + Files.readString(profile.resolve("chromium.log")));
  }

  /** Puts the browser's messages into a queue. */
  private static final class Replies implements WebSocket.Listener {
    private final BlockingQueue<JsonNode> replies;
    private final StringBuilder text = new StringBuilder();

    Replies(BlockingQueue<JsonNode> replies) {
      this.replies = replies;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        try {
          replies.add(JSON.readTree(text.toString()));
        } catch (IOException e) {
          throw new IllegalStateException(text.toString(), e);
        } finally {
          text.setLength(0);
        }
      }
      socket.request(1);
      return null;
    }
  }

  private JsonNode call(String method, ObjectNode parameters) throws Exception {
    ObjectNode request = JSON.createObjectNode();
    request.put("id", ++calls).put("method", method).set("params", parameters);
    socket.sendText(request.toString(), true).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
    while (true) {
      JsonNode reply = replies.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (reply == null) {
        throw new IOException("chromium did not answer " + method);
      }
      if (reply.path("id").asInt() == calls) {
        if (reply.has("error")) {
          throw new IOException(method + ": " + reply.path("error"));
        }
        return reply.path("result");
      }
    }
  }

  /** Shows a page in a window of a width, or as on a phone if {@code phone}. */
  void show(URI page, int width, boolean phone, boolean dark) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", width)
            .put("height", 800)
            .put("deviceScaleFactor", phone ? 3 : 1)
            .put("mobile", phone));
    ObjectNode media = JSON.createObjectNode();
    media
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", dark ? "dark" : "light");
    call("Emulation.setEmulatedMedia", media);
    call("Page.navigate", JSON.createObjectNode().put("url", page.toString()));
    long deadlineNanos = System.nanoTime() + DEADLINE.toNanos();
    String there = "location.href + ' ' + document.readyState";
    while (!evaluate(there).asText().equals(page + " complete")) {
      if (System.nanoTime() > deadlineNanos) {
        throw new IOException(page + " was not shown: " + evaluate(there));
      }
      Thread.sleep(50);
    }
  }

  /** The value of an expression in the page. */
  JsonNode evaluate(String expression) throws Exception {
    JsonNode result =
        call(
            "Runtime.evaluate",
            JSON.createObjectNode().put("expression", expression).put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IOException(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /** Writes the visible page as a PNG. */
  void screenshot(Path file) throws Exception {
    JsonNode shot = call("Page.captureScreenshot", JSON.createObjectNode());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, Base64.getDecoder().decode(shot.path("data").asText()));
  }

  @Override
  public void close() {
    socket.abort();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
