package io.tidemark.cli;

import io.tidemark.cli.deployment.CommandFailure;
import io.tidemark.cli.deployment.Deployment;
import io.tidemark.cli.deployment.ExitCode;
import io.tidemark.cli.status.BatchStatus;
import io.tidemark.cli.status.Held;
import io.tidemark.cli.status.Status;
import io.tidemark.cli.status.StatusText;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.BatchTally;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.store.PrintableText;
import java.util.Optional;

/** Checks whether an announced batch is complete. */
record BatchLook(Deployment deployment, Status status, Ledger ledger) {

  WaitCommand.Look of(String id) throws CommandFailure {
    Optional<AnnouncedBatch> announced =
        ledger.state().announcements().flatMap(all -> Optional.ofNullable(all.open().get(id)));
    if (announced.isEmpty()) {
      return absent(id);
    }
    String printable = PrintableText.line(id);
    BatchStatus batch =
        status.batches().stream().filter(each -> each.key().equals(id)).findFirst().orElseThrow();
    if (batch.held().isEmpty()) {
      return new WaitCommand.Look(
          ExitCode.YES, "", "batch %s is complete: %s".formatted(printable, batch.figures()));
    }
    Held held = batch.held().get();
    return new WaitCommand.Look(
        held(announced.get()) ? ExitCode.OPERATOR : WaitCommand.code(held),
        held.reason() + batch.figures(),
        "batch %s is not complete, %s: %s"
            .formatted(printable, batch.figures(), String.join(" ", StatusText.held("", held))));
  }

  /** Returns whether a hold prevents the count of one of the batch's topics. */
  private boolean held(AnnouncedBatch batch) {
    return batch.verdict().isEmpty()
        && batch.records().keySet().stream()
            .map(ledger.state()::topic)
            .filter(topic -> topic.snapshot() <= batch.announcedIn())
            .flatMap(topic -> topic.held().stream())
            .map(HeldBecause::reason)
            .anyMatch(reason -> WaitCommand.code(new Held(reason, "", "")) == ExitCode.OPERATOR);
  }

  private WaitCommand.Look absent(String id) throws CommandFailure {
    String printable = PrintableText.of(id);
    if (!deployment.announcesBatches()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--batch %s: connector %s has no completeness.batches.topic, so it reads no announcements. Set the key, or wait for a table or a group."
              .formatted(printable, deployment.connector()));
    }
    long counted =
        ledger
            .state()
            .announcements()
            .flatMap(all -> Optional.ofNullable(all.counted().get(id)))
            .map(
                batch ->
                    batch.topics().values().stream()
                        .reduce(BatchTally.NONE, BatchTally::plus)
                        .total())
            .orElse(0L);
    return new WaitCommand.Look(
        status.away().isPresent() ? ExitCode.UNKNOWN : ExitCode.NOT_YET,
        "absent",
        "the ledger has no announcement of batch %s, and has counted %d records of it. The batch is not announced yet, its id is wrong, or it was announced longer ago than completeness.batches.expire.days."
            .formatted(printable, counted));
  }
}
