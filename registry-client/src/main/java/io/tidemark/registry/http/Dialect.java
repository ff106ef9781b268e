package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException.Reason;
import java.util.Optional;

/** How one kind of registry speaks HTTP. Implementations keep no state. */
public interface Dialect {

  /** The media types that are asked for. */
  String accept();

  /** The media type of what we send. */
  String contentType();

  /**
   * What an answer of an error says in the API's own words; nothing when it is not from such a
   * registry, but from a proxy or another service.
   */
  Optional<ErrorBody> error(int status, byte[] body);

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
