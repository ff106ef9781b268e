package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.ForeignSchemas;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.merge.MergedSchema;
import io.tidemark.avro.merge.UnmergeableSchemasException;
import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.UnresolvableDatumException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record and random later versions of it, whose data land in one table by one mapping. Each datum
 * must become the value that Avro's library reads with the table's schema, from what its library
 * has encoded of the object that its conversions have made.
 */
final class MappedVersions {
  private static final int VERSIONS = 3;
  private static final Pattern NAMESPACE = Pattern.compile("\"namespace\":\"[^\"]*\",");
  private static final Pattern QUALIFIED =
      Pattern.compile("(?<!\"default\":)\"(?:\\w+\\.)+(\\w+)\"(?!:)");

  private final RandomAvro avro;
  private final SchemaMapping mapping;
  private final boolean truncate;
  private final List<Version> versions = new ArrayList<>();
  private @Nullable Schema table;

  /** What a producer writes, the rows in it, and their mapped schema. */
  private record Version(
      Schema writer, Schema row, Schema mapped, Optional<RandomEnvelope> envelope) {}

  /**
   * Adds versions of a record, each of which the table takes.
   *
   * @param unwrap whether the record is the row of a change
   * @param truncate whether the mapping truncates numbers
   */
  MappedVersions(
      Schema record, RandomAvro avro, SchemaMapping mapping, boolean unwrap, boolean truncate) {
    this.avro = avro;
    this.mapping = mapping;
    this.truncate = truncate;
    Random random = avro.random();
    Schema row = record;
    for (int i = 0; i < VERSIONS; i++) {
      add(row, unwrap);
      row =
          random.nextInt(3) > 0 ? EvolvedSchema.of(row, random) : EvolvedSchema.daring(row, random);
    }
  }

  private void add(Schema row, boolean unwrap) {
    Optional<RandomEnvelope> envelope =
        unwrap ? Optional.of(RandomEnvelope.around(row, avro.random())) : Optional.empty();
    Schema writer = envelope.map(RandomEnvelope::schema).orElse(row);
    try {
      Schema mapped = mapping.schema(writer);
      table =
          (table == null ? MergedSchema.first(mapped) : MergedSchema.of(table, mapped)).schema();
      versions.add(
          new Version(writer, envelope.map(RandomEnvelope::row).orElse(row), mapped, envelope));
    } catch (UnmappableSchemaException | UnmergeableSchemasException e) {
      // Its records do not land.
    }
  }

  /**
   * Lands random data of each version.
   *
   * @return the number of versions of which data have landed
   */
  int check(int count) throws Exception {
    int landed = 0;
    for (Version version : versions) {
      List<@Nullable Object> data = ForeignSchemas.data(version.writer(), avro, count);
      landed += data.isEmpty() ? 0 : 1;
      check(version, data);
    }
    return landed;
  }

  private void check(Version version, List<@Nullable Object> data) throws Exception {
    Schema all = Objects.requireNonNull(table);
    Optional<Schema> written = withoutNamespaces(version.mapped());
    Optional<Schema> read = withoutNamespaces(all);
    List<String> columns = all.getFields().stream().map(Schema.Field::name).toList();
    MappingRuns runs;
    try {
      runs = new MappingRuns(mapping.plan(version.writer(), all, columns));
    } catch (IncompatibleSchemasException e) {
      throw new AssertionError("%s has no plan for %s".formatted(all, version.writer()), e);
    }
    for (@Nullable Object value : data) {
      byte[] datum = AvroLibrary.encode(version.writer(), value, avro.random().nextBoolean());
      Optional<byte[]> mapped = mapped(version, value);
      MappingRuns.Result result;
      try {
        result = runs.run(datum);
      } catch (UnresolvableDatumException e) {
        // Avro's library rounds a long that becomes a double.
        assertThat(mapped.isEmpty() || String.valueOf(e.getMessage()).contains(" exactly"))
            .as("%s%n%s%n%s%n%s", e.getMessage(), version.writer(), mapping, all)
            .isTrue();
        continue;
      }
      assertThat(mapped).as("%s%n%s%n%s", version.writer(), mapping, all).isPresent();
      byte[] bytes = mapped.get();
      if (written.isEmpty() || read.isEmpty()) {
        continue;
      }
      assertThat(AvroLibrary.decode(read.get(), HexFormat.of().parseHex(result.bytes())))
          .as("%s%n%s%n%s", version.writer(), mapping, all)
          .isEqualTo(AvroLibrary.decode(written.get(), read.get(), bytes, 0, bytes.length));
    }
  }

  /**
   * Returns the schema with names that Avro's library compares as a table does, which ignores
   * namespaces. Empty if two types would have one name.
   */
  private static Optional<Schema> withoutNamespaces(Schema schema) {
    String text = NAMESPACE.matcher(schema.toString()).replaceAll("");
    try {
      return Optional.of(
          new Schema.Parser()
              .setValidateDefaults(false)
              .parse(QUALIFIED.matcher(text).replaceAll("\"$1\"")));
    } catch (SchemaParseException e) {
      return Optional.empty();
    }
  }

  /** Returns what Avro's library encodes of the converted object, unless it has no exact value. */
  private Optional<byte[]> mapped(Version version, @Nullable Object value) {
    try {
      @Nullable Object row = value;
      if (version.envelope().isPresent()) {
        var change = (GenericRecord) Objects.requireNonNull(value);
        Optional<GenericRecord> image = version.envelope().get().row(change);
        if (image.isEmpty()) {
          return Optional.empty();
        }
        row = image.get();
      }
      Object converted = new MappedObjects(truncate).convert(row, version.row(), version.mapped());
      return Optional.of(AvroLibrary.encode(version.mapped(), converted));
    } catch (MappedObjects.InexactException e) {
      return Optional.empty();
    }
  }
}
