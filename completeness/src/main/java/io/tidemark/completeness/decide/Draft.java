package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A decision while {@link Reckoning} makes it: what it is made from, and the results so far. Each
 * pass adds its results for the passes after it. Not thread-safe.
 */
final class Draft {
  final Ledger ledger;
  final LedgerState before;
  final LedgerSettings settings;
  final Findings findings;
  final TimeSpans spans;
  final Instant now;

  /** The earlier of the reckoner's time and the store's; empty if the latter is unknown. */
  final Optional<Instant> passed;

  final Holds holds;

  /** Changed positions, by topic and topic-partition. */
  final SortedMap<String, SortedMap<Integer, Position>> moved = new TreeMap<>();

  /** By topic, the offsets of the entries that are read now, by class. */
  final Map<String, RecordCounts> counts = new HashMap<>();

  final List<SettledEntry.Batch> batches = new ArrayList<>();

  /** The Hive partitions of which no account shows whether readers see them. */
  final Set<HivePartitionId> toLook = new TreeSet<>();

  /**
   * The topics with entries whose files are unknown. By topic, the time before which these files
   * landed: when the topic's newest account was put, by the store's clock.
   */
  final Map<String, Instant> partial = new TreeMap<>();

  /** Of these topics, those of which no account shows whether readers see the files. */
  final Set<String> unlooked = new TreeSet<>();

  /** The topics with records whose batches are unknown, and the reason. */
  final SortedMap<String, String> uncounted = new TreeMap<>();

  /** The topics that are counted anew after an acknowledged gap. */
  final Set<String> restarted = new TreeSet<>();

  /** The topics with an entry that cannot be read, and why they wait. */
  final Map<String, HeldBecause> damaged = new TreeMap<>();

  final SortedMap<String, TopicState> topics = new TreeMap<>();
  final SortedMap<String, TableState> tables;
  final SortedMap<String, GroupState> groups = new TreeMap<>();

  /** By topic, the newest snapshot that is covered now. */
  final SortedMap<String, Covering> covered = new TreeMap<>();

  /** By table, through when its topics are complete now, even if it is before the recorded time. */
  final SortedMap<String, Instant> through = new TreeMap<>();

  List<HivePartitionTotal> sums = List.of();

  SortedMap<HivePartitionId, OpenTotal> totals = new TreeMap<>();

  /** The completions; until the catalog was asked, also those that readers may not see. */
  final List<Completion> completions = new ArrayList<>();

  /** The snapshots that some topic of a table has not covered. */
  List<Long> pending = List.of();

  Optional<AnnouncementsState> announcements = Optional.empty();

  Draft(Ledger ledger, LedgerSettings settings, Findings findings, TimeSpans spans, Instant now) {
    this.ledger = ledger;
    this.before = ledger.state();
    this.settings = settings;
    this.findings = findings;
    this.spans = spans;
    this.now = now;
    this.passed = Findings.passed(findings.storeTime(), now);
    this.holds = new Holds(before.holds());
    this.tables = new TreeMap<>(before.tables());
  }

  /** The topic's totals of Hive partitions that begin before a time are partial. */
  void addPartial(String topic, Instant before) {
    partial.merge(topic, before, (one, other) -> one.isAfter(other) ? one : other);
  }

  /** Returns a topic's state as it is decided now, also of an unknown topic. */
  TopicState topic(String name) {
    return topics.getOrDefault(name, TopicState.unknown());
  }

  boolean isTopicOf(String topic, TableName name) {
    TableState table = tables.get(name.toString());
    return table != null && table.topics().contains(topic);
  }

  SortedMap<Integer, Position> moved(String topic) {
    return moved.getOrDefault(topic, new TreeMap<>());
  }

  SortedMap<Integer, Position> positions(String topic) {
    SortedMap<Integer, Position> all = new TreeMap<>(before.topic(topic).at());
    all.putAll(moved(topic));
    return all;
  }
}
