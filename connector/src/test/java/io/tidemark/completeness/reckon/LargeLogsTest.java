package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.StoragePath;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Logs of which one pass reads a part. */
final class LargeLogsTest {
  private static final Instant TIME = SEVEN.plusSeconds(600);

  private final ReckonedWorld world = new ReckonedWorld();
  private final Reckoner reckoner = world.reckoner("w1");

  /** Runs cycles, and returns the number of those after which the reckoner did not pause. */
  private int runCycles(int cycles) throws Exception {
    int without = 0;
    for (int cycle = 0; cycle < cycles; cycle++) {
      Duration pause = reckoner.cycle();
      without += pause.isZero() ? 1 : 0;
      world.at(world.now().plus(pause));
    }
    return without;
  }

  @Test
  void entriesWithMoreFilesThanAPassReadsAreRead() throws Exception {
    ReckonedTask task = world.task(0, "id");
    int files = CommitLogs.FILES_MOST * 6 / 10;
    task.withFiles(files);
    for (int each = 0; each < 2; each++) {
      task.lands(TIME, files);
    }
    world.kafka().set("orders", "id", task.next());

    assertThat(runCycles(12)).isLessThan(6);
    assertThat(world.ledger().state().topic("orders").at())
        .hasEntrySatisfying(0, at -> assertThat(at.number()).isEqualTo(2));
  }

  /** What cannot be taken without the catalog fills the passes. */
  @Test
  void reckonerPausesWhileTheCatalogIsAway() throws Exception {
    long[] ends = new long[CommitLogs.ENTRIES_MOST / 100];
    for (int each = 0; each < ends.length; each++) {
      ends[each] = landMany(each);
    }
    world.kafka().set("orders", "id", ends);
    world.catalogIsAway(true);

    assertThat(runCycles(200)).isLessThan(20);
  }

  /** Lands entries after a checkpoint, which no account describes. */
  private long landMany(int topicPartition) throws Exception {
    ReckonedTask task = world.task(topicPartition, "id");
    SettledEntry last = task.land(TIME, 1);
    task.fold();
    for (int each = 0; each < 100; each++) {
      last = task.land(TIME, 1);
    }
    LogPointer pointer =
        new LogPointer(
            "orders", topicPartition, last.number(), last.attempt(), last.number() + 1, List.of());
    StoragePath unused =
        world
            .inbox()
            .put(
                new Account("sales", 0, "w2", new TreeMap<>(), List.of(pointer), List.of()),
                world.now());
    return task.next();
  }
}
