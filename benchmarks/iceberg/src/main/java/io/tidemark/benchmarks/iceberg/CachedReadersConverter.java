package io.tidemark.benchmarks.iceberg;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;
import org.jspecify.annotations.Nullable;

/**
 * Reads flat Avro records with a schema id in front into structs, as fast as a converter can. It
 * keeps a reader and a schema of Connect for each schema id, and one record that is filled
 * repeatedly. Production converters do more work for each record, so a sink with one of them is
 * slower. Used by one thread.
 *
 * <p>Does not support null fields, unions, nested records and logical types: the stock quotes have
 * none.
 */
public final class CachedReadersConverter implements Converter {
  private static final String URL = "schema.registry.url";
  private static final int HEADER_BYTES = 5;

  private final Map<Integer, StructReader> readers = new HashMap<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private String url = "";

  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    url = String.valueOf(settings.get(URL));
  }

  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    throw new DataException("this converter is only for sinks");
  }

  @Override
  public SchemaAndValue toConnectData(String topic, byte @Nullable [] value) {
    if (value == null || value.length < HEADER_BYTES) {
      throw new DataException(topic + ": a value without a schema id");
    }
    int id = ByteBuffer.wrap(value).getInt(1);
    StructReader reader = readers.get(id);
    if (reader == null) {
      reader = new StructReader(schema(id));
      readers.put(id, reader);
    }
    try {
      return reader.read(value, HEADER_BYTES);
    } catch (IOException e) {
      throw new DataException("%s: a value is not of schema %d".formatted(topic, id), e);
    }
  }

  private org.apache.avro.Schema schema(int id) {
    URI uri = URI.create(url + "/schemas/ids/" + id);
    try {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new DataException(
            "GET %s answers %d: %s".formatted(uri, response.statusCode(), response.body()));
      }
      String text = new ObjectMapper().readTree(response.body()).path("schema").asText();
      org.apache.avro.Schema schema = new org.apache.avro.Schema.Parser().parse(text);
      // Read strings as String: a Utf8 would be decoded at each use.
      schema.getFields().stream()
          .filter(field -> field.schema().getType() == org.apache.avro.Schema.Type.STRING)
          .forEach(
              field -> GenericData.setStringType(field.schema(), GenericData.StringType.String));
      return schema;
    } catch (IOException e) {
      throw new DataException(uri + " cannot be read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DataException(uri + ": interrupted", e);
    }
  }
}
