package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException.Reason;
import java.util.Optional;

/** How one kind of registry says no over HTTP. Implementations keep no state. */
public interface Dialect {

  /**
   * What an answer of an error says in the API's own words; nothing when it is not from such a
   * registry, but from a proxy or another service.
   *
   * @param mediaType in lower case and without parameters; empty when the answer names none
   */
  Optional<ErrorBody> error(int status, String mediaType, byte[] body);

  /** The body of an error. */
  record ErrorBody(int code, String message) {}

  /**
   * Why the registry says no, when this is such an answer: it knows the request and will not do it.
   * Nothing for answers that say something of the registry's own state, or of the address.
   */
  Optional<Refusal> refusal(int status, ErrorBody error);

  /**
   * A "no" of the registry.
   *
   * @param cure cause and cure, as sentences
   */
  record Refusal(Reason reason, String cure) {}
}
