package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.ForeignSchemas;
import io.tidemark.avro.RandomAvro;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Records of other projects, which src/test/foreign/run fetches, and random later versions of them:
 * they land by each set of rules and by random rules as Avro's own objects do.
 */
@EnabledIfSystemProperty(named = ForeignSchemas.DIRECTORY, matches = ".+")
final class ForeignMappingsTest {
  private static final int DATUMS = 3;
  private static final int RANDOM_RULES = Integer.getInteger("io.tidemark.avro.foreign.rules", 2);

  @Test
  void versionsOfRecordsOfOtherProjectsLandAsAvroConvertsAndReadsThem() throws IOException {
    int records = 0;
    int versions = 0;
    var failures = new TreeMap<String, String>();
    for (Path file : ForeignSchemas.files()) {
      Optional<Schema> schema = ForeignSchemas.parse(file);
      if (schema.filter(each -> each.getType() == Schema.Type.RECORD).isPresent()) {
        try {
          versions += check(schema.get(), file.toString().hashCode());
          records++;
        } catch (Exception | AssertionError | StackOverflowError e) {
          failures.put(file.toString(), e.toString());
        }
      }
    }
    System.out.printf("%d records, %d versions with rules%n", records, versions);
    assertThat(failures).isEmpty();
    assertThat(records).isGreaterThan(300);
  }

  private static int check(Schema record, long seed) throws Exception {
    int versions = 0;
    var avro = new RandomAvro(seed);
    for (String set : List.of("hive", "iceberg")) {
      SchemaMapping mapping = set(set).build();
      versions += new MappedVersions(record, avro, mapping, false, true).check(DATUMS);
      SchemaMapping unwrapping = set(set).unwrap().build();
      versions += new MappedVersions(record, avro, unwrapping, true, true).check(DATUMS);
    }
    Random random = avro.random();
    for (int i = 0; i < RANDOM_RULES; i++) {
      boolean unwrap = random.nextInt(3) == 0;
      boolean truncate = random.nextBoolean();
      SchemaMapping mapping = MappingPropertyTest.rules(random, truncate, record, unwrap);
      versions += new MappedVersions(record, avro, mapping, unwrap, truncate).check(DATUMS);
    }
    return versions;
  }

  private static SchemaMapping.Builder set(String name) {
    return SchemaMapping.builder().set(name).truncate();
  }
}
