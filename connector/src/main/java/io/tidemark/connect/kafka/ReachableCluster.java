package io.tidemark.connect.kafka;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/** Checks that a cluster responds to a client with given properties. */
public final class ReachableCluster {
  private ReachableCluster() {}

  /**
   * Requests the cluster's id, which needs no permission. Throws if there is no response, or if the
   * properties are invalid.
   */
  public static void require(Map<String, Object> properties, Duration timeout) throws IOException {
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
}
