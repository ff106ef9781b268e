package io.tidemark.connect.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.staging.FileLimits;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Gives every possible fate to every call that a run makes to the store, the catalog, the registry,
 * Kafka and the dead letter topic. The run has two tables and four topic-partitions. Afterwards
 * each record must be in its table once or in the dead letter topic, and the log must account for
 * every offset.
 *
 * <p>The points are tried in a random order, which is drawn anew for each run, until the time of
 * {@link FaultSeconds} is over. A failure names the fate and the number of the call.
 */
@Tag("faults")
class CrashPointsTest {
  /** Seven runs have crash points; the first one has a third of the time. */
  private static final int PARTS = 9;

  private static final int RECORDS = 45;

  /** The next offset after another sink, in the first partition of a topic. */
  private static final long ADOPTED = 15;

  private static final long HOUR_MS = 3_600_000;
  private static final long NOTICED_AFTER_MS = 2_000;
  private static final Landing LANDING =
      new Landing(
          new TimePartitioned(
              PathFormat.parse("'hour'=HH", Locale.ROOT),
              ZoneOffset.UTC,
              Duration.ofHours(1),
              Optional.empty(),
              TimestampField.Unit.MILLIS),
          60,
          100,
          500,
          2,
          NullValues.IGNORE,
          2);

  /** Files have at most four records, so that some files of a batch end before the batch. */
  private static final Landing ROLLING = LANDING.files(new FileLimits(4, 0, 0));

  @Test
  void noFateOfAnyCallLosesOrDoublesARecord() {
    assertThat(tried("crash-points", PARTS / 3, fates -> landed(LANDING, fates)))
        .isGreaterThan(100);
  }

  @Test
  void noFateOfAnyCallLosesOrDoublesARecordOfRolledFiles() {
    assertThat(tried("crash-points-rolled", PARTS, fates -> landed(ROLLING, fates)))
        .isGreaterThan(100);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void noFateOfAnyCallLosesOrDoublesARecordThatIsRouted(Routes routes) {
    assertThat(
            tried("crash-points-" + routes, PARTS, fates -> landed(LANDING.routed(routes), fates)))
        .isGreaterThan(100);
  }

  @Test
  void noFateOfAnyCallHidesWhatLandedBeforeThereWasACatalog() {
    assertThat(tried("crash-points-opened", PARTS, CrashPointsTest::openedLater))
        .isGreaterThan(100);
  }

  @Test
  void noFateOfAnyCallLosesOrDoublesARecordAfterAnotherSink() {
    assertThat(tried("crash-points-adopted", PARTS, CrashPointsTest::adopted)).isGreaterThan(100);
  }

  /**
   * Tries each fate at the calls of a run, for one of {@code parts} of the time, and returns the
   * number of calls of a run.
   */
  private static long tried(String label, int parts, Function<Fates, World> run) {
    long calls = run.apply((call, name) -> Fate.SUCCEEDS).simulation().calls();
    List<Point> points = new ArrayList<>();
    for (Fate fate : EnumSet.complementOf(EnumSet.of(Fate.SUCCEEDS))) {
      for (long call = 0; call < calls; call++) {
        points.add(new Point(fate, call));
      }
    }
    Collections.shuffle(points, new Random());
    FaultSeconds time = FaultSeconds.begin(parts);
    List<String> failures = new ArrayList<>();
    long tried = 0;
    long lost = 0;
    long doubled = 0;
    for (Point point : points) {
      if (!time.remains()) {
        break;
      }
      String[] faultyCall = {""};
      tried++;
      try {
        World world =
            run.apply(
                (call, name) -> {
                  if (call == point.call()) {
                    faultyCall[0] = name;
                    return point.fate();
                  }
                  return Fate.SUCCEEDS;
                });
        Verdict verdict = Verdict.of(world);
        lost += verdict.lost().size();
        doubled += verdict.doubled().size();
        if (!verdict.good()) {
          failures.add("%s, %s: %s".formatted(point, faultyCall[0], verdict));
        }
      } catch (AssertionError | RuntimeException e) {
        failures.add(
            "%s, %s: %s %s".formatted(point, faultyCall[0], e, String.valueOf(e.getCause())));
      }
    }
    new FaultCount(label, tried, lost, doubled).report();
    assertThat(failures).isEmpty();
    return calls;
  }

  /** A crash point: the fate of one call. */
  private record Point(Fate fate, long call) {}

  /** Decides by the number and the name of a call. */
  private interface Fates {
    Fate of(long call, String name);
  }

  private static RecordKind kind(int number) {
    return switch (number % 23) {
      case 11 -> RecordKind.TRUNCATED;
      case 13 -> RecordKind.UNKNOWN_SCHEMA;
      case 17 -> RecordKind.TOMBSTONE;
      default -> number > 20 ? RecordKind.LATER : RecordKind.EARLIER;
    };
  }

  private static World landed(Landing landing, Fates fates) {
    var world = new World(1, landing);
    produce(world, 0);
    decide(world, fates);
    world.assign(world.kafka().topicPartitions(), world.startTask(), false);
    world.after().awaitLanded();
    return restarted(world);
  }

  /** Another sink has committed the first records of each topic-partition. */
  private static World adopted(Fates fates) {
    var world = new World(1, LANDING);
    produce(world, 0);
    Map<TopicPartition, Long> next = new HashMap<>();
    for (TopicPartition each : world.kafka().topicPartitions()) {
      next.put(each, ADOPTED + each.partition());
      adopt(world, each, ADOPTED + each.partition());
    }
    decide(world, fates);
    world.assign(world.kafka().topicPartitions(), world.startTask(), false);
    world.after().awaitLanded();
    restarted(world);
    next.forEach(
        (topicPartition, offset) ->
            assertThat(world.lastState(topicPartition).orElseThrow())
                .satisfies(state -> assertThat(state.adopted()).isTrue())
                .satisfies(state -> assertThat(state.first()).isEqualTo(offset))
                .satisfies(
                    state -> assertThat(state.counts().total()).isEqualTo(state.next() - offset)));
    return world;
  }

  private static void adopt(World world, TopicPartition topicPartition, long next) {
    try {
      new LogOwner(World.LOG_ID, World.LOG_ID)
          .establish(world.storage(), World.LOGS.child(World.LOG_ID));
      CommitLog log = world.log(topicPartition);
      log.create();
      var topic =
          new TopicIdentity(world.kafka().cluster(), world.kafka().topicId(topicPartition.topic()));
      Instant now = Instant.ofEpochMilli(Simulation.BEGIN_MS);
      log.append(
          1,
          new CommitEntry.Adopted(
              new UUID(0, 1), Optional.empty(), LogState.adopted(topic, next), now, "old", now));
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Many batches have landed and were folded before the catalog is switched on. From then on all
   * calls have fates.
   */
  private static World openedLater(Fates fates) {
    var world = new World(1, LANDING);
    world.connector().withCatalog(false);
    produce(world, 0);
    world.assign(world.kafka().topicPartitions(), world.startTask(), false);
    world.after().awaitLanded();
    decide(world, fates);
    world.connector().withCatalog(true);
    produce(world, 2);
    world.after().awaitLanded();
    return restarted(world);
  }

  /**
   * A call of the owner that deletes leftovers may take effect after this owner has ended. All
   * calls of the next owner succeed, and it deletes what is left.
   */
  private static World restarted(World world) {
    world.after().restart();
    world.heal();
    world.after().restart();
    return world;
  }

  private static void produce(World world, int firstHour) {
    for (String topic : List.of("quotes", "trades")) {
      for (int partition = 0; partition < 2; partition++) {
        var topicPartition = new TopicPartition(topic, partition);
        if (!world.kafka().exists(topicPartition)) {
          world.kafka().create(topicPartition);
        }
        for (int i = 0; i < RECORDS; i++) {
          world.kafka().produce(topicPartition, (firstHour + i / 10 % 2) * HOUR_MS, kind(i));
        }
      }
    }
  }

  private static void decide(World world, Fates fates) {
    world.fates(
        (process, name) -> {
          Fate fate = fates.of(world.simulation().nextCall(), name);
          if (fate != Fate.SUCCEEDS) {
            world.simulation().after(NOTICED_AFTER_MS, world::replaceAbsent);
          }
          return fate;
        });
  }
}
