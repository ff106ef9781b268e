package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.commit.LogFolder;
import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.ledger.account.AccountedEntry;
import io.tidemark.connect.ledger.account.AccountedState;
import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.pipeline.intake.PipelineServices;
import io.tidemark.connect.pipeline.opening.OpenedLog;
import io.tidemark.connect.publish.Registrar;
import io.tidemark.connect.storage.log.NumberedEntry;
import io.tidemark.connect.table.CatalogMarkers;
import io.tidemark.connect.table.StagingDirectories;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableRoot;
import io.tidemark.connect.table.UnseenPartition;
import io.tidemark.connect.text.PrintableText;
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
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The published batches of one claim on their way to the catalog, one after another, and from there
 * to the ledger. What becomes possible then: their entries may be folded. Landing does not wait for
 * them; the next entry tells how far they are. Safe for use by many threads.
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

  /** All entries so far are registered, and the ledger has their accounts. */
  private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  /** {@code taskBacklog} counts the files that wait, over all topic-partitions of the task. */
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

  /** All entries up to this number are registered, and accounted for. */
  long through() {
    return through.get();
  }

  /** What was added so far; fails when the catalog refuses something for good. */
  synchronized CompletableFuture<Void> all() {
    boolean onlySettledFailed =
        settled.isCompletedExceptionally() && !last.isCompletedExceptionally();
    return onlySettledFailed ? settled : last;
  }

  /**
   * Adds what the claim begins with: the tables as far as the catalog may not know them, and the
   * batches of earlier claims.
   *
   * @param tables those that the topic-partition lands in
   */
  synchronized void begin(List<Table> tables) {
    List<NumberedEntry<CommitEntry>> earlier = log.toRegister();
    services
        .registrar()
        .ifPresent(
            registrar -> {
              long since = registrar.turn();
              List<CommitEntry.Batch> batches =
                  earlier.stream().flatMap(entry -> batch(entry).stream()).toList();
              taskBacklog.incrementAndGet();
              last =
                  services
                      .catalogRetries()
                      .untilDone(
                          topicPartition.toString(),
                          "register what its tables hold",
                          this::go,
                          () -> {
                            registrar.requireInLayout(batches);
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
    // It has no files, and is folded long after: nothing waits for its account.
    LOG.trace("{}: {}", claimed, accountOf(last.thenApply(registered -> claimed)));
    addThrough(claimed.number());
  }

  /** Adds an entry; those up to its number count as registered once it is. */
  synchronized void add(NumberedEntry<CommitEntry> published) {
    Optional<Registrar> registrar = services.registrar();
    Optional<CommitEntry.Batch> withFiles = batch(published);
    if (registrar.isPresent() && withFiles.isPresent()) {
      CommitEntry.Batch batch = withFiles.get();
      // Most of what an entry keeps in memory is its files.
      int files = Math.max(1, batch.files().size());
      taskBacklog.addAndGet(files);
      long since = registrar.get().turn();
      CompletableFuture<List<UnseenPartition>> registered =
          last.thenCompose(
                  before -> services.catalogRetries().after(registrar.get().pauseMs(batch, since)))
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

  /** Once it is registered, an entry is accounted for; those before it need not be yet. */
  private void account(CompletableFuture<? extends AccountedEntry> registered) {
    settled = settled.thenCombine(accountOf(registered), (before, now) -> null);
  }

  private static Optional<CommitEntry.Batch> batch(NumberedEntry<CommitEntry> entry) {
    return entry
        .entry()
        .match(
            made -> Optional.empty(),
            Optional::of,
            skip -> Optional.empty(),
            checkpoint -> Optional.empty());
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
   * The entry counts as registered, so that the log is folded; the file beside the table has the
   * table registered as a whole once there is a catalog.
   */
  private void noteWithoutCatalog(TableRoot table) {
    if (!notedWithoutCatalog.add(table)) {
      return;
    }
    CatalogMarkers markers =
        new CatalogMarkers(services.staging().storage(), new TableLayout(table.root()));
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

  /** Gives up what is not registered yet: the next claim finds it in the log. */
  void abandon() {
    abandoned = true;
  }

  /** Notes that no entry up to a number is left to be accounted for once what was added is. */
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
                // A log that stays long for a while is no reason not to land.
                LOG.warn(
                    "{}: the log was not folded and grows until it is: {}",
                    topicPartition,
                    PrintableText.messageOf(e));
              }
            });
  }

  private boolean go() {
    return wanted.getAsBoolean() && !abandoned;
  }
}
