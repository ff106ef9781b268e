package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Arrival;
import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.TopicState;
import java.util.ArrayList;
import java.util.List;

/**
 * Returns the entries of accounts in the inbox, and decides which accounts the ledger no longer
 * needs.
 */
final class Arrivals {
  private Arrivals() {}

  static List<Arrival> of(List<Inbox.Received> accounts) {
    List<Arrival> arrivals = new ArrayList<>();
    for (Inbox.Received received : accounts) {
      received
          .account()
          .entries()
          .forEach(entry -> arrivals.add(new Arrival(received.at(), entry)));
    }
    return arrivals;
  }

  /** Returns whether the ledger has taken all of an account, or will never take it. */
  static boolean done(LedgerState state, Inbox.Received received) {
    return received.account().entries().stream().allMatch(entry -> known(state, entry));
  }

  private static boolean known(LedgerState state, AccountedEntry entry) {
    TopicState topic = state.topics().get(entry.topic());
    Position position = topic == null ? null : topic.at().get(entry.topicPartition());
    if (position != null && entry.number() <= position.number()) {
      return true;
    }
    // No entry of this topic-partition is taken until an operator acknowledges the gap. After that
    // only the newest account is taken.
    return state.holds().stream()
        .anyMatch(hold -> isOpenGap(hold, entry.topic(), entry.topicPartition()));
  }

  private static boolean isOpenGap(Hold hold, String topic, int topicPartition) {
    return hold.kind() == HoldKind.GAP
        && hold.open()
        && hold.topic().equals(topic)
        && hold.topicPartition() == topicPartition;
  }
}
