package io.tidemark.registry.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the JSON of registries, whichever API they have. */
public final class Json {
  public static final JsonMapper MAPPER =
      JsonMapper.builder(
              // A schema is one string, and the size of a response is limited before it is parsed.
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** The maximum number of tokens or lines of a response: each becomes an object. */
  public static final int MOST_TOKENS = 1_000_000;

  private Json() {}

  /** Returns the document, or a missing node if it is not JSON or has too many tokens. */
  public static JsonNode read(byte[] body) {
    try (JsonParser tokens = MAPPER.createParser(body)) {
      for (int number = 0; tokens.nextToken() != null; number++) {
        if (number == MOST_TOKENS) {
          return MissingNode.getInstance();
        }
      }
      return MAPPER.readTree(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    } catch (IOException e) {
      throw new AssertionError("reading JSON from memory does no I/O", e);
    }
  }

  /** Returns an array of strings, or empty for any other JSON. */
  public static Optional<List<String>> texts(byte[] body) {
    List<String> texts = new ArrayList<>();
    JsonNode json = read(body);
    for (JsonNode element : json) {
      if (!element.isTextual()) {
        return Optional.empty();
      }
      texts.add(element.textValue());
    }
    return json.isArray() ? Optional.of(List.copyOf(texts)) : Optional.empty();
  }

  /** Returns an array of ints, or empty for any other JSON. */
  public static Optional<List<Integer>> ints(byte[] body) {
    List<Integer> ints = new ArrayList<>();
    JsonNode json = read(body);
    for (JsonNode element : json) {
      if (!element.canConvertToInt()) {
        return Optional.empty();
      }
      ints.add(element.intValue());
    }
    return json.isArray() ? Optional.of(List.copyOf(ints)) : Optional.empty();
  }
}
