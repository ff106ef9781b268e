package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was found, and what can be adopted.
 *
 * @param refusals what prevents the adoption of all topics
 */
public record AdoptionReport(String connector, List<Refusal> refusals, List<Topic> topics) {

  public AdoptionReport {
    refusals = List.copyOf(refusals);
    topics = List.copyOf(topics);
  }

  /**
   * A topic.
   *
   * @param logs the directory of its logs
   * @param leftovers the number of temporary files
   * @param leftoverBytes their bytes
   */
  public record Topic(
      String topic,
      StoragePath directory,
      StoragePath logs,
      long leftovers,
      long leftoverBytes,
      List<String> notes,
      List<Refusal> refusals,
      List<Partition> partitions) {

    public Topic {
      notes = List.copyOf(notes);
      refusals = List.copyOf(refusals);
      partitions = List.copyOf(partitions);
    }

    /** A topic is adopted as a whole, because its partitions share a table. */
    public Verdict verdict() {
      return Stream.concat(
              Stream.of(refusals.isEmpty() ? Verdict.ACCEPTED : Verdict.REFUSED),
              partitions.stream().map(each -> each.decision().verdict()))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  /**
   * A topic-partition.
   *
   * @param records the records of its files; -1 if the files were not read
   * @param log what its logs say
   */
  public record Partition(
      TopicPartition topicPartition,
      long files,
      long bytes,
      long records,
      NamedOffsets names,
      String log,
      Decision decision) {}

  public Verdict verdict() {
    return Stream.concat(
            Stream.of(refusals.isEmpty() ? Verdict.ACCEPTED : Verdict.REFUSED),
            topics.stream().map(Topic::verdict))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }
}
