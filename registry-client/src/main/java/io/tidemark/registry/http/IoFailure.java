package io.tidemark.registry.http;

import io.tidemark.registry.Printable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateExpiredException;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Describes a connection's failure, for messages. */
final class IoFailure {
  private final IOException failure;
  private final boolean tls;
  private final UnaryOperator<String> redaction;

  /**
   * Creates a description.
   *
   * @param address the address that was connected to
   * @param redaction removes secrets from what the server sent
   */
  IoFailure(IOException failure, URI address, UnaryOperator<String> redaction) {
    this.failure = failure;
    this.tls = "https".equalsIgnoreCase(address.getScheme());
    this.redaction = redaction;
  }

  /** Returns the failure, for a stack trace; null if it contains a secret that was echoed. */
  @Nullable IOException cause() {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String text = cause.toString();
      if (!redaction.apply(text).equals(text)) {
        return null;
      }
    }
    return failure;
  }

  /** Returns whether the failure is transient: the same request may succeed later. */
  boolean mayPass() {
    return !(failure instanceof SSLException);
  }

  /** Returns the problem, its cause and what to do. The text continues a sentence. */
  String described(long connectTimeoutMs) {
    if (failure instanceof SSLException) {
      return "cannot be reached over TLS: " + said() + ". " + tlsCure();
    }
    if (failure instanceof HttpConnectTimeoutException) {
      // The time includes TLS's handshake. Java's client may miss an answer without TLS in it.
      return "did not accept a connection "
          + (tls ? "over TLS " : "")
          + "within "
          + connectTimeoutMs
          + " ms. The host is down, "
          + (tls
              ? "a firewall drops packets, or the server does not speak TLS there. Check"
              : "or a firewall drops packets. Check")
          + " schema.registry.url and the network.";
    }
    if (failure instanceof ConnectException) {
      return causedBy(UnresolvedAddressException.class)
          ? "cannot be reached: its host name is unknown here. Check schema.registry.url and DNS."
          : "cannot be reached: nothing accepts connections there. The registry is down, or the"
              + " address is wrong. Check schema.registry.url.";
    }
    return "did not send a complete HTTP response: "
        + said()
        + ". The registry is restarting, or a system in between closed the connection.";
  }

  private String said() {
    String message = Printable.of(redaction.apply(String.valueOf(failure.getMessage())));
    // After a colon or a quote, the JDK's message contains what it could not parse as HTTP.
    String own = failure instanceof SSLException ? message : message.replaceFirst("[:\"].*", "");
    return own.strip().replaceFirst("\\.+$", "");
  }

  private String tlsCure() {
    if (causedBy(CertificateExpiredException.class)) {
      return "Its certificate has expired. Renew it there, and check this machine's clock.";
    }
    String message = String.valueOf(failure.getMessage());
    if (message.contains("No subject alternative") || message.contains("No name matching")) {
      return "Its certificate is for another host. Check schema.registry.url, or add the host's"
          + " name to the certificate.";
    }
    if (message.startsWith("Received fatal alert")) {
      return "The server rejects the client: it may require a client certificate. Check"
          + " schema.registry.ssl.keystore.location.";
    }
    return "Its certificate is not trusted by this JVM, or it does not speak TLS. Check"
        + " schema.registry.ssl.truststore.location and schema.registry.url.";
  }

  private boolean causedBy(Class<? extends Throwable> type) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }
}
