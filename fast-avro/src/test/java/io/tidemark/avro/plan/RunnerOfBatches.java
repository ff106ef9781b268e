package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.binary.MalformedDatumException;
import java.util.Arrays;

/**
 * Runs a datum many times in one batch, in all lanes and in the one for the remaining datums, and
 * checks that all results are equal.
 */
final class RunnerOfBatches implements PlanRunner {
  /** Eight datums that run together, and one alone. */
  private static final int DATUMS = 9;

  private final BatchRunner runner;
  private final Plan plan;
  private final TableDatums results = new TableDatums(0);

  RunnerOfBatches(BatchRunner runner, Plan plan) {
    this.runner = runner;
    this.plan = plan;
  }

  @Override
  public void run(byte[] source, int offset, int length, TableDatum result)
      throws MalformedDatumException {
    var datums = new SourceDatums();
    for (int i = 0; i < DATUMS; i++) {
      datums.add(source, offset, length);
    }
    results.clear();
    try {
      runner.run(datums, 0, DATUMS, results);
    } catch (MalformedDatumException e) {
      assertThat(results.runSize()).isZero();
      assertThatThrownBy(() -> runner.run(datums, DATUMS - 1, DATUMS, results))
          .isInstanceOf(MalformedDatumException.class)
          .hasMessage(e.getMessage());
      throw e;
    }
    assertThat(results.runSize()).isEqualTo(DATUMS);
    for (int i = 1; i < DATUMS; i++) {
      assertSame(0, i);
    }
    tell(DATUMS - 1, result);
  }

  private void assertSame(int one, int other) {
    assertThat(Arrays.mismatch(bytes(other), bytes(one)))
        .as("first byte that differs")
        .isEqualTo(-1);
    for (int field = 0; field < plan.fieldPaths().size(); field++) {
      assertThat(results.hasField(other, field)).isEqualTo(results.hasField(one, field));
      if (results.hasField(one, field)) {
        assertThat(results.fieldOffset(other, field) - results.offset(other))
            .isEqualTo(results.fieldOffset(one, field) - results.offset(one));
        assertThat(results.fieldLength(other, field)).isEqualTo(results.fieldLength(one, field));
      }
    }
  }

  private byte[] bytes(int datum) {
    return Arrays.copyOfRange(results.bytes(), results.offset(datum), results.end(datum));
  }

  private void tell(int datum, TableDatum result) {
    int begin = results.offset(datum);
    result.begin(results.bytes(), begin, results.end(datum) - begin, plan.fieldPaths().size());
    for (int field = 0; field < plan.fieldPaths().size(); field++) {
      if (results.hasField(datum, field)) {
        int at = results.fieldOffset(datum, field);
        result.beginField(field, at);
        result.endField(field, at + results.fieldLength(datum, field));
      }
    }
  }
}
