package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Renames that take effect late: a fenced task's file appears at a number that is folded, at each
 * step of reading the log. It names the attempt before it, as the fenced task knew it.
 */
final class GhostEntryTest {
  private static final int ENTRIES = 5;

  /** A log of 5 entries with 10 records each. */
  private static ListedLog log() {
    ListedLog log = new ListedLog();
    for (int number = 1; number <= ENTRIES; number++) {
      log.put(entry(number), ModelTopic.START);
    }
    return log;
  }

  private static SettledEntry.Batch entry(int number) {
    return Scene.batch(0, number, "t", 10L * (number - 1), 10L * number, 0);
  }

  /** The entry that a fenced task had prepared for a number, with as many records. */
  private static SettledLog.Linked ghost(int number) {
    SettledEntry.Batch entry = entry(number);
    return new SettledLog.Linked(
        new SettledEntry.Batch(
            entry.topic(),
            entry.topicPartition(),
            number,
            new UUID(666, number),
            entry.state(),
            entry.range(),
            entry.counts(),
            entry.notLanded(),
            entry.sums(),
            entry.batchIds()),
        number == 1 ? Optional.empty() : Optional.of(entry(number - 1).attempt()));
  }

  /** A ledger that has read the entries up to a number. */
  private static Scene scene(int position) {
    Scene scene = new Scene();
    List<SettledEntry> read = new ArrayList<>();
    for (int number = 1; number <= position; number++) {
      read.add(entry(number));
    }
    scene.reckon(read, List.of());
    return scene;
  }

  @Test
  void lateFileOfAFoldedNumberIsNeverCounted() throws Exception {
    int tried = 0;
    int jumped = 0;
    for (int position = 0; position <= ENTRIES; position++) {
      for (int folded = 1; folded < ENTRIES; folded++) {
        for (int pointed = 1; pointed <= ENTRIES; pointed++) {
          for (int most : List.of(1, 2, 3, ENTRIES)) {
            for (boolean dated : List.of(true, false)) {
              for (int step = 0; step <= 14; step++) {
                jumped += read(position, folded, pointed, step, new ListedLog.Most(most, dated));
                tried++;
              }
            }
          }
        }
      }
    }
    assertThat(tried).isGreaterThan(14_000);
    assertThat(jumped).as("readings that found a checkpoint").isGreaterThan(200);
  }

  /** Reads a log that is folded, and gets late files, before a step. Returns 1 for a jump. */
  private static int read(int position, int folded, int pointed, int step, ListedLog.Most limits)
      throws Exception {
    Scene scene = SCENES.get(position);
    ListedLog log = log();
    int[] steps = {0};
    log.disturb =
        () -> {
          if (steps[0]++ == step) {
            log.fold(folded);
            for (int number = 1; number <= folded; number++) {
              log.ghosts.put((long) number, ghost(number));
            }
          }
        };
    LogPointer pointer =
        new LogPointer("orders", 0, pointed, entry(pointed).attempt(), 1, List.of());
    LogRead read =
        new LogReader(
                scene.ledger, "orders", 0, log, List.of(new LogReader.Pointed(scene.now, pointer)))
            .read(Optional.empty(), limits, true);
    Draft taken =
        new Draft(
            scene.ledger,
            scene.settings,
            scene.findings(List.of(read), new Look()),
            ModelWorld.SPANS,
            scene.now);
    new Taking(taken, read).take();

    String where =
        "position %d, folded %d before step %d, pointer to %d: %s"
            .formatted(position, folded, step, pointed, read);
    Set<UUID> real = new HashSet<>();
    for (int number = 1; number <= ENTRIES; number++) {
      real.add(entry(number).attempt());
    }
    assertThat(read.kind()).as(where).isIn(LogRead.Kind.FOLLOWS, LogRead.Kind.REPLACES);
    assertThat(taken.holds.all()).as(where).isEmpty();
    assertThat(taken.batches).as(where).allMatch(batch -> real.contains(batch.attempt()));
    Position after = taken.moved("orders").get(0);
    long records = taken.batches.stream().mapToLong(batch -> batch.counts().landed()).sum();
    if (after == null) {
      assertThat(taken.batches).as(where).isEmpty();
      return 0;
    }
    assertThat(real).as(where).contains(after.attempt());
    assertThat(after.number()).as(where).isGreaterThan(position);
    if (taken.partial.isEmpty()) {
      assertThat(records).as(where).isEqualTo(10 * (after.number() - position));
      return 0;
    }
    assertThat(records).as(where).isLessThan(10 * (after.number() - position));
    return 1;
  }

  private static final List<Scene> SCENES = scenes();

  private static List<Scene> scenes() {
    List<Scene> scenes = new ArrayList<>();
    for (int position = 0; position <= ENTRIES; position++) {
      scenes.add(scene(position));
    }
    return scenes;
  }
}
