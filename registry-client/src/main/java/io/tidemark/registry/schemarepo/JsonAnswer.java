package io.tidemark.registry.schemarepo;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Optional;

/** Reads the JSON of a registry of AVRO-1124. */
final class JsonAnswer {
  /** Accepts strings of any length: the size of a response is limited before it is parsed. */
  private static final JsonMapper JSON =
      new JsonMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
              .build());

  private JsonAnswer() {}

  /** Returns an array, or empty for any other JSON. */
  static Optional<JsonNode> array(byte[] body) {
    try {
      return Optional.ofNullable(JSON.readTree(body)).filter(JsonNode::isArray);
    } catch (JacksonException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new AssertionError("reading JSON from memory does no I/O", e);
    }
  }
}
