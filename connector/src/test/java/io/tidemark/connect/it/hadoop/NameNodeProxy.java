package io.tidemark.connect.it.hadoop;

import io.tidemark.stack.NameNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A proxy between clients and a name node, which can lose the name node's answers. Safe for use by
 * many threads.
 */
final class NameNodeProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final NameNode nameNode;
  private final ServerSocket server;
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private volatile boolean answersAreLost;

  NameNodeProxy(NameNode nameNode) throws IOException {
    this.nameNode = nameNode;
    this.server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
    daemon(this::accept);
  }

  NameNode nameNode() {
    return nameNode;
  }

  String address() {
    return "localhost:" + server.getLocalPort();
  }

  /** From now on calls take effect, and no answer arrives. */
  void loseAnswers() {
    answersAreLost = true;
  }

  /** Closes all connections. From now on answers arrive. */
  void cut() throws IOException {
    for (Socket each = open.poll(); each != null; each = open.poll()) {
      each.close();
    }
    answersAreLost = false;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        connect(server.accept());
      } catch (IOException e) {
        // The proxy is closed.
        return;
      }
    }
  }

  private void connect(Socket client) throws IOException {
    String[] address = nameNode.rpcAddress().split(":", 2);
    Socket target;
    try {
      target = new Socket(address[0], Integer.parseInt(address[1]));
    } catch (IOException e) {
      client.close(); // as a name node that is down
      return;
    }
    open.add(client);
    open.add(target);
    daemon(() -> copy(client, target, false));
    daemon(() -> copy(target, client, true));
  }

  private void copy(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int bytes = in.read(buffer); bytes > 0; bytes = in.read(buffer)) {
        if (!answers || !answersAreLost) {
          out.write(buffer, 0, bytes);
        }
      }
    } catch (IOException e) {
      // One end has closed the connection. Both are closed now.
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "name-node-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      server.close();
      cut();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
