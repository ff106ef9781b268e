package io.tidemark.completeness.ledger;

/**
 * The reason why a topic, table, group or batch is not complete yet.
 *
 * @param reason one word, for programs. Example: {@code BEHIND}
 * @param detail place, missing amount, and cure. Example: {@code orders-3: 1200 offsets behind}
 */
public record HeldBecause(String reason, String detail) {

  @Override
  public String toString() {
    return reason + " " + detail;
  }
}
