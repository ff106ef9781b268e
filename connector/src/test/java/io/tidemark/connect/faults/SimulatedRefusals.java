package io.tidemark.connect.faults;

import io.tidemark.registry.SchemaId;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.OperatorSkip;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OperatorConsent;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * The records that tables refuse, and an operator who does what the task says about them: corrects
 * the registry, adds a rule, or skips the record. With {@code on.refusal=hold-topic} the operator
 * may come late. Until then all other topics must land.
 */
final class SimulatedRefusals {
  /** Example: {@code alter its offset of topic0-1 to 21 (PATCH /connectors/quotes/offsets)}. */
  private static final Pattern TOLD =
      Pattern.compile(
          "alter its offset of (\\S+)-(\\d+) to (\\d+) \\(PATCH /connectors/"
              + World.LOG_ID
              + "/offsets\\)");

  private static final int MOST_CURES = 100;

  private final World world;
  private final Refusal refusal;
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);
  private final Set<String> skipped = new HashSet<>();

  /** The offsets without a record of a task that were skipped together with a record. */
  private final Map<TopicPartition, Long> skippedGaps = new HashMap<>();

  /** The first offset of logs that were empty when an operator skipped their first record. */
  private final Map<TopicPartition, Long> begun = new HashMap<>();

  private boolean acting;
  private boolean remedied;
  private int cures;

  /** The last message about a refused record. */
  private String lastMessage = "none";

  /** What the operator did at last. */
  private String lastAct = "none";

  SimulatedRefusals(World world) {
    this.world = world;
    this.refusal = world.landing().refusal();
    this.acting = world.landing().onRefusal() == OnRefusal.STOP_TASK;
  }

  Set<Hazard> reached() {
    return reached;
  }

  /** The operator reads from now on why topics are refused, and acts at once. */
  void act() {
    acting = true;
  }

  /** True if the registry was corrected, or the rule added. */
  boolean remedied() {
    return remedied;
  }

  /** The schemas in the registry. */
  Map<SchemaId, Schema> schemas() {
    return Map.of(
        SchemaId.of(SourceRecord.EARLIER_ID),
        SourceRecord.EARLIER,
        SchemaId.of(SourceRecord.LATER_ID),
        world.landing().routes().later(),
        SchemaId.of(SourceRecord.UNROUTED_ID),
        SourceRecord.UNROUTED,
        SchemaId.of(SourceRecord.REFUSED_ID),
        refusal == Refusal.POISON_SKIPPED
            ? SourceRecord.POISON
            : remedied ? SourceRecord.EARLIER : SourceRecord.REFUSED);
  }

  /** True if the operator has skipped the record. */
  boolean skipped(SourceRecord record) {
    return skipped.contains(record.key());
  }

  /** The number of offsets without a record that were skipped together with a record, at most. */
  long skippedGaps(TopicPartition topicPartition) {
    return skippedGaps.getOrDefault(topicPartition, 0L);
  }

  /** What the operator has done and waits for, for the failure of a schedule. */
  @Override
  public String toString() {
    return "%s, %s: the operator %s, was told %d times, skipped %s; last message: %s; last act: %s"
        .formatted(
            refusal,
            world.landing().onRefusal(),
            acting ? "acts" : "waits until all topics without a refused record have landed",
            cures,
            skipped,
            lastMessage,
            lastAct);
  }

  /** True if the log begins at this offset because an operator skipped the record before it. */
  boolean beginsAt(TopicPartition topicPartition, long offset) {
    return begun.getOrDefault(topicPartition, -1L) == offset;
  }

  /**
   * Reads why a task has stopped or has refused a topic, and acts.
   *
   * @param reaction what the task did
   * @return true if a refused record was the reason, and the operator has acted
   */
  boolean cured(OnRefusal reaction, String message) {
    Matcher record = TOLD.matcher(message);
    if (!record.find()) {
      return false;
    }
    lastMessage = message;
    if (!acting
        || !refusal.waits()
        || reaction != world.landing().onRefusal()
        || ++cures > MOST_CURES) {
      return false;
    }
    if (remedied) {
      return reaction == OnRefusal.STOP_TASK; // It stopped before the cure.
    }
    TopicPartition topicPartition = place(record);
    long offset = offset(record);
    if (!wasRefused(topicPartition, offset)) {
      return false; // The task refuses a good record.
    }
    switch (refusal) {
      case SCHEMA_CORRECTED -> {
        remedied = true;
        lastAct = "corrected the schema";
        if (world.simulation().random().nextBoolean()) {
          world.operator().stopTasks();
        }
      }
      case RULE_ADDED -> {
        remedied = true;
        lastAct = "added a rule";
        world.operator().stopTasks();
        world.connector().reconfigure();
      }
      default -> {
        world.operator().stopTasks();
        lastAct = skip(topicPartition, offset);
      }
    }
    reached.add(reaction == OnRefusal.STOP_TASK ? Hazard.REFUSED_TASK : Hazard.REFUSED_TOPIC);
    return true;
  }

  private boolean isRefused(SourceRecord record) {
    return mayBeRefused(record) && !skipped(record);
  }

  /**
   * True if the record is refused, also if it was skipped: the task reads it again if the log was
   * replaced by a copy from before the skip.
   */
  private boolean mayBeRefused(SourceRecord record) {
    return refusal.waits() && refusal.kind().equals(Optional.of(record.kind())) && !remedied;
  }

  private boolean wasRefused(TopicPartition topicPartition, long offset) {
    return world.kafka().history().of(topicPartition.topic()).stream()
        .filter(held -> held.topicPartition().equals(topicPartition))
        .map(RecordHistory.Held::record)
        .anyMatch(
            record ->
                record.offset() == offset && refusal.kind().equals(Optional.of(record.kind())));
  }

  /**
   * Skips a record by Connect's REST API, if the record is still there and all records before it
   * have landed. Otherwise the restart of the tasks is enough.
   *
   * @return what the operator did, for messages
   */
  private String skip(TopicPartition topicPartition, long offset) {
    try {
      Optional<LogState> state =
          world.log(topicPartition).last().map(NumberedEntry::entry).map(CommitEntry::state);
      List<SourceRecord> records = world.kafka().records(topicPartition);
      Optional<SourceRecord> bad =
          records.stream()
              .filter(each -> each.offset() == offset && mayBeRefused(each))
              .findFirst();
      if (bad.isEmpty()) {
        return "restarted, because Kafka has no refused record at " + offset;
      }
      if (state.isEmpty()
          || !world.kafka().isLife(topicPartition, state.get().generation().topicId())) {
        return "restarted, because the log does not know the topic's present life: " + state;
      }
      boolean empty = state.get().next() == LogState.UNKNOWN;
      boolean byGroup = empty && state.get().generation().number() == 1;
      long next =
          byGroup
              ? world.kafka().groupOffset(topicPartition)
              : empty ? world.kafka().earliest(topicPartition) : state.get().next();
      if (next > offset || !onlyDropped(records, next, offset)) {
        return "restarted, because the log continues at %d, and not at %d".formatted(next, offset);
      }
      var healthy = new SimulatedProcess(world.simulation(), (process, call) -> Fate.SUCCEEDS);
      new OperatorSkip(
              new SimulatedDirectory(world.kafka(), healthy), OperatorConsent.NONE, healthy.wall())
          .apply(
              List.of(
                  new OperatorSkip.OffsetRequest(
                      topicPartition, Optional.of(offset + 1), world.log(topicPartition))));
      world.kafka().commit(topicPartition, new GroupOffset(offset + 1, ""));
      skipped.add(bad.get().key());
      skippedGaps.merge(topicPartition, offset - next, Long::sum);
      if (byGroup) {
        begun.put(topicPartition, offset + 1);
      }
      reached.add(Hazard.SKIPPED);
      return "skipped " + offset;
    } catch (IOException | IllegalArgumentException e) {
      // Kafka is unavailable, or the topic-partition was truncated: the restarted task says so.
      return "restarted, because the skip was rejected: " + e.getMessage();
    } catch (CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean onlyDropped(List<SourceRecord> records, long from, long to) {
    return records.stream()
        .filter(each -> from <= each.offset() && each.offset() < to)
        .allMatch(each -> each.kind() == RecordKind.DROPPED);
  }

  /**
   * Lets time pass until only topics with a refused record are not landed. Each of them must have
   * landed exactly the records before it. Does nothing if the operator acts already.
   */
  void awaitHeld() {
    if (acting || !refusal.waits()) {
      return;
    }
    world.heal();
    world.kafka().settle();
    world
        .after()
        .await(
            () ->
                world.topics().stream()
                    .filter(world.connector()::consumes)
                    .allMatch(
                        topic ->
                            landed(topic)
                                || world.topicPartitions(topic).stream().anyMatch(this::held)));
    world.simulation().run(SimulatedProcess.LATE_MS);
    var rows = new VisibleRows(world);
    world.tables().all().forEach(rows::look);
    List<TopicPartition> unassigned = world.connector().unassigned(); // They settle minutes later.
    world.kafka().topicPartitions().stream()
        .filter(each -> !unassigned.contains(each))
        .forEach(each -> requireLanded(each, rows));
    boolean held = world.kafka().topicPartitions().stream().anyMatch(this::held);
    if (held && world.topics().stream().anyMatch(this::landed)) {
      reached.add(Hazard.HELD_ALONE);
    }
  }

  private boolean landed(String topic) {
    return world.topicPartitions(topic).stream().allMatch(world.after()::landed);
  }

  /** The topic-partition waits for an operator, and all records before the refused one landed. */
  private boolean held(TopicPartition topicPartition) {
    Optional<SimulatedTask> owner = world.owner(topicPartition);
    if (owner.isEmpty() || !owner.get().process().awake() || !owner.get().refused()) {
      return false;
    }
    long committed = owner.get().committed(topicPartition);
    List<SourceRecord> records = world.kafka().records(topicPartition);
    Stream<Long> refusedNext =
        records.stream()
            .filter(each -> each.offset() >= committed && isRefused(each))
            .map(SourceRecord::offset)
            .limit(1);
    Optional<Long> told = toldOf(topicPartition, owner.get().waitsFor(topicPartition));
    return committed >= 0
        && Stream.concat(refusedNext, told.stream())
            .anyMatch(offset -> offset >= committed && onlyDropped(records, committed, offset));
  }

  /**
   * The offset of the refused record for which a task waits, as it says. Kafka may no longer have
   * the record: the task does not read it again before an operator has acted.
   */
  private Optional<Long> toldOf(TopicPartition topicPartition, String because) {
    return TOLD.matcher(because)
        .results()
        .filter(told -> topicPartition.equals(place(told)))
        .map(SimulatedRefusals::offset)
        .filter(offset -> wasRefused(topicPartition, offset))
        .findFirst();
  }

  private static TopicPartition place(MatchResult told) {
    return new TopicPartition(told.group(1), Integer.parseInt(told.group(2)));
  }

  private static long offset(MatchResult told) {
    return Long.parseLong(told.group(3)) - 1;
  }

  /** Landed records were truncated, which a task does not notice while its topic is refused. */
  private boolean tookOffsetAgain(SourceRecord record) {
    RecordHistory history = world.kafka().history();
    return history.tookOffsetAgain(history.find(record.key()).orElseThrow());
  }

  /** Checks that the records which the log covers are in the tables, and no refused one is. */
  private void requireLanded(TopicPartition topicPartition, VisibleRows rows) {
    Optional<LogState> found;
    try {
      found = world.log(topicPartition).last().map(last -> last.entry().state());
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
    if (found.isEmpty()
        || !world.kafka().isLife(topicPartition, found.get().generation().topicId())) {
      return; // The topic was recreated while its records were refused.
    }
    LogState state = found.get();
    for (SourceRecord record : world.kafka().records(topicPartition)) {
      boolean covered =
          state.first() != LogState.UNKNOWN
              && state.first() <= record.offset()
              && record.offset() < state.next()
              && !tookOffsetAgain(record);
      boolean arrived =
          !isRefused(record) && (rows.has(record) || world.tables().arrivesElsewhere(record));
      if (covered && !arrived) {
        throw new AssertionError(
            "while a topic is held, %s (%s) has not landed, but %s is %s"
                .formatted(record.key(), record.kind(), topicPartition, state));
      }
    }
  }
}
