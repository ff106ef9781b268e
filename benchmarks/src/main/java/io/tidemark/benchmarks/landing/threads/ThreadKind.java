package io.tidemark.benchmarks.landing.threads;

import java.util.regex.Pattern;

/**
 * What a thread of a Connect worker works for, by the beginning of its name. Linux keeps the first
 * 15 bytes of a name.
 */
public enum ThreadKind {
  TASK("task thread: consumer, Connect, put()", "task-thread-"),
  STAGING("check, copy, compress", "tidemark-stage-|raw-compress-"),
  STORE("write and close files", "tidemark-store-|raw-write-"),
  /**
   * The threads that the client starts for each file, and those of its calls. A thread of a new
   * file is named {@code Thread-7} at first.
   */
  HDFS("HDFS's client", "DataStreamer|ResponseProcess|IPC |LeaseRenewer|PeerCache|Thread-"),
  COMMIT("claim, commit, publish, register", "tidemark-"),
  KAFKA("Kafka's other threads", "kafka-|consumer_backgr"),
  /** With the serial collector, the VM thread collects. */
  COLLECTOR("garbage collection", "VM Thread|GC |G1 "),
  COMPILER("JIT compiler", "C1 |C2 |Sweeper"),
  MEASUREMENT("this measurement (JMX)", "RMI |JMX |Attach "),
  OTHERS("other threads", ""),
  /** Nearly all of these are HDFS's threads for a small file. */
  UNSEEN("ended between two readings", "(?!)");

  private final String label;
  private final Pattern beginning;

  ThreadKind(String label, String beginning) {
    this.label = label;
    this.beginning = Pattern.compile(beginning);
  }

  /** Returns the words for a table. */
  public String label() {
    return label;
  }

  /** Returns the first kind to which a name belongs. */
  static ThreadKind of(String name) {
    for (ThreadKind kind : values()) {
      if (kind.beginning.matcher(name).lookingAt()) {
        return kind;
      }
    }
    return OTHERS;
  }
}
