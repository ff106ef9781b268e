package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatum;
import io.tidemark.avro.plan.TableDatums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Runs a plan by the interpreter and by generated code, which must have the same results. */
final class MappingRuns {
  /** Eight datums that run together, and one alone. */
  private static final int DATUMS = 9;

  private final Plan plan;
  private final BatchRunner compiled;

  /** The result, and the positions of the captured fields in it; -1 for null. */
  record Result(String bytes, List<Integer> fields) {}

  MappingRuns(Plan plan) {
    this.plan = plan;
    var plans = new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE);
    plans.compileNow(plan);
    compiled = plans.runner(plan);
  }

  Result run(byte[] datum) throws MalformedDatumException {
    var sources = new SourceDatums();
    for (int i = 0; i < DATUMS; i++) {
      sources.add(datum, 0, datum.length);
    }
    var results = new TableDatums(0);
    var result = new TableDatum();
    try {
      new PlanInterpreter(plan).run(datum, 0, datum.length, result);
    } catch (MalformedDatumException e) {
      assertThatThrownBy(() -> compiled.run(sources, 0, DATUMS, results))
          .isInstanceOf(e.getClass())
          .hasMessage(e.getMessage());
      throw e;
    }
    compiled.run(sources, 0, DATUMS, results);
    Result interpreted = of(result);
    assertThat(results.runSize()).isEqualTo(DATUMS);
    for (int i = 0; i < DATUMS; i++) {
      assertThat(of(results, i)).as("generated").isEqualTo(interpreted);
    }
    return interpreted;
  }

  private Result of(TableDatum result) {
    List<Integer> fields = new ArrayList<>();
    for (int field = 0; field < plan.fieldPaths().size(); field++) {
      fields.add(result.hasField(field) ? result.fieldOffset(field) - result.offset() : -1);
      fields.add(result.hasField(field) ? result.fieldLength(field) : -1);
    }
    return new Result(
        bytes(
            Arrays.copyOfRange(result.bytes(), result.offset(), result.offset() + result.length())),
        fields);
  }

  private Result of(TableDatums results, int datum) {
    List<Integer> fields = new ArrayList<>();
    for (int field = 0; field < plan.fieldPaths().size(); field++) {
      boolean has = results.hasField(datum, field);
      fields.add(has ? results.fieldOffset(datum, field) - results.offset(datum) : -1);
      fields.add(has ? results.fieldLength(datum, field) : -1);
    }
    return new Result(
        bytes(Arrays.copyOfRange(results.bytes(), results.offset(datum), results.end(datum))),
        fields);
  }

  static String bytes(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
