package io.tidemark.connect.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.completeness.reckon.AnnouncementsTopic;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchId;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Batches that producers announce. A batch consists of the records of certain offsets in all
 * topic-partitions. An announcement has the number of records that were sent by then, or a wrong
 * number.
 */
final class SimulatedAnnouncements {
  private static final String TOPIC_ID = "batches-1";
  private static final int OFFSETS_A_BATCH = 12;

  private final World world;
  private final List<AnnouncementsTopic.Sent> sent = new ArrayList<>();
  private final Map<String, SortedMap<String, Long>> announced = new HashMap<>();

  SimulatedAnnouncements(World world) {
    this.world = world;
  }

  /** The batch of the record at an offset. */
  static BatchId batchOf(long offset) {
    return BatchId.of("batch-" + offset / OFFSETS_A_BATCH);
  }

  static boolean isOf(String batch, SourceRecord record) {
    return batchOf(record.offset()).text().equals(batch);
  }

  /** The first announcement of each batch id: the number of records by topic. */
  SortedMap<String, Long> announced(String batch) {
    return announced.getOrDefault(batch, new TreeMap<>());
  }

  /** Announces a batch that was not announced before. */
  void announce(Random choice) {
    String id = batchOf((long) OFFSETS_A_BATCH * choice.nextInt(4)).text();
    SortedMap<String, Long> records = new TreeMap<>();
    world.kafka().topicPartitions().stream()
        .map(TopicPartition::topic)
        .distinct()
        .forEach(
            topic ->
                records.put(
                    topic,
                    world.kafka().history().of(topic).stream()
                        .filter(held -> isOf(id, held.record()))
                        .count()));
    if (choice.nextInt(4) == 0) {
      records.replaceAll((topic, count) -> Math.max(0, count + choice.nextInt(5) - 2));
    }
    if (announced.putIfAbsent(id, records) == null) {
      List<String> counts = new ArrayList<>();
      records.forEach((topic, count) -> counts.add("\"%s\":%d".formatted(topic, count)));
      sent.add(
          new AnnouncementsTopic.Sent(
              "batches-0@" + sent.size(),
              Instant.ofEpochMilli(world.simulation().nowMs()),
              Optional.of(id.getBytes(UTF_8)),
              Optional.of(
                  "{\"version\":1,\"batch\":\"%s\",\"records\":{%s}}"
                      .formatted(id, String.join(",", counts))
                      .getBytes(UTF_8))));
    }
  }

  /** The topic of announcements as a process sees it. */
  AnnouncementsTopic topic(CallGate gate) {
    return new Topic(gate);
  }

  private final class Topic implements AnnouncementsTopic {
    private final CallGate gate;

    Topic(CallGate gate) {
      this.gate = gate;
    }

    @Override
    public Optional<Read> read(String topicId, List<Long> position) throws IOException {
      return gate.ask(
          "kafka announcements",
          () -> {
            boolean known = topicId.equals(TOPIC_ID) && !position.isEmpty();
            int next = known ? position.get(0).intValue() : 0;
            return known && next == sent.size()
                ? Optional.empty()
                : Optional.of(
                    new Read(
                        TOPIC_ID,
                        List.of((long) sent.size()),
                        sent.subList(next, sent.size()),
                        List.of()));
          });
    }

    @Override
    public void close() {}
  }
}
