package io.tidemark.connect.faults;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** The producers of a schedule, which send records of all kinds. */
final class SimulatedProducers {
  private static final long STALE_MS = 1_000;

  /** The range of event times around the present, both sides together. */
  private static final int SPREAD_MS = 8_000;

  private static final List<RecordKind> ODD_KINDS =
      Stream.of(RecordKind.values()).filter(RecordKind::odd).toList();

  private final World world;
  private final boolean reckoned;
  private final Random random;
  private int firstHour;

  /** Producers whose records have the present time if a reckoner exists. */
  SimulatedProducers(World world, boolean reckoned) {
    this.world = world;
    this.reckoned = reckoned;
    this.random = world.simulation().random();
  }

  /** Later records belong to other hours. */
  void laterHours() {
    firstHour += 2;
  }

  void produce(TopicPartition topicPartition) {
    if (world.kafka().metadata().showsFormerLife(topicPartition.topic())) {
      // Records of the new life that land after an answer of the former life cannot be identified.
      world.simulation().after(STALE_MS, () -> produce(topicPartition));
      return;
    }
    int records = random.nextInt(25);
    int laterIn = random.nextInt(25);
    for (int i = 0; i < records; i++) {
      RecordKind kind =
          random.nextInt(10) == 0
              ? random.nextInt(3) == 0 ? RecordKind.DROPPED : oddKind()
              : i > laterIn && random.nextBoolean() ? RecordKind.LATER : RecordKind.EARLIER;
      world.kafka().produce(topicPartition, timestamp(), kind);
      if (random.nextInt(10) == 0) {
        world.kafka().gap(topicPartition, 1 + random.nextInt(4));
      }
    }
  }

  /** A time near the present if the time matters. */
  long timestamp() {
    return reckoned
        ? world.simulation().nowMs() + random.nextInt(SPREAD_MS) - SPREAD_MS / 2
        : (firstHour + random.nextInt(2)) * DrawnSettings.HOUR_MS;
  }

  /** A kind of record that does not land, and does not stop the task. */
  private RecordKind oddKind() {
    if (!world.landing().deadLetters()) {
      return world.landing().nullValues() == NullValues.IGNORE
          ? RecordKind.TOMBSTONE
          : RecordKind.EARLIER;
    }
    return ODD_KINDS.get(random.nextInt(ODD_KINDS.size()));
  }
}
