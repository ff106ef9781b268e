package io.tidemark.connect.pipeline;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;

/**
 * A registry that refuses requests in many ways, and repeats the head of the request in its
 * answers. It is also its own token endpoint, below {@code /token}. Safe for use by many threads.
 */
final class EchoingHost implements AutoCloseable {
  private static final String END_OF_HEAD = "\r\n\r\n";

  // Authorization: Basic YW5uOmh1c2g=
  private static final Pattern AUTHORIZATION =
      Pattern.compile("(?im)^authorization: (\\S+) (\\S+)$");

  // Content-Length: 29
  private static final Pattern BODY_LENGTH = Pattern.compile("(?im)^content-length: ([0-9]{1,9})$");

  /** The way in which it refuses, and the part of the answer that repeats the request. */
  enum Answer {
    UNAUTHORIZED,
    FORBIDDEN,
    NO_SUCH_PATH,
    UNKNOWN_ID,
    TOO_MANY_REQUESTS,
    SERVER_ERROR,
    STATUS_LINE,
    HEADER,
    CONTENT_TYPE,
    REDIRECT,
    SCHEMA,
    SCHEMA_TYPE,
    HALF_A_BODY,
    SILENCE
  }

  private final ServerSocket server;
  private final String scheme;
  private final String accessToken;
  private final Queue<Socket> silent = new ConcurrentLinkedQueue<>();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile Answer answer = Answer.SERVER_ERROR;
  private volatile boolean givingTokens = true;

  /**
   * Starts the host.
   *
   * @param sockets sockets of the JVM, or of TLS
   * @param accessToken the token that the token endpoint returns
   */
  EchoingHost(String scheme, ServerSocketFactory sockets, String accessToken) throws IOException {
    this.server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.scheme = scheme;
    this.accessToken = accessToken;
    start(this::serve);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "echoing-host");
    thread.setDaemon(true);
    thread.start();
  }

  /** The address with a user, or without one if the text is empty. */
  String url(String user) {
    return scheme + "://" + user + "localhost:" + server.getLocalPort();
  }

  /** Sets its answer from now on. */
  void answers(Answer other) {
    answer = other;
  }

  /**
   * Decides whether the token endpoint returns tokens. Otherwise it answers as the registry does.
   */
  void givesTokens(boolean given) {
    givingTokens = given;
  }

  /** The number of requests so far. */
  int asked() {
    return asked.get();
  }

  private void serve() {
    try {
      while (true) {
        Socket connection = server.accept();
        start(() -> answer(connection));
      }
    } catch (IOException e) {
      // The host is closed.
    }
  }

  private void answer(Socket connection) {
    try {
      String head = head(connection.getInputStream());
      asked.incrementAndGet();
      if (head.startsWith("POST /token") && givingTokens) {
        String token = "{\"access_token\":\"" + accessToken + "\",\"expires_in\":3600}";
        write(connection, "200 OK", "application/json", token);
      } else if (answer == Answer.SILENCE) {
        silent.add(connection);
        return;
      } else {
        refuse(connection, head);
      }
      connection.close();
    } catch (IOException e) {
      // The client has closed the connection.
    }
  }

  /** The head of a request. Its body is read and discarded. */
  private static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf(END_OF_HEAD) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the request has no end");
      }
      head.append((char) next);
    }
    Matcher length = BODY_LENGTH.matcher(lines(head));
    in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
    return lines(head);
  }

  private static String lines(CharSequence text) {
    return text.toString().replace("\r\n", "\n");
  }

  private void refuse(Socket connection, String head) throws IOException {
    Matcher authorization = AUTHORIZATION.matcher(head);
    String sent = authorization.find() ? authorization.group(2) : "nothing";
    // Servers that log the user would contain it.
    String user =
        head.contains(": Basic ") ? new String(Base64.getDecoder().decode(sent), UTF_8) : "";
    String echo = (user + " " + head).replace('\n', ' ').replace("\"", "'");
    boolean inWords = head.contains("text/plain");
    String type = inWords ? "text/plain" : "application/json";
    switch (answer) {
      case UNAUTHORIZED -> write(connection, "401 No", type, error(inWords, 40101, echo));
      case FORBIDDEN -> write(connection, "403 No", type, error(inWords, 40301, echo));
      case NO_SUCH_PATH -> write(connection, "404 No", "text/html", "<html>" + echo);
      case UNKNOWN_ID ->
          write(
              connection,
              "404 No",
              type,
              error(inWords, 40403, "This schema does not exist. " + echo));
      case TOO_MANY_REQUESTS -> write(connection, "429 No", type, error(inWords, 42901, echo));
      case SERVER_ERROR -> write(connection, "500 No", type, error(inWords, 50001, echo));
      case STATUS_LINE -> writeRaw(connection, "HTTP/1.1 " + sent + END_OF_HEAD);
      case HEADER -> writeRaw(connection, "HTTP/1.1 200 OK\r\nX " + sent + ": x" + END_OF_HEAD);
      case CONTENT_TYPE -> write(connection, "200 OK", sent, "{}");
      case REDIRECT ->
          write(connection, "302 No\r\nLocation: http://" + sent + ".example/", type, "");
      case SCHEMA ->
          write(connection, "200 OK", type, inWords ? sent : "{\"schema\":\"" + sent + "\"}");
      case SCHEMA_TYPE ->
          write(connection, "200 OK", type, "{\"schema\":\"x\",\"schemaType\":\"" + sent + "\"}");
      case HALF_A_BODY ->
          writeRaw(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000000" + END_OF_HEAD + echo);
      case SILENCE -> throw new IllegalStateException("silence is no answer");
    }
  }

  private static String error(boolean inWords, int code, String message) {
    return inWords
        ? "ERROR: " + message
        : "{\"error_code\":%d,\"message\":\"%s\",\"error\":\"%s\"}"
            .formatted(code, message, message);
  }

  private static void write(Socket connection, String status, String type, String body)
      throws IOException {
    writeRaw(
        connection,
        "HTTP/1.1 "
            + status
            + "\r\nContent-Type: "
            + type
            + "\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + END_OF_HEAD
            + body);
  }

  private static void writeRaw(Socket connection, String answer) throws IOException {
    connection.getOutputStream().write(answer.getBytes(ISO_8859_1));
    connection.getOutputStream().flush();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket connection : silent) {
      connection.close();
    }
  }
}
