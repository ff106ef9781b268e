package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException.Reason;
import java.util.Optional;

/** Internal. Interprets the error responses of one registry API. Implementations have no state. */
public interface Dialect {

  /**
   * Parses an error response. Returns empty if the response is not from a registry of this API, but
   * from a proxy or another service.
   *
   * @param mediaType in lower case and without parameters; empty if the response has none
   */
  Optional<ErrorBody> error(int status, String mediaType, byte[] body);

  /** The registry's error code and message. */
  record ErrorBody(int code, String message) {}

  /**
   * Returns why the registry rejects the request, if the error concerns the request. Empty for
   * errors of the registry itself, and for a wrong address.
   */
  Optional<Refusal> refusal(int status, ErrorBody error);

  /**
   * A rejection by the registry.
   *
   * @param cure the cause and what to do, as sentences
   */
  record Refusal(Reason reason, String cure) {}
}
