package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.binary.MalformedDatumException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.avro.Schema;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** Deeply nested data, with a stack of the usual size. */
final class DeepDatumTest {
  private static final long USUAL_STACK_BYTES = 1 << 20;
  private static final Schema NODE = node("int");
  private static final Schema WIDER_NODE = node("float");

  @Test
  void deepestAllowedIsRewritten() throws Exception {
    var interpreter = new PlanInterpreter(Planner.plan(NODE, WIDER_NODE, List.of()));
    byte[] deepest = list(PlanInterpreter.DEFAULT_MAX_DEPTH);

    assertThat(run(interpreter, deepest)).hasSize(5 * PlanInterpreter.DEFAULT_MAX_DEPTH);
    assertThatThrownBy(() -> run(interpreter, list(PlanInterpreter.DEFAULT_MAX_DEPTH + 1)))
        .hasMessageEndingWith("nested deeper than 256 levels");
  }

  @Test
  void checkNeedsNoStackAtAll() throws Exception {
    var interpreter = new PlanInterpreter(Planner.plan(NODE, NODE, List.of()), Integer.MAX_VALUE);

    assertThat(run(interpreter, list(1_000_000))).hasSize(2_000_000);
  }

  @Test
  void rewritingNeedsNoStackAtAll() throws Exception {
    var interpreter =
        new PlanInterpreter(Planner.plan(NODE, WIDER_NODE, List.of()), Integer.MAX_VALUE);

    assertThat(run(interpreter, list(1_000_000))).hasSize(5_000_000);
  }

  /** Each record of a topic may be damaged, and each message may wait to be sent. */
  @Test
  void messageHasTheEndOfALongPath() {
    Schema schema = Schema.create(Schema.Type.STRING);
    for (int i = 0; i < 100; i++) {
      schema =
          Schema.createRecord(
              "R" + i, null, null, false, List.of(new Schema.Field("n".repeat(700) + i, schema)));
    }
    var interpreter = new PlanInterpreter(Planner.plan(schema, schema, List.of()));

    assertThatThrownBy(() -> run(interpreter, new byte[] {1}))
        .hasMessageStartingWith("byte 0, field \"…n")
        .hasMessageContaining("nn1.nnn")
        .satisfies(damage -> assertThat(damage.getMessage()).hasSizeLessThan(2_200));
  }

  private static byte[] run(PlanRunner runner, byte[] datum) throws Exception {
    var task =
        new FutureTask<byte[]>(
            () -> {
              var result = new TableDatum();
              runner.run(datum, 0, datum.length, result);
              return Arrays.copyOf(result.bytes(), result.length());
            });
    new Thread(null, task, "usual stack", USUAL_STACK_BYTES).start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof MalformedDatumException malformed) {
        throw malformed;
      }
      throw e;
    }
  }

  private static Schema node(String valueType) {
    return new Schema.Parser()
        .parse(
            """
            {"type": "record", "name": "Node", "fields": [
              {"name": "value", "type": "%s"},
              {"name": "next", "type": ["null", "Node"]}]}
            """
                .formatted(valueType));
  }

  private static byte[] list(int nodes) throws IOException {
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    for (int i = 1; i <= nodes; i++) {
      encoder.writeInt(i % 60);
      encoder.writeIndex(i < nodes ? 1 : 0);
    }
    return out.toByteArray();
  }
}
