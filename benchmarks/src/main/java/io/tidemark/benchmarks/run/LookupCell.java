package io.tidemark.benchmarks.run;

import io.tidemark.benchmarks.registry.LookupContender;
import io.tidemark.benchmarks.registry.Question;
import java.util.ArrayList;
import java.util.List;

/** A question to a client. */
record LookupCell(Question question, LookupContender contender) {
  /** The work's name in the results. */
  static final String WORK = "registry";

  /** Returns every question with each client that supports it. */
  static List<LookupCell> all() {
    var cells = new ArrayList<LookupCell>();
    for (Question question : Question.values()) {
      for (LookupContender contender : LookupContender.values()) {
        if (contender.answers(question)) {
          cells.add(new LookupCell(question, contender));
        }
      }
    }
    return cells;
  }

  /** Returns the cell as text. Example: {@code hit registry ours, 1 thread}. */
  @Override
  public String toString() {
    int threads = question.threads();
    return "%s %s %s, %d thread%s"
        .formatted(question.label(), WORK, contender.label(), threads, threads == 1 ? "" : "s");
  }
}
