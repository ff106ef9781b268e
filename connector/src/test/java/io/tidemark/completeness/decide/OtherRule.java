package io.tidemark.completeness.decide;

import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A rule by which another system regards an hour of a table as complete. The rule sees the same
 * histories as the ledger, and only the facts that the other system has. Its statements are
 * counted, and also the false ones. A statement is false if Kafka then has a record of the hour
 * that readers do not find and that is in no other class.
 */
abstract class OtherRule {
  /** An hour of a table. It is stated once. */
  private record Hour(TableName table, int hour) {}

  private final Set<Hour> stated = new HashSet<>();
  private int falsely;

  /** The hours that are complete by this rule now. */
  abstract IntStream complete(List<ModelTopic.Part> topicPartitions, Instant now);

  final int statements() {
    return stated.size();
  }

  final int falsely() {
    return falsely;
  }

  final void look(List<ModelTopic> topics, Instant now) {
    Map<TableName, List<ModelTopic.Part>> tables = new HashMap<>();
    for (ModelTopic topic : topics) {
      tables.computeIfAbsent(topic.table, each -> new ArrayList<>()).addAll(topic.parts);
    }
    tables.forEach(
        (table, topicPartitions) ->
            complete(topicPartitions, now)
                .forEach(
                    hour -> {
                      if (stated.add(new Hour(table, hour)) && isMissing(topicPartitions, hour)) {
                        falsely++;
                      }
                    }));
  }

  private static boolean isMissing(List<ModelTopic.Part> topicPartitions, int hour) {
    return rows(topicPartitions).stream().anyMatch(row -> row.hour == hour && !arrived(row));
  }

  private static List<ModelTopic.Row> rows(List<ModelTopic.Part> topicPartitions) {
    return topicPartitions.stream().flatMap(part -> part.rows.stream()).toList();
  }

  /** True if the record is in a table or counted in another class. */
  private static boolean arrived(ModelTopic.Row row) {
    return row.settled && !row.lost;
  }

  private static IntStream over(Instant now, Duration after) {
    long hours = Duration.between(ModelTopic.START, now.minus(after)).toHours();
    return IntStream.range(0, (int) Math.max(0, Math.min(hours, ModelWorld.HOURS)));
  }

  /**
   * Gobblin's verification of audit counts: an hour is complete if the number of landed records
   * exceeds this ratio of the number that producers have counted. It is also complete if they have
   * counted none.
   */
  static OtherRule gobblin(double ratio) {
    return new OtherRule() {
      @Override
      IntStream complete(List<ModelTopic.Part> topicPartitions, Instant now) {
        return over(now, Duration.ofMinutes(1))
            .filter(
                hour -> {
                  List<ModelTopic.Row> produced =
                      rows(topicPartitions).stream().filter(row -> row.hour == hour).toList();
                  long landed = produced.stream().filter(OtherRule::arrived).count();
                  return produced.isEmpty() || (double) landed / produced.size() > ratio;
                });
      }
    };
  }

  /**
   * The time that the Iceberg sink writes as valid-through time: the minimum, over the
   * topic-partitions, of the last record's time since the previous commit. There is none if a
   * topic-partition had no record.
   */
  static OtherRule iceberg() {
    return new OtherRule() {
      private final Map<ModelTopic.Part, Integer> committed = new HashMap<>();

      @Override
      IntStream complete(List<ModelTopic.Part> topicPartitions, Instant now) {
        OptionalInt through = OptionalInt.of(Integer.MAX_VALUE);
        for (ModelTopic.Part part : topicPartitions) {
          List<ModelTopic.Row> landed = part.rows.stream().filter(row -> row.settled).toList();
          int before = Math.min(committed.getOrDefault(part, 0), landed.size());
          committed.put(part, landed.size());
          through =
              through.isEmpty() || before == landed.size()
                  ? OptionalInt.empty()
                  : OptionalInt.of(
                      Math.min(through.getAsInt(), landed.get(landed.size() - 1).hour));
        }
        return IntStream.range(0, through.orElse(0));
      }
    };
  }

  /** Flink's default: a partition is committed when this delay has passed since its creation. */
  static OtherRule flinkByProcessTime(Duration delay) {
    return new OtherRule() {
      private final Map<TableHour, Instant> made = new HashMap<>();

      /** An hour of the table that these topic-partitions feed. */
      record TableHour(List<ModelTopic.Part> table, int hour) {}

      @Override
      IntStream complete(List<ModelTopic.Part> topicPartitions, Instant now) {
        return rows(topicPartitions).stream()
            .filter(row -> row.settled && row.landed)
            .mapToInt(row -> row.hour)
            .distinct()
            .filter(
                hour ->
                    made.computeIfAbsent(new TableHour(topicPartitions, hour), each -> now)
                        .plus(delay)
                        .isBefore(now));
      }
    };
  }

  /**
   * Flink's partition time: a partition is committed when the watermark has passed it. The
   * watermark is the minimum, over the topic-partitions, of the largest time so far, minus the
   * allowed disorder.
   */
  static OtherRule flinkByPartitionTime(int hoursOutOfOrder) {
    return new OtherRule() {
      @Override
      IntStream complete(List<ModelTopic.Part> topicPartitions, Instant now) {
        Optional<Integer> watermark =
            topicPartitions.stream()
                .map(
                    part ->
                        part.rows.stream()
                            .filter(row -> row.settled)
                            .map(row -> row.hour)
                            .max(Comparator.naturalOrder())
                            .orElse(0))
                .min(Comparator.naturalOrder());
        return IntStream.range(0, Math.max(0, watermark.orElse(0) - hoursOutOfOrder));
      }
    };
  }
}
