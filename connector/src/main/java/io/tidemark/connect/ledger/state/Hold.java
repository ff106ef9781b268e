package io.tidemark.connect.ledger.state;

/**
 * Why something is not complete yet.
 *
 * @param reason one word that programs know. Example: {@code BEHIND}
 * @param detail where, how far, and the cure. Example: {@code orders-3: 1200 offsets behind}
 */
public record Hold(String reason, String detail) {

  @Override
  public String toString() {
    return reason + " " + detail;
  }
}
