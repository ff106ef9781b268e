package io.tidemark.connect.it.faults;

import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.stack.ConnectWorker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers of Connect that die or sleep while they land records. */
@OnRealStack
@Tag("faults")
final class WorkerFaultsIT {

  @Test
  void killedWorkersRecordsAreLandedByTheOther(RealStack stack) {
    List<ConnectWorker> workers = stack.services().connect().workers();
    try (FaultScenario scenario = FaultScenario.begin(stack, "worker-killed")) {
      scenario.connector().awaitAssignedTo(workers, scenario.topic());
      scenario.endsWith(workers.get(1)::kill);
      scenario.recovers();
    }
  }

  @Test
  void allWorkersKilledGoOnWhereTheyWere(RealStack stack) {
    List<ConnectWorker> workers = stack.services().connect().workers();
    try (FaultScenario scenario = FaultScenario.begin(stack, "all-workers-killed")) {
      workers.forEach(ConnectWorker::kill);
      scenario.endsWith(stack::startWorkers);
      scenario.recovers();
    }
  }

  /** It sleeps longer than its session, and wakes when another worker has landed its records. */
  @Test
  void workerThatWakesAsAZombieCommitsNothing(RealStack stack) {
    List<ConnectWorker> workers = stack.services().connect().workers();
    try (FaultScenario scenario = FaultScenario.begin(stack, "worker-asleep")) {
      scenario.connector().awaitAssignedTo(workers, scenario.topic());
      workers.get(1).process().suspend();
      try {
        scenario.connector().awaitAssignedTo(workers.subList(0, 1), scenario.topic());
        scenario.progresses();
        scenario.lasts(Duration.ofSeconds(5));
      } finally {
        scenario.endsWith(workers.get(1).process()::resume);
      }
      scenario.recovers();
    }
  }
}
