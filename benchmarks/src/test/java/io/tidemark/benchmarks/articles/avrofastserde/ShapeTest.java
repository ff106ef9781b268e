package io.tidemark.benchmarks.articles.avrofastserde;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShapeTest {

  @Test
  void theRealLifeRecordHas25RecordsAnd600Unions() {
    var records = new HashSet<Schema>();
    collect(Shape.all().get(0).record().writerSchema(), records);

    assertThat(records).hasSize(25);
    assertThat(records.stream().flatMap(record -> record.getFields().stream()))
        .hasSize(600)
        .allSatisfy(field -> assertThat(field.schema().isUnion()).isTrue());
  }

  @Test
  void thereAreNineShapesInFoldersOfTheirOwn() {
    assertThat(Shape.all().stream().map(Shape::folder)).hasSize(9).doesNotHaveDuplicates();
  }

  @Test
  void aForkReadsTheDatumsThatWerePrepared(@TempDir Path folder) throws Exception {
    Shape shape = Shape.all().get(0);
    Preparation.prepare(shape, folder);

    // Reads and writes one record, or throws.
    ObjectFork.of(Library.OURS, false, folder);
    ObjectFork.of(Library.STOCK_1_12, false, folder);
    ObjectFork.of(Library.DECODED, false, folder);
    String type = shape.record().writerSchema().getFullName().replace('.', '/') + ".class";
    assertThat(Files.isRegularFile(folder.resolve(Preparation.CLASSES).resolve(type))).isTrue();
  }

  @Test
  void anotherVersionOfAvroTakesThePlaceOfOurs() {
    assertThat(Library.withoutAvro("/a/classes:/r/avro-1.12.1.jar:/r/fast-avro-0.1.0.jar"))
        .isEqualTo("/a/classes:/r/fast-avro-0.1.0.jar");
  }

  private static void collect(Schema schema, Set<Schema> records) {
    records.add(schema);
    for (Schema.Field field : schema.getFields()) {
      for (Schema branch : field.schema().getTypes()) {
        if (branch.getType() == Schema.Type.RECORD) {
          collect(branch, records);
        }
      }
    }
  }
}
