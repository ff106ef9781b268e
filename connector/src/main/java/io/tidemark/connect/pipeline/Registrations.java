package io.tidemark.connect.pipeline;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.connect.intake.OpenedLog;
import io.tidemark.connect.intake.PipelineServices;
import io.tidemark.connect.intake.Retries;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.LogFolding;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.UnseenPartition;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Registers the published batches of one claim in the catalog, one after another, and then reports
 * them to the ledger. After that, their entries may be folded. The task does not wait for
 * registrations. Its next entry records the number up to which entries are registered. Thread-safe.
 */
final class Registrations {
  private final TopicPartition topicPartition;
  private final PipelineServices services;
  private final LogFolding folder;
  private final OpenedLog log;
  private final Set<TableRoot> notedWithoutCatalog = new HashSet<>();
  private final BooleanSupplier wanted;
  private final Retries retries;
  private final Retries catalogRetries;
  private final AtomicInteger taskBacklog;
  private final AtomicLong through = new AtomicLong();
  private volatile boolean abandoned;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** Completes when all entries so far are settled, and what only accounts have is durable. */
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
    this.folder = services.folding(log.owned().log(), topicPartition);
    this.log = log;
    this.wanted = wanted;
    this.retries = services.retries().of(topicPartition, this::wanted);
    this.catalogRetries = services.catalogRetries().of(topicPartition, this::wanted);
    this.taskBacklog = taskBacklog;
  }

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
    Set<UnseenPartition> unseen = new HashSet<>();
    services
        .registrar()
        .ifPresent(
            registrar -> {
              long since = registrar.tick();
              last =
                  catalogRetries.untilDone(
                      "register its tables",
                      () -> {
                        for (Table table : tables) {
                          if (table.options().inHive()) {
                            unseen.addAll(
                                registrar.registerWhole(table.root(), log.staging(), since));
                          }
                        }
                      });
            });
    earlier.forEach(this::add);
    OwnedLog owned = log.owned();
    long number = owned.number();
    UUID attempt = owned.claim();
    reported = reported.thenCombine(last, (settled, registered) -> null);
    // The claim's account covers all earlier entries. Do not wait for it: a claim has no files.
    CompletableFuture<Void> unused =
        reported
            .thenCombine(oneCluster, (registered, proved) -> true)
            .thenCompose(proved -> settled(number, attempt, List.copyOf(unseen)));
    addThrough(number);
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
      addSettled(registered, published);
    } else {
      withFiles.ifPresent(batch -> batch.tables().forEach(this::noteWithoutCatalog));
      addSettled(last.thenApply(done -> List.of()), published);
    }
    addThrough(published.number());
  }

  /**
   * Reports an entry in the order of the log. Only an entry with Hive partitions that readers do
   * not see waits for its account: the log does not have them.
   */
  private void addSettled(
      CompletableFuture<List<UnseenPartition>> registered, NumberedEntry<CommitEntry> entry) {
    long number = entry.number(); // Do not keep the entry: its files take most of its memory.
    UUID attempt = entry.entry().attempt();
    last = registered.thenAccept(unseen -> {});
    reported =
        reported
            .thenCombine(registered, (before, unseen) -> unseen)
            .thenCompose(
                unseen ->
                    wanted()
                        ? settled(number, attempt, unseen)
                        : CompletableFuture.failedFuture(
                            new CancellationException(
                                topicPartition + ": the next claim reports it")));
  }

  private CompletableFuture<Void> settled(long number, UUID attempt, List<UnseenPartition> unseen) {
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    CompletableFuture<Void> durable =
        services
            .accountant()
            .map(
                accountant ->
                    accountant.settled(
                        topicPartition,
                        number,
                        attempt,
                        unseen.stream()
                            .map(each -> new HivePartitionId(each.table(), each.partition()))
                            .toList()))
            .orElse(done);
    return unseen.isEmpty() ? done : durable;
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
                    () -> markers.landsWithoutCatalog(log.staging())));
  }

  /** Cancels pending registrations. The owner of the next claim finds the entries in the log. */
  void abandon() {
    abandoned = true;
  }

  /** Sets {@code through}, and folds the log, when all added entries are settled. */
  private synchronized void addThrough(long number) {
    reported =
        reported
            .thenRun(() -> through.set(number))
            .thenCompose(
                done -> retries.untilDone("fold the log", () -> folder.foldIfPossible(number)));
  }

  private boolean wanted() {
    return wanted.getAsBoolean() && !abandoned;
  }
}
