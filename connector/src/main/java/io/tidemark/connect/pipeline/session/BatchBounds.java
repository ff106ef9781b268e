package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.TooManyFilesException;
import io.tidemark.connect.text.PrintableText;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offsets before which a batch must end, known from an attempt that failed: that of a record
 * which cannot land, and that at which a batch had too many files. What came before is read again
 * and lands alone. Used by the task's thread only.
 */
final class BatchBounds {
  private static final Logger LOG = LoggerFactory.getLogger(BatchBounds.class);

  private final TopicPartition topicPartition;
  private long rejected = LogState.UNKNOWN;
  private long full = Long.MAX_VALUE;
  private boolean toldOfFull;

  BatchBounds(TopicPartition topicPartition) {
    this.topicPartition = topicPartition;
  }

  /** A batch that has records must end before the offset. */
  boolean endBefore(long offset) {
    return offset == rejected || offset >= full;
  }

  /** A batch begins at the offset. */
  void reached(long offset) {
    if (offset >= full) {
      full = Long.MAX_VALUE;
    }
  }

  /** The record at the offset could not land in the attempt before. */
  boolean rejected(long offset) {
    return offset == rejected;
  }

  /**
   * Has what came before a record land first.
   *
   * @return false when that was tried already
   */
  boolean landFirstBefore(RejectedRecordException failure) {
    if (failure.offset() == rejected) {
      return false;
    }
    rejected = failure.offset();
    LOG.info(
        "{}; what came before it is read again, and lands first", PrintableText.messageOf(failure));
    return true;
  }

  /** Has a batch end where it had too many files. */
  void endBefore(TooManyFilesException failure) {
    full = failure.offset();
    if (toldOfFull) {
      LOG.info("{}: {}", topicPartition, PrintableText.messageOf(failure));
    } else {
      toldOfFull = true;
      LOG.warn(
          "{}: {}; the rest follows in the next one. Each Hive partition is a file, with flush.size or file.size.bytes "
              + "several, and many small files burden HDFS and Hive. If so many are not meant, a table without files may "
              + "have a coarser time, or fields with fewer values, or raise flush.size; else raise "
              + "batch.hive.partitions.",
          topicPartition,
          PrintableText.messageOf(failure));
    }
  }
}
