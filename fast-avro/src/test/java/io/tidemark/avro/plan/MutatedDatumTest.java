package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.DamagedDatum;
import io.tidemark.avro.RandomAvro;
import java.util.Optional;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/**
 * Good datums of random plans, with up to four faults each.
 *
 * <p>How many is the system property {@code io.tidemark.avro.mutations}, 20,000 unless told
 * otherwise; the number of the first plan, which a failure tells, {@code
 * io.tidemark.avro.firstPlan}.
 */
final class MutatedDatumTest {
  private static final long MUTATIONS = Long.getLong("io.tidemark.avro.mutations", 20_000);
  private static final long FIRST_PLAN = Long.getLong("io.tidemark.avro.firstPlan", 0);

  /** At most 10,000 plans, as to compile one takes as long as some hundred datums. */
  private static final long MUTATIONS_OF_A_PLAN = Math.max(200, MUTATIONS / 10_000);

  @Test
  void mutatedDatumIsRefusedOrBecomesWhatAvroReads() {
    long mutations = 0;
    long accepted = 0;
    for (long number = FIRST_PLAN; mutations < MUTATIONS; number++) {
      Optional<Plan> plan =
          number % 3 == 0 ? Optional.of(PlanSample.copying(number)) : PlanSample.evolving(number);
      if (plan.isPresent()) {
        accepted += accepted(plan.get(), number);
        mutations += MUTATIONS_OF_A_PLAN;
      }
    }

    System.out.printf("%d mutated datums, %d of them accepted%n", mutations, accepted);
    assertThat(accepted).isBetween(1L, mutations - 1);
  }

  private static int accepted(Plan plan, long number) {
    var avro = new RandomAvro(number);
    Schema writer = avro.recordSchema();
    assertThat(writer).isEqualTo(plan.writerSchema());
    var reading = new TableReading(plan);
    int accepted = 0;
    try {
      for (int i = 0; i < MUTATIONS_OF_A_PLAN; i++) {
        byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
        for (int faults = 1 + avro.random().nextInt(4); faults > 0; faults--) {
          datum = DamagedDatum.of(datum, avro.random());
        }
        accepted += reading.read(datum) ? 1 : 0;
      }
    } catch (AssertionError e) {
      throw new AssertionError("with plan " + number, e);
    }
    return accepted;
  }
}
