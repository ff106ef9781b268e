package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Acknowledgement;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Repairs of one kind, as an operator commands them by {@code tidemark repair}. */
public final class OperatorRepairs {
  private OperatorRepairs() {}

  /** Returns the holds that were acknowledged. */
  public static List<Hold> acknowledge(
      OperatorRepair repair, Predicate<Hold> holds, String operator, String reason)
      throws IOException, CorruptLogException {
    return repair.apply(new Acknowledgement(operator, reason, holds, Set.of(), Set.of()));
  }

  public static void release(OperatorRepair repair, String topic, String operator, String reason)
      throws IOException, CorruptLogException {
    repair.apply(new Acknowledgement(operator, reason, hold -> false, Set.of(topic), Set.of()));
  }

  public static void retire(OperatorRepair repair, String topic, String operator, String reason)
      throws IOException, CorruptLogException {
    repair.apply(new Acknowledgement(operator, reason, hold -> false, Set.of(), Set.of(topic)));
  }
}
