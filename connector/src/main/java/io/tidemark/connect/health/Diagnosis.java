package io.tidemark.connect.health;

import io.tidemark.registry.RegistryException;
import io.tidemark.store.PrintableText;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.table.CatalogUnavailableException;
import java.util.Optional;

/** The service, the cause and the cure of a failed call, which was refused or is transient. */
public record Diagnosis(Service service, String cause, String cure, Optional<Refusal> refusal) {
  private static final String RETRIES = " The task retries.";

  static Diagnosis of(Throwable failure) {
    Service service = service(failure);
    KnownFailure known = KnownFailure.of(service, failure);
    return new Diagnosis(
        service,
        said(failure, known.cure()),
        known.refusal().isPresent() ? known.cure() : known.cure() + RETRIES,
        known.refusal());
  }

  /** The diagnosis of a service that does not respond. */
  static Diagnosis silence(Service service, String cause) {
    return new Diagnosis(
        service,
        cause,
        "Check that the service runs and that " + service.addressKey() + " is correct." + RETRIES,
        Optional.empty());
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

  /** Returns the first line, without a service's stack trace, and without the cure. */
  private static String said(Throwable failure, String cure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    int cured = message.indexOf(". " + cure);
    String problem = cured < 0 ? message : message.substring(0, cured);
    return PrintableText.line(problem.lines().findFirst().orElse(""));
  }
}
