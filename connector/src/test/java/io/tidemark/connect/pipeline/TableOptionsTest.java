package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.Compression;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/** The settings of one table, and their effect on its files. */
class TableOptionsTest {
  private static final StoragePath ROOT = new StoragePath("/warehouse/quotes");

  private final Quotes quotes = new Quotes();

  @Test
  void filesHaveTheCodecOfTheirTable() throws Exception {
    quotes.produce("x");
    quotes.produce("y");
    quotes.land(task(Optional.of(new Compression("zstandard", OptionalInt.of(5)))));
    quotes.produce("z");
    quotes.land(task(Optional.empty()));

    assertThat(codecs()).containsExactlyInAnyOrder("zstandard", "null");
    assertThat(LandedRows.batches(quotes.storage, quotes.log().directory()))
        .flatExtracting(CommitEntry.Batch::files)
        .extracting(DataFile::codec)
        .containsExactly("zstandard", "null");
    assertThat(LandedRows.keys(quotes.storage, ROOT)).containsExactly("x", "y", "z");
  }

  private List<String> codecs() throws IOException {
    List<String> codecs = new ArrayList<>();
    for (StoredFile file : quotes.storage.list(ROOT)) {
      if (!file.directory()) {
        try (InputStream in = quotes.storage.open(file.path());
            DataFileStream<GenericRecord> rows =
                new DataFileStream<>(in, new GenericDatumReader<>())) {
          codecs.add(rows.getMetaString("avro.codec"));
        }
      }
    }
    return codecs;
  }

  private TestTask task(Optional<Compression> compression) {
    Table table =
        new Table(
            new TableName("default", "quotes"),
            new TableLayout(ROOT),
            PartitionSpec.NONE,
            new TableOptions(
                compression,
                true,
                true,
                false,
                true,
                TableOptions.DEFAULT_MAPPING,
                SchemaRules.DEFAULT));
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        topic -> Routing.toOne(table),
        Optional.empty(),
        1_000,
        100,
        TestTask.BadRecords.STOP,
        TestTask.Limits.WIDE,
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }
}
