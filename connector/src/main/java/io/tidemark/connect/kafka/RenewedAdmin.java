package io.tidemark.connect.kafka;

import io.tidemark.connect.commit.KafkaUnavailableException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.DisconnectException;
import org.jspecify.annotations.Nullable;

/**
 * An admin client that is made anew after brokers have not answered it, so that it finds brokers
 * whose addresses have changed by its bootstrap servers again. Kafka's client has a way of its own
 * to that since 4.0, but its admin client takes it at each poll: while no broker can be reached it
 * logs some 3,000 lines a second, so that it is switched off here. Safe for use by many threads.
 */
final class RenewedAdmin implements AutoCloseable {
  private static final long TIMEOUT_MS = 30_000;

  private final Supplier<Admin> maker;
  private final Duration closeTimeout;
  private Admin current;
  private boolean closed;

  /** A number of questions to one client. */
  interface Questions<T> {
    T ask(Admin admin) throws IOException;
  }

  /**
   * Makes the client; it connects when it is first asked.
   *
   * @param properties Kafka's client properties, {@code bootstrap.servers} among them
   * @param closeTimeout the longest that closing it may take
   */
  RenewedAdmin(Map<String, Object> properties, Duration closeTimeout) {
    this(() -> Admin.create(quiet(properties)), closeTimeout);
  }

  /** With a maker of clients, for tests. */
  RenewedAdmin(Supplier<Admin> maker, Duration closeTimeout) {
    this.maker = maker;
    this.closeTimeout = closeTimeout;
    this.current = maker.get();
  }

  /** Properties with which an admin client does not flood the log. */
  static Map<String, Object> quiet(Map<String, Object> properties) {
    Map<String, Object> quiet = new HashMap<>(properties);
    // Clients before 3.8 do not know it, and have no such way.
    quiet.putIfAbsent("metadata.recovery.strategy", "none");
    return quiet;
  }

  /** Asks, and makes the client anew for the next time where no broker has answered. */
  <T> T ask(Questions<T> questions) throws IOException {
    Admin asked = current();
    try {
      return questions.ask(asked);
    } catch (IOException e) {
      if (isSilence(e)) {
        renewAfter(e, asked);
      }
      throw e;
    }
  }

  private void renewAfter(IOException silence, Admin asked) throws KafkaUnavailableException {
    try {
      renew(asked);
    } catch (KafkaUnavailableException e) {
      e.addSuppressed(silence);
      throw e;
    }
  }

  private synchronized Admin current() {
    return current;
  }

  /** What others have asked the client ends with it, and is asked again, too. */
  private synchronized void renew(Admin asked) throws KafkaUnavailableException {
    if (!closed && asked == current) {
      try {
        current = maker.get();
      } catch (KafkaException e) { // The hosts' names are not known now: the former goes on.
        throw new KafkaUnavailableException(
            "Kafka does not answer, and its client cannot be made anew: " + reason(e), e);
      }
      asked.close(Duration.ZERO);
    }
  }

  private static @Nullable String reason(KafkaException failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure.getMessage() : cause.getMessage();
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

  /** Waits for an answer, for as long as an outage of a moment may last. */
  static <T> T await(KafkaFuture<T> answer, String what, OwnRight needed) throws IOException {
    return await(answer, what, needed, TIMEOUT_MS);
  }

  /**
   * Waits for an answer.
   *
   * @param what is asked for, the end of the error's first words
   * @param needed the right that the broker may miss
   * @throws IOException there is none in time, or the broker refuses to give it
   */
  static <T> T await(KafkaFuture<T> answer, String what, OwnRight needed, long timeoutMs)
      throws IOException {
    try {
      return answer.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw needed.failure("Kafka did not tell " + what + ": " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new KafkaUnavailableException(
          "Kafka did not tell %s in %d ms. Check %s."
              .formatted(what, timeoutMs, "kafka." + CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG),
          e);
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
