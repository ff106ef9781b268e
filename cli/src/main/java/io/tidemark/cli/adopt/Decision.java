package io.tidemark.cli.adopt;

import io.tidemark.cli.adopt.WriteAheadLog.Rename;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where a connector continues one topic-partition of the old sink.
 *
 * @param next the next offset; empty if nothing was ever committed: the connector then starts as a
 *     new one
 * @param source what decided it
 * @param pending the renames to finish first
 * @param notes what an operator should know
 * @param refusals what must be changed first; empty if it can be adopted
 */
public record Decision(
    OptionalLong next,
    Source source,
    List<Rename> pending,
    List<String> notes,
    List<Refusal> refusals) {

  public Decision {
    pending = List.copyOf(pending);
    notes = List.copyOf(notes);
    refusals = List.copyOf(refusals);
  }

  /** What decided the next offset. */
  public enum Source {
    LOG("log"),
    FORMER_LOG("log.1"),
    NAMES("the names of the files"),
    GROUP("the consumer group"),
    NOTHING("nothing was committed");

    private final String text;

    Source(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** What can be done. */
  public enum Verdict {
    /** It can be adopted as it is. */
    ACCEPTED,
    /** The renames of the last block must be finished first. */
    TO_FINISH,
    /** An operator must change something first. */
    REFUSED
  }

  public Verdict verdict() {
    if (!refusals.isEmpty()) {
      return Verdict.REFUSED;
    }
    return pending.isEmpty() ? Verdict.ACCEPTED : Verdict.TO_FINISH;
  }
}
