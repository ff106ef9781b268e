package io.tidemark.connect.pipeline;

import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.AccountedState;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.connect.intake.OpenedLog;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.Retries;
import io.tidemark.store.PrintableText;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogFolder;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the published batches of one claim in the catalog, one after another, and then adds
 * them to an account for the ledger. After that, their entries may be folded. The task does not
 * wait for registrations. Its next entry records the number up to which entries are registered.
 * Thread-safe.
 */
final class Registrations {
  private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

  private final TopicPartition topicPartition;
  private final PipelineServices services;
  private final LogFolder folder;
  private final OpenedLog log;
  private final StagingDirectories.OfClaim claim;
  private final Set<TableRoot> notedWithoutCatalog = new HashSet<>();
  private final BooleanSupplier wanted;
  private final Retries retries;
  private final Retries catalogRetries;
  private final AtomicInteger taskBacklog;
  private final AtomicLong through = new AtomicLong();
  private volatile boolean abandoned;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** Completes when all entries so far are registered and in an account. */
  private CompletableFuture<Void> reported = CompletableFuture.completedFuture(null);

  /** Creates the queue; {@code taskBacklog} counts the waiting files of the whole task. */
  Registrations(
      TopicPartition topicPartition,
      PipelineServices services,
      OpenedLog log,
      BooleanSupplier wanted,
      AtomicInteger taskBacklog) {
    this.topicPartition = topicPartition;
    this.services = services;
    this.folder =
        new LogFolder(log.owned().log(), services.settings().retainedEntries(), services.wall());
    this.log = log;
    this.claim = log.staging();
    this.wanted = wanted;
    this.retries = services.retries().of(topicPartition, this::wanted);
    this.catalogRetries = services.catalogRetries().of(topicPartition, this::wanted);
    this.taskBacklog = taskBacklog;
  }

  /** Returns the number up to which all entries are registered and in an account. */
  long through() {
    return through.get();
  }

  /** Completes when all added entries are registered; fails if the catalog refuses an entry. */
  synchronized CompletableFuture<Void> all() {
    boolean onlyReportFailed =
        reported.isCompletedExceptionally() && !last.isCompletedExceptionally();
    return onlyReportFailed ? reported : last;
  }

  /**
   * Adds tables and batches of earlier claims that are possibly not registered in the catalog.
   *
   * @param oneCluster completes when the worker's consumer and the connector's own client are known
   *     to use one cluster. Only then does the claim's account show of which cluster the log is
   */
  synchronized void begin(List<Table> tables, CompletableFuture<Void> oneCluster) {
    List<NumberedEntry<CommitEntry>> earlier = log.toRegister();
    services
        .registrar()
        .ifPresent(
            registrar -> {
              long since = registrar.tick();
              taskBacklog.incrementAndGet();
              last =
                  catalogRetries
                      .untilDone(
                          "register its tables",
                          () -> {
                            for (Table table : tables) {
                              registrar.registerWhole(table.root(), claim, since);
                            }
                          })
                      .whenComplete((done, failure) -> taskBacklog.decrementAndGet());
            });
    earlier.forEach(this::add);
    OwnedLog owned = log.owned();
    AccountedEntry claimed =
        new AccountedEntry.Claim(
            topicPartition.topic(),
            topicPartition.partition(),
            owned.number(),
            owned.claim(),
            AccountedState.of(owned.state()));
    reported = reported.thenCombine(last, (accounted, registered) -> null);
    // Do not wait for the claim's account. It may be lost without harm: a claim has no files, and
    // the claim is folded much later.
    CompletableFuture<Void> unused =
        report(last.thenCombine(oneCluster, (registered, proved) -> claimed));
    addThrough(claimed.number());
  }

  /** Adds an entry. When it is registered, all entries up to its number count as registered. */
  synchronized void add(NumberedEntry<CommitEntry> published) {
    Optional<Registrar> registrar = services.registrar();
    Optional<CommitEntry.Batch> withFiles = published.entry().asBatch();
    if (registrar.isPresent() && withFiles.isPresent()) {
      CommitEntry.Batch batch = withFiles.get();
      // Keep only the number of files: the list of files is most of an entry's memory.
      int files = Math.max(1, batch.files().size());
      taskBacklog.addAndGet(files);
      long since = registrar.get().tick();
      long publishedMs = registrar.get().millis();
      CompletableFuture<List<UnseenPartition>> registered =
          last.thenCompose(
                  before ->
                      catalogRetries.after(registrar.get().pauseMs(batch, since, publishedMs)))
              .thenCompose(
                  paused ->
                      catalogRetries.until(
                          "register entry " + published.number(),
                          () -> registrar.get().register(batch, since)))
              .whenComplete((done, failure) -> taskBacklog.addAndGet(-files));
      last = registered.thenAccept(unseen -> {});
      addReport(registered.thenApply(unseen -> accounted(published, unseen)));
    } else {
      withFiles.ifPresent(batch -> batch.tables().forEach(this::noteWithoutCatalog));
      addReport(last.thenApply(done -> accounted(published, List.of())));
    }
    addThrough(published.number());
  }

  private AccountedEntry accounted(NumberedEntry<CommitEntry> entry, List<UnseenPartition> unseen) {
    return AccountedEntry.of(
        topicPartition.topic(),
        topicPartition.partition(),
        entry,
        unseen.stream().map(each -> new HivePartitionId(each.table(), each.partition())).toList());
  }

  /** Reports an entry when it is registered, even if earlier entries are not reported yet. */
  private void addReport(CompletableFuture<AccountedEntry> registered) {
    reported = reported.thenCombine(report(registered), (before, now) -> null);
  }

  private CompletableFuture<Void> report(CompletableFuture<AccountedEntry> registered) {
    return registered.thenCompose(
        entry -> {
          if (!wanted()) {
            return CompletableFuture.failedFuture(
                new CancellationException(topicPartition + ": the next claim reports it"));
          }
          return services
              .accountant()
              .map(accountant -> accountant.account(entry))
              .orElseGet(() -> CompletableFuture.completedFuture(null));
        });
  }

  /**
   * Creates a marker file in the table, and counts the entry as registered: the log can be folded,
   * and a later claim registers the whole table when there is a catalog.
   */
  private void noteWithoutCatalog(TableRoot table) {
    if (!notedWithoutCatalog.add(table)) {
      return;
    }
    MarkerFiles markers =
        new MarkerFiles(services.staging().storage(), new TableLayout(table.root()));
    last =
        last.thenCompose(
            before ->
                retries.untilDone(
                    "note that " + table.table() + " has no catalog",
                    () -> markers.landsWithoutCatalog(claim)));
  }

  /** Cancels pending registrations. The owner of the next claim finds the entries in the log. */
  void abandon() {
    abandoned = true;
  }

  /** Sets {@code through}, and folds the log, when all added entries are in an account. */
  private synchronized void addThrough(long number) {
    reported = reported.thenRun(() -> through.set(number)).thenCompose(done -> fold(number));
  }

  private CompletableFuture<Void> fold(long number) {
    return retries.untilDone(
        "fold the log",
        () -> {
          try {
            folder.fold(number);
          } catch (IOException e) {
            // Only log a warning: records still land while the log is long.
            LOG.warn(
                "{}: the log could not be folded and grows until it can: {}",
                topicPartition,
                PrintableText.messageOf(e));
          }
        });
  }

  private boolean wanted() {
    return wanted.getAsBoolean() && !abandoned;
  }
}
