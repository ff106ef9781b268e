package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.OffsetRange;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether a topic covers a snapshot: every topic-partition of the topic is settled past its
 * end offset in the snapshot. An unknown position is never past an end offset, and neither is a
 * position in another topic or in another cluster. So a topic-partition without records needs a
 * position, too: it proves that the tasks land the topic of which Kafka was asked.
 */
record Coverage(Draft draft) {
  private static final String UNREADABLE =
      ", and the user of the connector's own Kafka client (settings kafka.*) has no permission to READ the topic. If only transaction markers or compacted records are left, no task can detect it. Allow that user to READ the topic. If records are left, they land without that right";

  /**
   * Returns the hold by which a topic does not cover a snapshot. It ends only if an operator acts,
   * so it must not be hidden behind what ends by itself.
   */
  Optional<HeldBecause> hold(String topic, Map<Integer, Position> at, Snapshot snapshot) {
    Optional<TopicEnds> found = Optional.ofNullable(snapshot.topics().get(topic));
    return draft.holds.all().stream()
        .filter(hold -> hold.topic().equals(topic) && prevents(hold, found))
        .filter(hold -> !Snapshots.isOfOtherCluster(at, snapshot.clusterId()))
        .findFirst()
        .map(Coverage::because);
  }

  /** Returns why a topic with these positions does not cover a snapshot, apart from holds. */
  Optional<HeldBecause> because(String topic, Map<Integer, Position> at, Snapshot snapshot) {
    if (Snapshots.isOfOtherCluster(at, snapshot.clusterId())) {
      return otherCluster(topic, at.values().iterator().next(), snapshot);
    }
    Optional<TopicEnds> found = Optional.ofNullable(snapshot.topics().get(topic));
    if (found.isEmpty()) {
      return held(
          "TRUNCATED",
          topic
              + ": Kafka's answers did not agree, or were missing, when the snapshot was taken. The next snapshot requests them again");
    }
    TopicEnds ends = found.get();
    TopicState known = draft.before.topic(topic);
    if (ends.topicId().equals(known.topicId()) && ends.ends().size() < known.topicPartitions()) {
      // The topic-partition may have had records at the snapshot's time, if metadata was outdated.
      return held("BEHIND", topic + ": a later snapshot has more topic-partitions");
    }
    for (int each = 0; each < ends.ends().size(); each++) {
      Optional<HeldBecause> because =
          because(topic, each, Optional.ofNullable(at.get(each)), ends, snapshot);
      if (because.isPresent()) {
        return because;
      }
    }
    return Optional.empty();
  }

  private static Optional<HeldBecause> otherCluster(String place, Position at, Snapshot snapshot) {
    return held(
        "OTHER_CLUSTER",
        "%s: its log is of the Kafka cluster %s, and the cluster %s returned the end offsets. After a move to that cluster, see what the tasks wait for. Otherwise correct kafka.bootstrap.servers"
            .formatted(place, at.clusterId(), snapshot.clusterId()));
  }

  /** Returns whether the hold prevents the topic from covering a snapshot with these ends. */
  private boolean prevents(Hold hold, Optional<TopicEnds> found) {
    return draft.settings.rules().prevents(hold)
        && found.filter(ends -> isAfter(hold, ends)).isEmpty();
  }

  /** Returns whether the hold concerns only offsets from these ends on. */
  private static boolean isAfter(Hold hold, TopicEnds ends) {
    return hold.kind() != HoldKind.GAP
        && hold.kind() != HoldKind.UNSEEN
        && hold.topicId().equals(ends.topicId())
        && hold.from() >= ends.end(hold.topicPartition());
  }

  private Optional<HeldBecause> because(
      String topic, int partition, Optional<Position> position, TopicEnds ends, Snapshot snapshot) {
    long end = ends.end(partition);
    String place = topic + "-" + partition;
    if (position.isEmpty()) {
      return held("NOT_OPENED", place + ": no task has reported it, and Kafka's end is " + end);
    }
    Position at = position.get();
    if (!at.clusterId().equals(snapshot.clusterId())) {
      return otherCluster(place, at, snapshot);
    }
    if (!at.topicId().equals(ends.topicId())) {
      return held(
          "BEHIND",
          "%s: the topic was recreated, and its log is still that of the former topic (%s)"
              .formatted(place, at.topicId()));
    }
    if (end == 0 && at.next() < 0) {
      return held("NOT_OPENED", place + ": no task has recorded yet where its log begins");
    }
    long open = ends.open().getOrDefault(partition, end);
    if (at.next() < end && at.next() >= open) {
      return held(
          "OPEN_TRANSACTION",
          "%s: a transaction was open at offset %d at %s, with %d offsets after it. Wait until it ends, or find its producer"
              .formatted(place, open, snapshot.askedAt(), end - at.next()));
    }
    if (at.next() < end) {
      String behind = place + ": " + (end - Math.max(0, at.next())) + " offsets behind";
      return draft.findings.topics().unreadable().contains(topic)
          ? held("UNREADABLE", behind + UNREADABLE)
          : held("BEHIND", behind);
    }
    if (draft.settings.rules().of(topic).idleHolds()
        && at.newest().filter(newest -> !newest.isBefore(snapshot.through())).isEmpty()) {
      return held(
          "IDLE",
          "%s: no record with time %s or later has landed; the time of the newest is %s"
              .formatted(
                  place, snapshot.through(), at.newest().map(Object::toString).orElse("unknown")));
    }
    return Optional.empty();
  }

  private static Optional<HeldBecause> held(String reason, String detail) {
    return Optional.of(new HeldBecause(reason, detail));
  }

  private static HeldBecause because(Hold hold) {
    String place =
        hold.topicPartition() == Hold.ALL
            ? hold.topic()
            : hold.topic() + "-" + hold.topicPartition();
    String what =
        switch (hold.kind()) {
          case LOST ->
              "Kafka no longer retained the offsets %s, or the log begins after them"
                  .formatted(range(hold));
          case DELETED ->
              hold.to() == Long.MAX_VALUE
                  ? "the topic was deleted or replaced, and records from offset %d on may be missing"
                      .formatted(hold.from())
                  : "the topic was deleted with the offsets " + range(hold);
          case UNSEEN -> "readers do not see " + hold.hivePartition().orElseThrow();
          case GAP ->
              "the log does not continue at offset " + hold.from() + ", the ledger's position";
          case DEAD_LETTERED -> "dead letters are among the offsets " + range(hold);
        };
    return new HeldBecause(
        hold.kind().name(),
        place + ": " + what + ". Acknowledge it once you know what it means for the table");
  }

  private static OffsetRange range(Hold hold) {
    return new OffsetRange(hold.from(), hold.to());
  }
}
