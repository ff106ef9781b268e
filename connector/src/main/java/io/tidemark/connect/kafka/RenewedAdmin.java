package io.tidemark.connect.kafka;

import io.tidemark.store.commit.KafkaUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.DisconnectException;
import org.jspecify.annotations.Nullable;

/**
 * An admin client that is recreated if brokers do not respond. The new client uses the bootstrap
 * servers again, and so finds brokers whose addresses have changed. Kafka's clients have such a
 * mechanism since 4.0, but the admin client applies it at each poll. While no broker is reachable,
 * it logs about 3,000 lines per second. So this class disables the mechanism. Thread-safe.
 */
final class RenewedAdmin implements AutoCloseable {
  private static final long TIMEOUT_MS = 30_000;

  private final Supplier<Admin> maker;
  private final Duration closeTimeout;
  private Admin current;
  private boolean closed;

  interface Questions<T> {
    T ask(Admin admin) throws IOException;
  }

  /** Connects at the first request. Closing the client waits at most for {@code closeTimeout}. */
  RenewedAdmin(Map<String, Object> properties, Duration closeTimeout) {
    this(() -> Admin.create(quiet(properties)), closeTimeout);
  }

  /** For tests. */
  RenewedAdmin(Supplier<Admin> maker, Duration closeTimeout) {
    this.maker = maker;
    this.closeTimeout = closeTimeout;
    this.current = maker.get();
  }

  /** Returns properties with which an admin client does not flood the log. */
  static Map<String, Object> quiet(Map<String, Object> properties) {
    Map<String, Object> quiet = new HashMap<>(properties);
    // Clients before 3.8 ignore this key, and do not have the mechanism.
    quiet.putIfAbsent("metadata.recovery.strategy", "none");
    return quiet;
  }

  /** Sends requests. If no broker responds, the client is recreated for the next call. */
  <T> T ask(Questions<T> questions) throws IOException {
    Admin asked = current();
    try {
      return questions.ask(asked);
    } catch (IOException e) {
      if (isSilence(e)) {
        renew(asked, e);
      }
      throw e;
    }
  }

  private synchronized Admin current() {
    return current;
  }

  /** Pending requests of other threads fail with the old client, and are retried. */
  private synchronized void renew(Admin asked, IOException silence)
      throws KafkaUnavailableException {
    if (!closed && asked == current) {
      try {
        current = maker.get();
      } catch (KafkaException e) { // the host names cannot be resolved now: keep the old client
        Throwable cause = e.getCause() == null ? e : e.getCause();
        KafkaUnavailableException failure =
            new KafkaUnavailableException(
                "Kafka does not answer, and its client cannot be recreated: " + cause.getMessage(),
                e);
        failure.addSuppressed(silence);
        throw failure;
      }
      asked.close(Duration.ZERO);
    }
  }

  private static boolean isSilence(Throwable failure) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof TimeoutException
          || each instanceof org.apache.kafka.common.errors.TimeoutException
          || each instanceof DisconnectException) {
        return true;
      }
    }
    return false;
  }

  /** Waits for a response, for up to 30 s. */
  static <T> T await(KafkaFuture<T> answer, String what, OwnRight needed) throws IOException {
    return await(answer, what, needed, TIMEOUT_MS);
  }

  /** Waits for what is requested. Throws if there is no response, or if it is a rejection. */
  static <T> T await(KafkaFuture<T> answer, String what, OwnRight needed, long timeoutMs)
      throws IOException {
    try {
      return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw needed.failure("Kafka did not return " + what + ": " + cause, cause);
    } catch (TimeoutException e) {
      throw needed.failure("Kafka did not return %s within %d ms".formatted(what, timeoutMs), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    current.close(closeTimeout);
  }
}
