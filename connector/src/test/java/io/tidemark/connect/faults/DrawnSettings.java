package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.connect.staging.FileLimits;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The settings of a connector, drawn for a schedule. Each group of settings has a random generator
 * of its own, so that older seeds keep most of their meaning when a setting is added.
 *
 * @param reckoned the settings of the ledger, if the connector has one
 * @param catalogLater true if the catalog is switched on later
 * @param latest true for {@code auto.offset.reset=latest}
 * @param byNames true if the configuration lists the topics; otherwise it has a pattern
 */
record DrawnSettings(
    long worldSeed,
    Landing landing,
    Optional<LedgerSettings> reckoned,
    boolean catalogLater,
    boolean latest,
    boolean byNames) {
  static final long HOUR_MS = 3_600_000;

  /**
   * One of this number of schedules has reckoners, which cost several times as much as all else.
   * Among the first seeds more schedules have them, so that a short run reaches all hazards.
   */
  private static final int RECKONED_SHARE = 12;

  private static final int RECKONED_SHARE_OF_FIRST = 4;
  private static final long FIRST_SEEDS = 1_000;

  private static final PartitionSpec HOURLY = byTime("'hour'=HH", Duration.ofHours(1));

  /** Its Hive partitions follow one after another, so that each can become complete. */
  private static final PartitionSpec BY_FIVE_SECONDS =
      byTime("'begins'=yyyy-MM-dd-HH-mm-ss", Duration.ofSeconds(5));

  /**
   * Partitions by the time at which a record is read. A record that is read again nearly always
   * goes to another Hive partition.
   */
  private static final PartitionSpec BY_THE_MILLISECOND =
      byTime("'read'=yyyy-MM-dd-HH-mm-ss-SSS", Duration.ofMillis(1));

  private static final List<Refusal> REFUSALS =
      Stream.of(Refusal.values()).filter(refusal -> refusal != Refusal.NONE).toList();
  private static final List<PartitionSpec> PARTITIONINGS =
      List.of(PartitionSpec.NONE, HOURLY, new FieldPartitioned(List.of("market")));

  static DrawnSettings of(long seed) {
    var choice = new Random(seed);
    // Neighbouring seeds have nearly the same first random number.
    boolean catalogLater = new Random(seed * 0x9E3779B97F4A7C15L).nextInt(4) == 0;
    var reckoning = new Random(seed * 0xA0761D6478BD642FL);
    boolean reckons =
        reckoning.nextInt(seed < FIRST_SEEDS ? RECKONED_SHARE_OF_FIRST : RECKONED_SHARE) == 0;
    Optional<LedgerSettings> reckoned = reckons ? Optional.of(ledger(reckoning)) : Optional.empty();
    boolean bySeconds = reckons && reckoning.nextBoolean();
    long worldSeed = choice.nextLong();
    PartitionSpec partitioning = PARTITIONINGS.get(choice.nextInt(PARTITIONINGS.size()));
    var limits = new Random(seed * 0x8EBC6AF09C88C6E3L);
    var further = new Random(seed * 0xBF58476D1CE4E5B9L);
    OnRefusal onRefusal = further.nextBoolean() ? OnRefusal.HOLD_TOPIC : OnRefusal.STOP_TASK;
    Refusal refusal =
        further.nextInt(4) == 0 ? REFUSALS.get(further.nextInt(REFUSALS.size())) : Refusal.NONE;
    boolean shared = further.nextInt(3) == 0;
    boolean bySecondsRead = reckons && further.nextInt(4) == 0;
    boolean byNames = further.nextBoolean();
    boolean wallclock = bySecondsRead || (!reckons && limits.nextInt(8) == 0);
    int hivePartitions = limits.nextInt(3) == 0 ? 1 + limits.nextInt(2) : 100;
    Routes routes = routes(new Random(seed * 0x9FB21C651E98DF25L));
    PartitionSpec byTime = wallclock && !bySecondsRead ? BY_THE_MILLISECOND : BY_FIVE_SECONDS;
    Landing landing =
        new Landing(
            bySeconds || wallclock ? byTime : partitioning,
            5 + choice.nextInt(40),
            3 + choice.nextInt(10),
            300 + choice.nextInt(1_500),
            1 + choice.nextInt(3),
            choice.nextBoolean() ? NullValues.IGNORE : NullValues.DEAD_LETTER,
            Math.max(choice.nextInt(4), refusal == Refusal.UNROUTED_DEAD_LETTERS ? 1 : 0),
            hivePartitions,
            fileLimits(new Random(seed * 0xC2B2AE3D27D4EB4FL)),
            refusal.byName() ? Routes.BY_RECORD : routes,
            wallclock,
            onRefusal,
            refusal,
            shared);
    boolean latest = new Random(seed * 0xD1B54A32D192ED03L).nextInt(4) == 0;
    return new DrawnSettings(worldSeed, landing, reckoned, catalogLater, latest, byNames);
  }

  private static PartitionSpec byTime(String path, Duration span) {
    return new TimePartitioned(
        PathFormat.parse(path, Locale.ROOT),
        ZoneOffset.UTC,
        span,
        Optional.empty(),
        TimestampField.Unit.MILLIS);
  }

  /** Half of the schedules lead the records of a topic to two tables. */
  private static Routes routes(Random choice) {
    return switch (choice.nextInt(4)) {
      case 0 -> Routes.BY_RECORD;
      case 1 -> Routes.BY_FIELD;
      default -> Routes.NONE;
    };
  }

  /** Every second schedule has files that end before their batch, by each of the limits. */
  private static FileLimits fileLimits(Random choice) {
    choice.nextInt();
    return choice.nextBoolean()
        ? FileLimits.NONE
        : new FileLimits(
            (long) choice.nextInt(3) * (1 + choice.nextInt(4)),
            choice.nextInt(3) == 0 ? 1 + choice.nextInt(500) : 0,
            choice.nextInt(3) == 0 ? HOUR_MS / (1 + choice.nextInt(4_000)) : 0);
  }

  /** All times are short, so that some ticks of the reckoner happen during the faults. */
  private static LedgerSettings ledger(Random choice) {
    Duration interval = Duration.ofMillis(1_000 + 1_000L * choice.nextInt(4));
    int halves = choice.nextInt(3);
    boolean idleHolds = choice.nextInt(4) == 0;
    Set<HoldKind> holdOn = EnumSet.of(HoldKind.LOST, HoldKind.DELETED, HoldKind.UNSEEN);
    TopicRules.Rule rule = new TopicRules.Rule(idleHolds, holdOn);
    TopicRules.Rule other = new TopicRules.Rule(!idleHolds, holdOn);
    return new LedgerSettings(
        interval,
        Duration.ofMillis(500L * halves),
        new TopicRules(rule, halves == 2 ? Map.of("topic1", other) : Map.of()),
        Duration.ofSeconds(2),
        choice.nextInt(3) == 0 ? Optional.of(Duration.ofDays(7)) : Optional.empty(),
        new TreeMap<>(),
        new TreeMap<>());
  }
}
