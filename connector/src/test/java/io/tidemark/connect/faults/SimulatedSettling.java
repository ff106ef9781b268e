package io.tidemark.connect.faults;

import io.tidemark.completeness.reckon.Inbox;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.UnassignedLogs;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.publish.Registrar;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The thread of a connector that settles logs which no task is given, in a process of its own.
 * Several may exist.
 */
final class SimulatedSettling {
  private static final long AGAIN_MS = 1_000;

  private final SimulatedProcess process;
  private final UnassignedLogs logs;

  SimulatedSettling(World world, SimulatedProcess process) {
    this.process = process;
    Storage storage = new GatedStorage(world.storageOf(process), process);
    Set<String> takenOut = world.connector().takenOut();
    logs =
        new UnassignedLogs(
            new UnassignedLogs.Services(
                storage,
                World.LOGS,
                new LogOwner(World.LOG_ID, World.LOG_ID),
                world.operator().endOffsets(process),
                topic -> !takenOut.contains(topic),
                new Publisher(storage),
                world.connector().withCatalog()
                    ? Optional.of(
                        new Registrar(
                            storage,
                            new GatedCatalog(world.catalog(), process),
                            table -> Map.of(),
                            world.simulation().monotonic()))
                    : Optional.empty(),
                world.reckoners().isPresent()
                    ? Optional.of(
                        new UnassignedLogs.Accounting(
                            new LedgerLog(
                                storage,
                                World.LEDGER,
                                World.LOG_ID,
                                "worker",
                                process.wall(),
                                Duration.ofDays(3)),
                            new Inbox(storage, World.LEDGER, 0, 0),
                            process.wall()))
                    : Optional.empty()),
            world.simulation().monotonic());
  }

  SimulatedProcess process() {
    return process;
  }

  /** Looks for the first time after a pause. */
  void start(long pauseMs) {
    process.runAfter(pauseMs, this::look);
  }

  private void look() {
    long pauseMs;
    try {
      pauseMs = logs.look().toMillis();
    } catch (IOException | CorruptLogException e) {
      pauseMs = AGAIN_MS;
    }
    process.runAfter(pauseMs, this::look);
  }
}
