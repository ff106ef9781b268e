package io.tidemark.connect.storage.log;

/**
 * A log cannot be landed into as things stand: what it, its tables, Kafka and the configuration say
 * does not fit together. An operator must act, as the message says; trying again does not help.
 */
public abstract class LogRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  protected LogRefusedException(String message) {
    super(message);
  }
}
