package io.tidemark.connect.health;

import io.tidemark.connect.commit.KafkaUnavailableException;
import io.tidemark.connect.storage.StoreRefusedException;
import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.text.PrintableText;
import io.tidemark.registry.RegistryException;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of a call says: whose it is, whether it passes by itself, and what to do.
 *
 * @param cure what to do about it
 * @param refused it does not pass by itself
 */
record Diagnosis(Service service, String cause, String cure, boolean refused) {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  static Diagnosis of(Throwable failure) {
    Service service = service(failure);
    String cause = said(failure);
    return refusal(failure, service)
        .map(cure -> new Diagnosis(service, cause, cure, true))
        .orElseGet(() -> new Diagnosis(service, cause, passing(service), false));
  }

  /** What is to be done where a service does not answer. */
  static String passing(Service service) {
    return "Look whether it runs and whether %s is right; the task tries again by itself."
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

  private static String said(Throwable failure) {
    if (failure instanceof StoreRefusedException refused) {
      return PrintableText.line(refused.problem());
    }
    return failure.getMessage() == null
        ? PrintableText.of(failure)
        : PrintableText.messageOf(failure);
  }

  /** What has to be changed, where time alone changes nothing. */
  private static Optional<String> refusal(Throwable failure, Service service) {
    Set<Throwable> seen = new HashSet<>();
    for (@Nullable Throwable each = failure;
        each != null && seen.add(each);
        each = each.getCause()) {
      Optional<String> cure = cureOf(each, service);
      if (cure.isPresent()) {
        return cure;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> cureOf(Throwable failure, Service service) {
    if (failure instanceof StoreRefusedException refused) {
      return Optional.of(refused.cure());
    }
    if (failure instanceof UnknownHostException) {
      return Optional.of(
          "Correct the host in %s, or have the worker's name service know it."
              .formatted(service.addressKey()));
    }
    if (failure instanceof AuthorizationException) {
      return Optional.of(
          "Grant it to the principal of the kafka.* settings; docs/CONFIG.md lists the ACLs.");
    }
    if (failure instanceof AuthenticationException) {
      return Optional.of("Correct the kafka.security.*, kafka.sasl.* and kafka.ssl.* settings.");
    }
    if (failure instanceof RegistryException answer
        && (answer.code() == UNAUTHORIZED || answer.code() == FORBIDDEN)) {
      return Optional.of(
          "Correct the registry's credentials (docs/REGISTRY.md), or let their user read schemas.");
    }
    return Optional.empty();
  }
}
