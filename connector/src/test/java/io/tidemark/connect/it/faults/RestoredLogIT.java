package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The directory of a log in HDFS is restored from a copy. */
@OnRealStack
@Tag("faults")
final class RestoredLogIT {

  @Test
  void copyTakenSomeBatchesEarlierIsRefusedAndTheNewestOneGoesOn(RealStack stack) {
    String name = "restored-log";
    try (FaultScenario scenario = FaultScenario.begin(stack, name)) {
      scenario.quiesces();
      scenario.connector().stop();
      DirectoryCopy older = DirectoryCopy.of(stack, "/logs/" + name);
      scenario.connector().resume();
      for (int batch = 0; batch < 2; batch++) {
        scenario.sendsOnce();
        scenario.connector().awaitLanded();
      }
      scenario.connector().stop();
      DirectoryCopy newest = DirectoryCopy.of(stack, "/logs/" + name);

      older.restore();
      long next = scenario.log().next(0);
      stack.connect().resume(name);
      assertThat(scenario.connector().awaitFailure())
          .contains("the log was restored from an older copy")
          .contains("Restore the newest copy of the log")
          .contains("operator.consent=");
      assertThat(scenario.log().next(0)).isEqualTo(next).isLessThan(scenario.topic().end(0));

      scenario.connector().stop();
      newest.restore();
      scenario.sendsOnce();
      scenario.endsWith(scenario.connector()::resume);
      scenario.recovers();
    }
  }
}
