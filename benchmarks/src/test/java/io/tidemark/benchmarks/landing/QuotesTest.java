package io.tidemark.benchmarks.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.landing.Workload.Kind;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;

class QuotesTest {
  private static final Workload PLAIN = Workload.quotes(Kind.PLAIN, 1_000);

  @Test
  void sizedQuotesAreOfTheirSizeAndOfTheirSchema() throws IOException {
    for (int bytes : List.of(50, 100, 500, 1_000, 10_000, 100_000)) {
      Quotes quotes = Quotes.of(PLAIN.ofRecordBytes(bytes));
      Quotes.Version version = quotes.versions().get(0);

      assertThat(quotes.datumBytes()).isBetween(bytes * 85 / 100, bytes * 105 / 100);
      assertThat(read(version.datums().get(0), version.schema()).get("timestamp"))
          .isEqualTo(Quotes.OPENING_MS);
    }
  }

  @Test
  void recordTypesHaveNamesOfTheirOwnAndTheSameFields() throws IOException {
    Quotes quotes = Quotes.of(Workload.quotes(Kind.RECORD_TYPES, 1_000));

    Set<String> names = new HashSet<>();
    Set<List<Schema.Field>> fields = new HashSet<>();
    for (Quotes.Version version : quotes.versions()) {
      names.add(version.schema().getFullName());
      fields.add(version.schema().getFields());
    }
    assertThat(names).hasSize(Quotes.ROUTES).contains(Quotes.typeOf(0), Quotes.typeOf(19));
    assertThat(fields).hasSize(1);
  }

  @Test
  void everyRouteIsAValueOfTheField() throws IOException {
    Quotes.Version version = Quotes.of(Workload.quotes(Kind.FIELD_VALUES, 1_000)).versions().get(0);

    Set<String> values = new HashSet<>();
    for (byte[] datum : version.datums().subList(0, 100)) {
      values.add(String.valueOf(read(datum, version.schema()).get(Quotes.ROUTE_FIELD)));
    }
    assertThat(values).hasSize(Quotes.ROUTES).contains(Quotes.routeOf(0), Quotes.routeOf(19));
  }

  private static GenericRecord read(byte[] datum, Schema schema) throws IOException {
    BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(datum, null);
    GenericRecord quote = new GenericDatumReader<GenericRecord>(schema).read(null, decoder);
    assertThat(decoder.isEnd()).isTrue();
    return quote;
  }
}
