package io.tidemark.benchmarks.articles.export;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.file.read.FastDataFileReader;
import io.tidemark.avro.object.FastDatumReader;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.FileReader;
import org.apache.avro.generic.GenericRecord;

/**
 * Verifies on an Avro file of flights the claims about fast-avro in the table of criteria. Prints a
 * line for each criterion: its name, a tab, and the observation. Fails if a claim is false.
 */
public final class Criteria {
  private Criteria() {}

  /** Runs all checks; the argument is the file. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    System.out.println("versioning\t" + versioning(file));
    System.out.println("validation\t" + validation(file));
    System.out.println("empty values\t" + emptyValues(file));
  }

  /** Reads the rows by a schema without most columns, with one widened and one new column. */
  private static String versioning(Path file) throws IOException {
    Schema newer =
        SchemaBuilder.record("Flight")
            .namespace("io.tidemark.benchmarks")
            .fields()
            .name("terminal")
            .type()
            .stringType()
            .stringDefault("unknown")
            .requiredLong("flightNumber")
            .endRecord();
    long rows = 0;
    try (FileReader<GenericRecord> reader =
        FastDataFileReader.open(file).objects(new FastDatumReader<>(null, newer))) {
      for (GenericRecord row : reader) {
        boolean right =
            row.get("terminal").toString().equals("unknown")
                && row.get("flightNumber") instanceof Long number
                && number > 0;
        require(right, "a row of the newer schema is " + row);
        rows++;
      }
    }
    return rows
        + " rows were read by a schema with one column that is new, one widened from int to"
        + " long, and 30 left out";
  }

  /** Damages a row in three ways, each of which must be rejected. */
  private static String validation(Path file) throws IOException {
    try (var slices = FastDataFileReader.open(file)) {
      require(slices.next(), "the file has no row");
      byte[] row =
          Arrays.copyOfRange(slices.bytes(), slices.offset(), slices.offset() + slices.length());
      var check = new PlanInterpreter(Planner.plan(slices.schema(), slices.schema(), List.of()));
      require(passes(check, row), "a good row was rejected");
      require(!passes(check, Arrays.copyOf(row, row.length - 1)), "a truncated row was accepted");
      require(!passes(check, Arrays.copyOf(row, row.length + 1)), "a longer row was accepted");
      require(!passes(check, withBadText(row)), "a text beyond the row's end was accepted");
      return "a row without its last byte, one with a byte too many, and one with a text longer"
          + " than the row were rejected";
    }
  }

  /**
   * Returns the row with 8191 as the length of its second field, a text, which follows a date of
   * three bytes.
   */
  private static byte[] withBadText(byte[] row) {
    byte[] bad = row.clone();
    bad[3] = (byte) 0xfe;
    bad[4] = 0x7f;
    return bad;
  }

  private static boolean passes(PlanInterpreter check, byte[] row) {
    try {
      check.run(row, 0, row.length, new TableDatum());
      return true;
    } catch (MalformedDatumException refused) {
      return false;
    }
  }

  private static String emptyValues(Path file) throws IOException {
    long nulls = 0;
    try (FileReader<GenericRecord> reader =
        FastDataFileReader.open(file).objects(new FastDatumReader<GenericRecord>())) {
      for (GenericRecord row : reader) {
        for (Schema.Field field : row.getSchema().getFields()) {
          nulls += row.get(field.pos()) == null ? 1 : 0;
        }
      }
    }
    require(nulls > 0, "no value was null");
    return nulls + " values were null";
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
