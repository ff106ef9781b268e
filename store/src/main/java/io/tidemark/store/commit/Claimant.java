package io.tidemark.store.commit;

/**
 * The task that made a claim, for messages. Only the claim's UUID decides who owns the log, because
 * a zombie may run in the same JVM.
 */
public record Claimant(String connector, int task, String worker) {

  @Override
  public String toString() {
    return "task " + task + " of connector " + connector + " on " + worker;
  }
}
