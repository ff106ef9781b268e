package io.tidemark.connect.kafka;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Utils;

/** Checks that a cluster responds to a client with given properties. */
public final class ReachableCluster {
  /** A request for the versions of the API, the first of a client, with its length in front. */
  private static final byte[] API_VERSIONS = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 0, -1, -1};

  private static final int PROBE_TIMEOUT_MS = 300;

  private ReachableCluster() {}

  /**
   * Requests the cluster's id, which needs no permission, and then lets {@code next} use the
   * client. Throws if there is no response, or if the properties are invalid.
   */
  public static void require(Map<String, Object> properties, Duration timeout, Consumer<Admin> next)
      throws IOException {
    String servers = String.valueOf(properties.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
    String protocol = String.valueOf(properties.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG));
    if (!protocol.toUpperCase(Locale.ROOT).contains("SSL")) {
      for (String server : servers.split(",", -1)) {
        if (Utils.getHost(server.strip()) != null) { // else Kafka's client reports it
          requireNoOther(server.strip());
        }
      }
    }
    int timeoutMs = Math.toIntExact(timeout.toMillis());
    Map<String, Object> impatient = new HashMap<>(RenewedAdmin.quiet(properties));
    impatient.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, timeoutMs);
    impatient.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, timeoutMs);
    try (Admin admin = Admin.create(impatient)) {
      try {
        admin
            .describeCluster(new DescribeClusterOptions().timeoutMs(timeoutMs))
            .clusterId()
            .get(timeoutMs, TimeUnit.MILLISECONDS);
        next.accept(admin);
      } catch (ExecutionException e) {
        throw new IOException(
            String.valueOf((e.getCause() == null ? e : e.getCause()).getMessage()), e);
      } catch (TimeoutException e) {
        throw new IOException("no broker answers within " + timeoutMs + " ms", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for a broker");
      } finally {
        admin.close(Duration.ZERO);
      }
    } catch (KafkaException e) {
      // The outer message only reports that the client could not be created.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(cause.getMessage(), e);
    }
  }

  /**
   * Throws if a server answers unlike a broker. Kafka's client would take the first bytes of the
   * answer for its length, and allocate that much: 1.2 GB for HTTP, 1.4 GB for SSH.
   */
  private static void requireNoOther(String server) throws IOException {
    int length;
    try (Socket socket = new Socket()) {
      var address = new InetSocketAddress(Utils.getHost(server), Utils.getPort(server));
      socket.connect(address, PROBE_TIMEOUT_MS);
      socket.setSoTimeout(PROBE_TIMEOUT_MS);
      socket.getOutputStream().write(API_VERSIONS);
      length = new DataInputStream(socket.getInputStream()).readInt();
    } catch (IOException | IllegalArgumentException e) {
      return; // Kafka's client reports it.
    }
    if (length >>> 20 != 0) { // more than 1 MiB, or negative
      throw new IOException("what answers at " + server + " is not a broker without TLS");
    }
  }
}
