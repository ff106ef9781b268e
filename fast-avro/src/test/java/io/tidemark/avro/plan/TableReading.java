package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.binary.MalformedDatumException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * The requirements for every runner of a plan and any bytes. A runner refuses the bytes, or
 * converts them to the value that Avro's resolving reader reads. All runners have the same result,
 * with any bytes before and after the datum.
 */
final class TableReading {
  /** The messages of refusals of datums that Avro's library accepts. */
  private static final List<String> STRICTER =
      List.of(
          "boolean is byte",
          "does not fit",
          "block ",
          "take no bytes",
          "nested deeper",
          "bytes longer",
          " exactly",
          "does not list it as an alias");

  /**
   * A branch of a union that is refused because of its items. Avro's library reads it if it has
   * none. The first path is that of the union, the second is that of the items.
   */
  private static final Pattern EMPTY_BRANCH =
      Pattern.compile(": field \"[^\"]*(\\[]|\\{})[^\"]*\": ");

  private static final int MARGIN = 24;
  private static final int[] SURROUNDINGS = {0x02, 0x80};

  private final Plan plan;
  private final List<PlanRunner> runners;
  private final GenericData library = new GenericData();
  private final TableDatum result = new TableDatum();

  TableReading(Plan plan) {
    this.plan = plan;
    runners = RunnerFactory.all(plan);
  }

  /** The result of a runner for a datum: its bytes and fields, or a refusal. */
  private record Outcome(
      List<Integer> fields, ByteBuffer bytes, @Nullable MalformedDatumException refusal) {

    void assertSame(Outcome other) {
      if (refusal == null || other.refusal == null) {
        assertThat(other.refusal).isEqualTo(refusal);
      } else {
        assertThat(other.refusal).hasMessage(refusal.getMessage()).hasSameClassAs(refusal);
      }
      assertThat(other.bytes).isEqualTo(bytes);
      assertThat(other.fields).isEqualTo(fields);
    }
  }

  /**
   * Runs a datum in every way.
   *
   * @return true if it was accepted
   */
  boolean read(byte[] datum) {
    Outcome first = outcome(runners.get(0), datum, 0, datum.length);
    for (PlanRunner runner : runners) {
      for (int around : SURROUNDINGS) {
        var source = new byte[datum.length + 2 * MARGIN];
        Arrays.fill(source, (byte) around);
        System.arraycopy(datum, 0, source, MARGIN, datum.length);
        byte[] before = source.clone();
        first.assertSame(outcome(runner, source, MARGIN, datum.length));
        assertThat(Arrays.mismatch(source, before))
            .as("first byte changed in the source")
            .isEqualTo(-1);
      }
    }
    if (first.refusal == null) {
      assertReadAsAvroReads(datum);
      return true;
    }
    assertRefusedByAvro(datum, first.refusal);
    return false;
  }

  private Outcome outcome(PlanRunner runner, byte[] source, int offset, int length) {
    try {
      runner.run(source, offset, length, result);
    } catch (MalformedDatumException e) {
      assertThat(e.byteOffset()).isBetween(0L, (long) length);
      return new Outcome(List.of(), ByteBuffer.allocate(0), e);
    }
    var fields = new ArrayList<Integer>();
    for (int i = 0; i < plan.fieldPaths().size(); i++) {
      fields.add(result.hasField(i) ? result.fieldOffset(i) - result.offset() : -1);
      fields.add(result.hasField(i) ? result.fieldLength(i) : -1);
    }
    byte[] bytes =
        Arrays.copyOfRange(result.bytes(), result.offset(), result.offset() + result.length());
    return new Outcome(fields, ByteBuffer.wrap(bytes), null);
  }

  private void assertReadAsAvroReads(byte[] datum) {
    try {
      runners.get(0).run(datum, 0, datum.length, result);
      Schema table = plan.tableSchema();
      Object expected = decode(plan.writerSchema(), table, datum, 0, datum.length);
      assertThat(decode(table, table, result.bytes(), result.offset(), result.length()))
          .isEqualTo(expected);
      for (int i = 0; i < plan.fieldPaths().size(); i++) {
        String path = plan.fieldPaths().get(i);
        assertThat(decodedField(result, i, Planner.fieldSchema(table, path)))
            .as(path)
            .isEqualTo(valueAt(expected, path));
      }
    } catch (IOException | MalformedDatumException | RuntimeException e) {
      throw new AssertionError("what we accept is refused", e);
    }
  }

  /** Decodes with the readers that the library has created for the plan. */
  private @Nullable Object decode(
      Schema writer, Schema reader, byte[] bytes, int offset, int length) throws IOException {
    return AvroLibrary.decode(library, writer, reader, bytes, offset, length);
  }

  /**
   * Avro's resolving reader hardly checks fields that the table lacks, and skips blocks by their
   * size. An invalid datum is therefore one that a reader with the writer's own schema cannot read.
   */
  private void assertRefusedByAvro(byte[] datum, MalformedDatumException refusal) {
    Schema reader =
        refusal instanceof UnresolvableDatumException ? plan.tableSchema() : plan.writerSchema();
    try {
      decode(plan.writerSchema(), reader, datum, 0, datum.length);
    } catch (IOException | RuntimeException e) {
      return;
    }
    assertThat(isStricter(String.valueOf(refusal.getMessage())))
        .as("Avro reads what we refuse: %s", refusal)
        .isTrue();
  }

  /** True if Avro's library has no such refusal. */
  static boolean isStricter(String refusal) {
    return STRICTER.stream().anyMatch(refusal::contains) || EMPTY_BRANCH.matcher(refusal).find();
  }

  static @Nullable Object valueAt(@Nullable Object datum, String path) {
    Object value = datum;
    for (String name : path.split("\\.", -1)) {
      value = value == null ? null : ((GenericRecord) value).get(name);
    }
    return value;
  }

  static @Nullable Object decodedField(TableDatum datum, int field, Schema schema)
      throws IOException {
    return datum.hasField(field)
        ? AvroLibrary.decode(
            schema, schema, datum.bytes(), datum.fieldOffset(field), datum.fieldLength(field))
        : null;
  }
}
