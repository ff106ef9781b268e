package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.DamagedDatum;
import io.tidemark.avro.RandomAvro;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/**
 * Valid datums of random plans, with up to four faults each.
 *
 * <p>The system property {@code io.tidemark.avro.mutations} is their number, 20,000 by default.
 * {@code io.tidemark.avro.firstPlan} is the number of the first plan; a failure names it.
 */
final class MutatedDatumTest {
  private static final long MUTATIONS = Long.getLong("io.tidemark.avro.mutations", 20_000);
  private static final long FIRST_PLAN = Long.getLong("io.tidemark.avro.firstPlan", 0);

  /** At most 10,000 plans, because compiling one takes as long as some hundred datums. */
  private static final long MUTATIONS_OF_A_PLAN = Math.max(200, MUTATIONS / 10_000);

  /** The number of plans that begin before the mutations are counted. */
  private static final long ROUND = 30;

  @Test
  void mutatedDatumIsRefusedOrBecomesWhatAvroReads() {
    Counts all = Counts.NONE;
    for (long number = FIRST_PLAN; all.mutations < MUTATIONS; number += ROUND) {
      Counts round =
          LongStream.range(number, number + ROUND)
              .parallel()
              .mapToObj(MutatedDatumTest::counts)
              .reduce(Counts.NONE, Counts::plus);
      all = all.plus(round);
    }

    System.out.println(all.mutations + " mutated datums, " + all.accepted + " of them accepted");
    assertThat(all.accepted).isBetween(1L, all.mutations - 1);
  }

  private record Counts(long mutations, long accepted) {
    static final Counts NONE = new Counts(0, 0);

    Counts plus(Counts other) {
      return new Counts(mutations + other.mutations, accepted + other.accepted);
    }
  }

  private static Counts counts(long number) {
    Optional<Plan> plan =
        number % 3 == 0 ? Optional.of(PlanSample.copying(number)) : PlanSample.evolving(number);
    return plan.isPresent()
        ? new Counts(MUTATIONS_OF_A_PLAN, accepted(plan.get(), number))
        : Counts.NONE;
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
