package io.tidemark.store.log;

/**
 * Reports that a task must not land records into a log, because the log, its tables, Kafka and the
 * configuration contradict each other. The error is permanent: an operator must apply the cure.
 */
public class LogRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public LogRefusedException(String message) {
    super(message);
  }
}
