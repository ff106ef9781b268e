package io.tidemark.registry.schemarepo;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Optional;

/** JSON as such a registry sends it. */
final class JsonAnswer {
  /** Of a schema as one text of any length: the size of an answer is bounded before it is read. */
  private static final JsonMapper JSON =
      new JsonMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
              .build());

  private JsonAnswer() {}

  /** An array, or nothing when it is something else. */
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
