package io.tidemark.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The files of HDFS, read and written over the REST API of the name node. */
public final class WebHdfs {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration ANSWER = Duration.ofMinutes(1);

  private final WebClient client;
  private final Supplier<URI> base;
  private final String user;

  /**
   * @param client logs in as the user, or not at all: then the server requires no proof of the name
   */
  WebHdfs(WebClient client, Supplier<URI> base, String user) {
    this.client = client;
    this.base = base;
    this.user = user;
  }

  /**
   * A file or directory.
   *
   * @param path the absolute path. Example: {@code /topics/orders/file.avro}
   * @param lengthBytes 0 for a directory
   * @param modified the time at which a file was closed or a directory changed, by the name node's
   *     clock
   */
  public record Entry(
      String path, boolean directory, String owner, long lengthBytes, Instant modified) {}

  /**
   * Lists the entries of a directory, not of its subdirectories, in the order of names.
   *
   * @throws FileNotFoundException if there is no such directory
   */
  public List<Entry> list(String directory) throws IOException {
    JsonNode statuses =
        JSON.readTree(send("GET", directory, "LISTSTATUS", HttpRequest.BodyPublishers.noBody()))
            .path("FileStatuses")
            .path("FileStatus");
    List<Entry> entries = new ArrayList<>();
    for (JsonNode status : statuses) {
      entries.add(
          new Entry(
              directory + (directory.endsWith("/") ? "" : "/") + status.path("pathSuffix").asText(),
              status.path("type").asText().equals("DIRECTORY"),
              status.path("owner").asText(),
              status.path("length").asLong(),
              Instant.ofEpochMilli(status.path("modificationTime").asLong())));
    }
    return entries;
  }

  /**
   * Lists all files under a directory and its subdirectories; empty if there is no such directory.
   */
  public List<Entry> walk(String directory) throws IOException {
    List<Entry> found = new ArrayList<>();
    try {
      for (Entry entry : list(directory)) {
        if (entry.directory()) {
          found.addAll(walk(entry.path()));
        } else {
          found.add(entry);
        }
      }
    } catch (FileNotFoundException gone) {
      return found;
    }
    return found;
  }

  /**
   * Returns the bytes of a file.
   *
   * @throws FileNotFoundException if there is no such file
   */
  public byte[] read(String path) throws IOException {
    return send("GET", path, "OPEN", HttpRequest.BodyPublishers.noBody());
  }

  /** Writes a file and creates its directories. Replaces an existing file. */
  public void write(String path, byte[] content) throws IOException {
    send("PUT", path, "CREATE&overwrite=true", HttpRequest.BodyPublishers.ofByteArray(content));
  }

  /** Deletes a file, or a directory with its content. */
  public void delete(String path) throws IOException {
    send("DELETE", path, "DELETE&recursive=true", HttpRequest.BodyPublishers.noBody());
  }

  /** Renames a file or directory. The new path must not exist. */
  public void rename(String from, String to) throws IOException {
    byte[] answer =
        send(
            "PUT",
            from,
            "RENAME&destination=" + urlEncoded(to),
            HttpRequest.BodyPublishers.noBody());
    if (!JSON.readTree(answer).path("boolean").asBoolean()) {
      throw new IOException("HDFS did not rename %s to %s".formatted(from, to));
    }
  }

  /** Creates a directory and its parents. */
  public void makeDirectories(String directory) throws IOException {
    send("PUT", directory, "MKDIRS", HttpRequest.BodyPublishers.noBody());
  }

  /** Sets the owner of a file or directory. */
  public void setOwner(String path, String owner) throws IOException {
    send("PUT", path, "SETOWNER&owner=" + urlEncoded(owner), HttpRequest.BodyPublishers.noBody());
  }

  /** Sets the owner and the group of a file or directory. */
  public void setOwner(String path, String owner, String group) throws IOException {
    send(
        "PUT",
        path,
        "SETOWNER&owner=" + urlEncoded(owner) + "&group=" + urlEncoded(group),
        HttpRequest.BodyPublishers.noBody());
  }

  /** Sets the mode of a file or directory. Example: {@code "755"}. */
  public void setPermission(String path, String octal) throws IOException {
    send("PUT", path, "SETPERMISSION&permission=" + octal, HttpRequest.BodyPublishers.noBody());
  }

  private byte[] send(String method, String path, String operation, HttpRequest.BodyPublisher body)
      throws IOException {
    String name = client.logsIn() ? "" : "&user.name=" + urlEncoded(user);
    URI uri = URI.create(base.get() + encoded(path) + "?op=" + operation + name);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ANSWER).method(method, body);
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() == 404) {
        throw new FileNotFoundException(path);
      }
      if (response.statusCode() >= 300) {
        throw new IOException(
            "%s %s answers %d: %s"
                .formatted(
                    method,
                    uri,
                    response.statusCode(),
                    new String(response.body(), StandardCharsets.UTF_8)));
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(method + " " + uri + ": interrupted", e);
    }
  }

  /** Encodes a path for a URL, except for its slashes. */
  private static String encoded(String path) {
    return urlEncoded(path).replace("%2F", "/").replace("+", "%20");
  }

  private static String urlEncoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
