package io.tidemark.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.records.ReferenceRecord;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class ReferenceRecordTest {

  @Test
  void everyStockQuoteHas78FieldsAnd474Bytes() {
    ReferenceRecord quote = ReferenceRecord.named("StockQuote-78");

    assertThat(quote.writerSchema().getFields()).hasSize(78);
    assertThat(List.of(quote.datums(100_000))).allSatisfy(datum -> assertThat(datum).hasSize(474));
  }

  @Test
  void recordsHaveTheFieldsOfTheirNames() {
    assertThat(ReferenceRecord.named("User-81").writerSchema().getFields()).hasSize(81);
    assertThat(ReferenceRecord.named("Mix-300").writerSchema().getFields()).hasSize(300);
    assertThat(ReferenceRecord.named("Airline-31").writerSchema().getFields()).hasSize(31);
    assertThat(ReferenceRecord.named("Nested-large-deep").writerSchema().getFields()).hasSize(100);
  }

  @Test
  void wideRecordsHaveTheFieldsOfTheirNames() {
    for (ReferenceRecord record : ReferenceRecord.wide()) {
      assertThat(record.name()).isEqualTo("Wide-" + fields(record.writerSchema()));
      assertThat(Arrays.deepEquals(record.datums(20_000), record.datums(20_000))).isTrue();
    }
  }

  /** The number of fields, with those of nested records. */
  private static int fields(Schema schema) {
    return switch (schema.getType()) {
      case RECORD ->
          schema.getFields().stream().mapToInt(field -> 1 + fields(field.schema())).sum();
      case UNION -> schema.getTypes().stream().mapToInt(ReferenceRecordTest::fields).sum();
      default -> 0;
    };
  }

  @Test
  void parcelsHaveAbout650Bytes() {
    assertThat(1_000_000 / ReferenceRecord.named("Parcel-650").datums(1_000_000).length)
        .isBetween(640, 660);
  }

  @Test
  void datumsAreTheSameInEveryRun() {
    for (ReferenceRecord record : ReferenceRecord.all()) {
      assertThat(Arrays.deepEquals(record.datums(20_000), record.datums(20_000)))
          .as(record.name())
          .isTrue();
    }
  }
}
