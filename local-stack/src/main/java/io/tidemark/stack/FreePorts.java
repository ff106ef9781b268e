package io.tidemark.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports.
 *
 * <p>The ports are below the range that systems use for outgoing connections. So the port of a
 * killed server is still free when the server restarts. They are chosen at random, so that stacks
 * that run at the same time seldom choose the same port.
 */
public final class FreePorts {

  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 1_000;

  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePorts() {}

  /** Returns a port that was just free and that this JVM has not returned before. */
  public static synchronized int next() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (!GIVEN.contains(port) && isFree(port)) {
        GIVEN.add(port);
        return port;
      }
    }
    throw new ServerFailedException(
        "no free port between %d and %d in %d attempts".formatted(LOWEST, HIGHEST, ATTEMPTS));
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
