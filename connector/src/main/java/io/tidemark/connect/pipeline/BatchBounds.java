package io.tidemark.connect.pipeline;

import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.TooManyFilesException;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offsets before which a batch must end, known from a failed attempt. There are two kinds: the
 * offset of a record that cannot land, and the offset at which a batch reached its limit of files.
 * The records before it are read again and land in a separate batch. For the task's thread only.
 */
final class BatchBounds {
  private static final Logger LOG = LoggerFactory.getLogger(BatchBounds.class);

  private final TopicPartition topicPartition;
  private long rejected = LogState.UNKNOWN;
  private long full = Long.MAX_VALUE;
  private boolean warnedOfFull;

  BatchBounds(TopicPartition topicPartition) {
    this.topicPartition = topicPartition;
  }

  boolean endBefore(long offset) {
    return offset == rejected || offset >= full;
  }

  /** A batch begins at the offset. */
  void reached(long offset) {
    if (offset >= full) {
      full = Long.MAX_VALUE;
    }
  }

  /** Returns whether the record at the offset could not land in the previous attempt. */
  boolean rejected(long offset) {
    return offset == rejected;
  }

  /** Lets the records before a rejected record land first; returns false if this was set before. */
  boolean landFirstBefore(RejectedRecordException failure) {
    if (failure.offset() == rejected) {
      return false;
    }
    rejected = failure.offset();
    LOG.info(
        "{}; the task reads the records before it again, and these land first",
        PrintableText.messageOf(failure));
    return true;
  }

  /** Lets the next batch end before the offset at which this batch had too many files. */
  void endBefore(TooManyFilesException failure) {
    full = failure.offset();
    if (warnedOfFull) {
      LOG.info("{}: {}", topicPartition, PrintableText.messageOf(failure));
    } else {
      warnedOfFull = true;
      LOG.warn(
          "{}: {}; the remaining records are in the next batch. A batch has a file for each Hive partition, and several with flush.size or file.size.bytes. Many small files slow down HDFS and Hive. To have fewer, raise flush.size. For a table that has no files yet you can also choose longer times, or fields with fewer values. If you need this number of files, raise batch.hive.partitions.",
          topicPartition,
          PrintableText.messageOf(failure));
    }
  }
}
