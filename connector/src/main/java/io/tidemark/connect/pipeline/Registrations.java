package io.tidemark.connect.pipeline;

import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.AccountedState;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.connect.intake.OpenedLog;
import io.tidemark.connect.intake.PipelineServices;
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
 * Registers the published batches of one claim in the catalog, one after another, and then reports
 * them to the ledger. After that, their entries may be folded. The task does not wait for
 * registrations. Its next entry records the number up to which entries are registered. Thread-safe.
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
  private final AtomicInteger taskBacklog;
  private final AtomicLong through = new AtomicLong();
  private volatile boolean abandoned;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  /** Completes when all entries so far are registered and accounted for in the ledger. */
  private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  /**
   * Creates the queue; {@code taskBacklog} counts the waiting files of all topic-partitions of the
   * task.
   */
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
    this.taskBacklog = taskBacklog;
  }

  /** Returns the number up to which all entries are registered and accounted for. */
  long through() {
    return through.get();
  }

  /**
   * Returns a future that completes when all added entries are registered, and fails if the catalog
   * rejects an entry permanently.
   */
  synchronized CompletableFuture<Void> all() {
    boolean onlySettledFailed =
        settled.isCompletedExceptionally() && !last.isCompletedExceptionally();
    return onlySettledFailed ? settled : last;
  }

  /**
   * Adds the work of earlier claims: tables and batches that are possibly not registered in the
   * catalog.
   *
   * @param tables the tables of the topic-partition's records
   */
  synchronized void begin(List<Table> tables) {
    List<NumberedEntry<CommitEntry>> earlier = log.toRegister();
    services
        .registrar()
        .ifPresent(
            registrar -> {
              long since = registrar.tick();
              taskBacklog.incrementAndGet();
              last =
                  services
                      .catalogRetries()
                      .untilDone(
                          topicPartition.toString(),
                          "register its tables",
                          this::go,
                          () -> {
                            for (Table table : tables) {
                              registrar.registerWhole(
                                  new TableRoot(table.name(), table.layout().root()), claim, since);
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
    settled = settled.thenCombine(last, (accounted, registered) -> null);
    // Do not wait for the claim's account. It may be lost without harm: a claim has no files, and
    // the claim is folded much later.
    CompletableFuture<Void> unused = accountOf(last.thenApply(registered -> claimed));
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
                      services
                          .catalogRetries()
                          .after(registrar.get().pauseMs(batch, since, publishedMs)))
              .thenCompose(
                  paused ->
                      services
                          .catalogRetries()
                          .until(
                              topicPartition.toString(),
                              "register entry " + published.number(),
                              this::go,
                              () -> registrar.get().register(batch, since)))
              .whenComplete((done, failure) -> taskBacklog.addAndGet(-files));
      last = registered.thenAccept(unseen -> {});
      account(registered.thenApply(unseen -> accounted(published, unseen)));
    } else {
      withFiles.ifPresent(batch -> batch.tables().forEach(this::noteWithoutCatalog));
      account(last.thenApply(done -> accounted(published, List.of())));
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

  /**
   * Accounts for an entry when it is registered, even if earlier entries are not accounted for yet.
   */
  private void account(CompletableFuture<? extends AccountedEntry> registered) {
    settled = settled.thenCombine(accountOf(registered), (before, now) -> null);
  }

  private CompletableFuture<Void> accountOf(
      CompletableFuture<? extends AccountedEntry> registered) {
    return registered.thenCompose(
        entry -> {
          if (!go()) {
            return CompletableFuture.failedFuture(
                new CancellationException(topicPartition + ": the next claim accounts for it"));
          }
          return services
              .accountant()
              .map(accountant -> accountant.account(entry))
              .orElseGet(() -> CompletableFuture.completedFuture(null));
        });
  }

  /**
   * Creates a marker file in the table, and counts the entry as registered so that the log can be
   * folded. Because of the marker, a later claim registers the whole table when there is a catalog.
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
                services
                    .retries()
                    .untilDone(
                        topicPartition.toString(),
                        "note that " + table.table() + " has no catalog",
                        this::go,
                        () -> markers.landsWithoutCatalog(claim)));
  }

  /** Cancels pending registrations. The owner of the next claim finds the entries in the log. */
  void abandon() {
    abandoned = true;
  }

  /**
   * Sets {@code through} to a number, and folds the log, when all added entries are accounted for.
   */
  private synchronized void addThrough(long number) {
    settled = settled.thenRun(() -> through.set(number)).thenCompose(done -> fold(number));
  }

  private CompletableFuture<Void> fold(long number) {
    return services
        .retries()
        .untilDone(
            topicPartition.toString(),
            "fold the log",
            this::go,
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

  private boolean go() {
    return wanted.getAsBoolean() && !abandoned;
  }
}
