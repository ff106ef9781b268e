package io.tidemark.connect.commit.entry;

/**
 * Who made a claim, for messages. Ownership never rests on these names, only on the claim's UUID: a
 * zombie may live in the same JVM.
 */
public record Claimant(String connector, int task, String worker) {

  @Override
  public String toString() {
    return "task " + task + " of connector " + connector + " on " + worker;
  }
}
