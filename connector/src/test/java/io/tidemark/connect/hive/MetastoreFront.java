package io.tidemark.connect.hive;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server in front of a Metastore, such as a load balancer that has its TLS. Thread-safe. */
final class MetastoreFront implements AutoCloseable {
  private final ServerSocket server;
  private final URI metastore;
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();

  MetastoreFront(ServerSocket server, String metastore) {
    this.server = server;
    this.metastore = URI.create(metastore);
    daemon(this::accept);
  }

  String uri() {
    return "thrift://localhost:" + server.getLocalPort();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = server.accept();
      Socket target = new Socket(metastore.getHost(), metastore.getPort());
      open.add(client);
      open.add(target);
      daemon(() -> copy(client, target));
      daemon(() -> copy(target, client));
    }
  }

  private static void copy(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void daemon(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // A connection or the server is closed.
              }
            },
            "metastore-front");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    stop();
  }

  /** Closes it and all its connections. */
  void stop() throws IOException {
    server.close();
    for (Socket each = open.poll(); each != null; each = open.poll()) {
      each.close();
    }
  }
}
