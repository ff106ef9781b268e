package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.store.StoredFile;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableSchemas;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/** A numeric field that is a long for some writers and a double for others. */
final class LosslessNumbersTest {
  private static final int LONG_ID = Quotes.SCHEMA_ID;
  private static final int DOUBLE_ID = 2;
  private static final Schema DOUBLE =
      SchemaBuilder.record("Quote")
          .fields()
          .requiredString("key")
          .requiredDouble("price")
          .endRecord();

  // 2^53 + 1, the smallest positive long that is not equal to any double.
  private static final long NO_DOUBLE = 9_007_199_254_740_993L;

  private final Quotes quotes = new Quotes();
  private final FakeDeadLetterQueue queue = new FakeDeadLetterQueue();

  @Test
  void longThatNoDoubleEqualsIsRefusedWhereTheTableHasADouble() throws Exception {
    quotes.produce(LONG_ID, Quotes.SCHEMA, "a", 1L);
    quotes.produce(DOUBLE_ID, DOUBLE, "b", 0.5);
    quotes.landOrStop(task());
    quotes.produce(LONG_ID, Quotes.SCHEMA, "c", NO_DOUBLE);

    Optional<LandingException> refusal = quotes.landOrStop(task());

    assertThat(prices().getOrDefault("c", BigDecimal.valueOf(NO_DOUBLE)))
        .isEqualByComparingTo(BigDecimal.valueOf(NO_DOUBLE));
    assertThat(refusal.isPresent() || queue.offsets().contains(2L) || prices().containsKey("c"))
        .isTrue();
  }

  @Test
  void longThatHasLandedIsReadAsItselfAfterADoubleCame() throws Exception {
    quotes.produce(LONG_ID, Quotes.SCHEMA, "a", NO_DOUBLE);
    quotes.land(task());
    quotes.produce(DOUBLE_ID, DOUBLE, "b", 0.5);

    quotes.landOrStop(task());

    assertThat(prices().get("a")).isEqualByComparingTo(BigDecimal.valueOf(NO_DOUBLE));
  }

  @Test
  void longsThatADoubleEqualsLandWhereTheTableHasADoubleAndOthersAreDeadLetters() throws Exception {
    quotes.produce(DOUBLE_ID, DOUBLE, "a", 0.5);
    quotes.produce(LONG_ID, Quotes.SCHEMA, "b", NO_DOUBLE - 1);
    quotes.produce(LONG_ID, Quotes.SCHEMA, "c", NO_DOUBLE);
    quotes.produce(LONG_ID, Quotes.SCHEMA, "d", Long.MIN_VALUE);
    quotes.produce(LONG_ID, Quotes.SCHEMA, "e", Long.MAX_VALUE);

    quotes.land(task());

    assertThat(prices()).containsOnlyKeys("a", "b", "d");
    assertThat(prices().get("b")).isEqualByComparingTo(BigDecimal.valueOf(NO_DOUBLE - 1));
    assertThat(prices().get("d")).isEqualByComparingTo(new BigDecimal(Double.toString(-0x1p63)));
    assertThat(queue.offsets()).containsExactly(2L, 4L);
    assertThat(queue.taken.get(0).reason())
        .contains("field \"price\": long 9007199254740993 cannot be converted to double exactly")
        .contains("Correct the producer's schema");
  }

  private TestTask task() {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new LongAndDouble(),
        PartitionSpec.NONE,
        Optional.empty(),
        10,
        100,
        new TestTask.BadRecords(Optional.of(queue), NullValues.FAIL, 10));
  }

  /** The price of each key, for a reader who reads all files by the table's schema. */
  private Map<String, BigDecimal> prices() throws Exception {
    Schema table =
        new TableSchemas(quotes.storage, new TableLayout(Quotes.ROOT))
            .current()
            .orElseThrow()
            .schema();
    Map<String, BigDecimal> prices = new HashMap<>();
    for (StoredFile file : quotes.storage.list(Quotes.ROOT)) {
      if (file.directory()) {
        continue;
      }
      try (InputStream in = quotes.storage.open(file.path());
          DataFileStream<GenericRecord> rows =
              new DataFileStream<>(in, new GenericDatumReader<>(null, table))) {
        rows.forEach(
            row ->
                prices.put(row.get("key").toString(), new BigDecimal(row.get("price").toString())));
      }
    }
    return prices;
  }

  /** A registry of the two schemas. */
  private static final class LongAndDouble implements SchemaRegistry {
    private static final Map<Integer, Schema> SCHEMAS =
        Map.of(LONG_ID, Quotes.SCHEMA, DOUBLE_ID, DOUBLE);

    @Override
    public RegisteredSchema schema(SchemaId id) throws SchemaNotFoundException {
      if (id instanceof SchemaId.Int32 number && SCHEMAS.containsKey(number.value())) {
        return new RegisteredSchema(id, SCHEMAS.get(number.value()));
      }
      throw SchemaNotFoundException.unknown(id, 40403, location());
    }

    @Override
    public String location() {
      return "memory";
    }

    @Override
    public void close() {}
  }
}
