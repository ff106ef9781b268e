package io.tidemark.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that nobody listens on.
 *
 * <p>They lie below the range from which systems take the ports of outgoing connections, so that a
 * server which is killed finds its port free when it starts again; and they are drawn at random, so
 * that stacks that run side by side do not race for the same ones.
 */
public final class FreePorts {

  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 1_000;

  private static final Set<Integer> GIVEN = new HashSet<>();

  private FreePorts() {}

  /** A port that was free a moment ago and that this JVM has not given before. */
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
