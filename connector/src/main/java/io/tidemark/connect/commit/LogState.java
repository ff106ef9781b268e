package io.tidemark.connect.commit;

/**
 * Where a topic-partition's log stands after an entry. Every entry carries it, so that the last one
 * tells what an owner needs to know.
 *
 * @param next the first offset that no entry covers, or {@link #UNKNOWN}: begin where the consumer
 *     group stands
 * @param publishedThrough the files of all entries up to this number were seen in their tables
 * @param registeredThrough the Hive partitions of all entries up to this number were seen in the
 *     catalog
 */
public record LogState(
    Generation generation, long next, long publishedThrough, long registeredThrough) {

  /** No batch has been committed in this generation. */
  public static final long UNKNOWN = -1;

  public LogState {
    if (next < UNKNOWN || publishedThrough < 0 || registeredThrough < 0) {
      throw new IllegalArgumentException(
          "not a state of a log: next "
              + next
              + ", published through "
              + publishedThrough
              + ", registered through "
              + registeredThrough);
    }
  }

  /** The state before the first entry. */
  public static LogState initial(TopicIdentity topic) {
    return new LogState(new Generation(1, topic.clusterId(), topic.topicId()), UNKNOWN, 0, 0);
  }

  /**
   * This state for a topic: unchanged when it is still the same, else the start of the next
   * generation.
   */
  public LogState forTopic(TopicIdentity topic) {
    return generation.isOf(topic)
        ? this
        : new LogState(
            new Generation(generation.number() + 1, topic.clusterId(), topic.topicId()),
            UNKNOWN,
            publishedThrough,
            registeredThrough);
  }

  public LogState withNext(long offset) {
    return new LogState(generation, offset, publishedThrough, registeredThrough);
  }

  public LogState withProgress(long published, long registered) {
    return new LogState(generation, next, published, registered);
  }
}
