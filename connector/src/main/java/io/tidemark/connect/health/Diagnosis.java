package io.tidemark.connect.health;

import io.tidemark.registry.RegistryException;
import io.tidemark.store.PrintableText;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.table.CatalogUnavailableException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * The classification of a failed call: its service, whether the failure is transient, and the cure.
 *
 * @param cure what to do about the failure
 * @param refusal reason of a permanent failure; empty if the failure is transient
 */
record Diagnosis(Service service, String cause, String cure, Optional<Refusal> refusal) {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final String DENIED = "Permission denied";

  /** A permanent failure: its reason, and what an operator must change. */
  private record Lasting(Refusal refusal, String cure) {}

  static Diagnosis of(Throwable failure) {
    Service service = service(failure);
    String cause = said(failure);
    Optional<Lasting> lasting = lasting(failure, service);
    return new Diagnosis(
        service,
        cause,
        lasting.map(Lasting::cure).orElseGet(() -> passing(service)),
        lasting.map(Lasting::refusal));
  }

  /** The cure for a service that does not respond. */
  static String passing(Service service) {
    return "Check that the service runs and that %s is correct. The task retries."
        .formatted(service.addressKey());
  }

  private static Service service(Throwable failure) {
    if (failure instanceof KafkaUnavailableException) {
      return Service.KAFKA;
    }
    if (failure instanceof RegistryException) {
      return Service.SCHEMA_REGISTRY;
    }
    return failure instanceof CatalogUnavailableException ? Service.METASTORE : Service.STORE;
  }

  /** The first line of the message: those of name nodes and Metastores contain stack traces. */
  private static String said(Throwable failure) {
    String message = problem(failure);
    String all = message == null ? failure.toString() : message;
    return PrintableText.line(all.lines().findFirst().orElse(""));
  }

  /** The failure's message without the cure, which refusals have separately. */
  private static @Nullable String problem(Throwable failure) {
    if (failure instanceof StoreRefusedException refused) {
      return refused.problem();
    }
    return failure instanceof KafkaRefusedException refused
        ? refused.problem()
        : failure.getMessage();
  }

  private static Optional<Lasting> lasting(Throwable failure, Service service) {
    Set<Throwable> seen = new HashSet<>();
    for (@Nullable Throwable each = failure;
        each != null && seen.add(each);
        each = each.getCause()) {
      Optional<Lasting> lasting = lastingAlone(each, service);
      if (lasting.isPresent()) {
        return lasting;
      }
    }
    return Optional.empty();
  }

  private static Optional<Lasting> lastingAlone(Throwable failure, Service service) {
    if (failure instanceof StoreRefusedException refused) {
      return lasting(kind(refused.reason()), refused.cure());
    }
    if (failure instanceof UnknownHostException || failure instanceof UnresolvedAddressException) {
      return unknownHost(service);
    }
    return switch (service) {
      case KAFKA -> ofKafka(failure);
      case SCHEMA_REGISTRY ->
          failure instanceof RegistryException answer ? ofRegistry(answer) : untrusted(failure);
      case METASTORE -> ofMetastore(failure);
      case STORE, TABLE -> Optional.empty();
    };
  }

  private static Optional<Lasting> lasting(Refusal refusal, String cure) {
    return Optional.of(new Lasting(refusal, cure));
  }

  private static Refusal kind(StoreRefusedException.Reason reason) {
    return switch (reason) {
      case ACCESS -> Refusal.ACCESS;
      case QUOTA -> Refusal.QUOTA;
      case LIMIT, BOUNDARY -> Refusal.OTHER;
    };
  }

  private static Optional<Lasting> unknownHost(Service service) {
    return lasting(
        Refusal.ADDRESS,
        "Correct the host in %s, or add it to the worker's DNS.".formatted(service.addressKey()));
  }

  private static Optional<Lasting> ofKafka(Throwable failure) {
    if (failure instanceof KafkaRefusedException refused) {
      return lasting(Refusal.ACCESS, refused.cure());
    }
    if (failure instanceof AuthorizationException) {
      return lasting(
          Refusal.ACCESS,
          "Grant the right to the principal of the kafka.* settings. docs/OPERATIONS.md lists the rights.");
    }
    if (failure instanceof AuthenticationException) {
      return lasting(
          Refusal.LOGIN, "Correct the kafka.security.*, kafka.sasl.* and kafka.ssl.* settings.");
    }
    // Example: "No resolvable bootstrap urls given in bootstrap.servers"
    return failure instanceof ConfigException ? unknownHost(Service.KAFKA) : Optional.empty();
  }

  /**
   * Classifies an error response of the registry. The failure is transient only if the registry is
   * overloaded or restarts (docs/REGISTRY.md).
   */
  private static Optional<Lasting> ofRegistry(RegistryException answer) {
    int code = answer.code();
    if (code == UNAUTHORIZED || code == FORBIDDEN) {
      return lasting(
          code == FORBIDDEN ? Refusal.ACCESS : Refusal.LOGIN,
          "Correct the registry's credentials (docs/REGISTRY.md), or allow their user to read schemas.");
    }
    boolean lasts =
        code >= 200 && code < 500 && code != REQUEST_TIMEOUT && code != TOO_MANY_REQUESTS;
    return lasts
        ? lasting(
            Refusal.ADDRESS, "Correct schema.registry.url: another server answers at this address.")
        : Optional.empty();
  }

  private static Optional<Lasting> untrusted(Throwable failure) {
    return failure instanceof SSLException
        ? lasting(Refusal.LOGIN, "Correct the schema.registry.ssl.* settings (docs/REGISTRY.md).")
        : Optional.empty();
  }

  private static Optional<Lasting> ofMetastore(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains(DENIED)
        ? lasting(
            Refusal.ACCESS,
            "Give the user whom the Metastore's message names access to that directory or table.")
        : Optional.empty();
  }
}
