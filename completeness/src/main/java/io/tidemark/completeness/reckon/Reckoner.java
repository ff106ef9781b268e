package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Announced;
import io.tidemark.completeness.decide.Assignments;
import io.tidemark.completeness.decide.Decision;
import io.tidemark.completeness.decide.Findings;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.decide.LogRead;
import io.tidemark.completeness.decide.Look;
import io.tidemark.completeness.decide.Reckoning;
import io.tidemark.completeness.decide.Snapshots;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.CatalogConflictException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes completions from snapshots of Kafka's end offsets and the commit logs of tasks. It first
 * appends an entry to the ledger, and then shows the entry. One thread calls {@link #cycle}
 * repeatedly, after the pause that the previous call returned. Any thread may call {@link #health}.
 *
 * <p>The reckoner continues after every failure. If it is unknown whether an entry was appended,
 * the ledger is claimed again, and the claim reads the entry. After any other failure the claim
 * remains valid. Otherwise a step that fails for days would add a claim with each attempt. If two
 * reckoners claim one ledger, the later claim wins.
 *
 * <p>This is one class, because all steps of a cycle share the claim, and each may lose it.
 */
public final class Reckoner {
  private static final Logger LOG = LoggerFactory.getLogger(Reckoner.class);

  private static final Duration STEP = Duration.ofSeconds(1);
  private static final long PENDING_READ_MS = 5_000;
  private static final long IDLE_READ_MS = 60_000;
  private static final long REQUESTS_LOOK_MS = 5_000;
  private static final long APPENDED_AFTER_MS = 60_000;

  /** The delay before an entry is appended only to report why a table waits. */
  private static final long REASON_AFTER_MS = 10_000;

  private static final long CLOCKS_COMPARED_AFTER_MS = 60_000;
  private static final long COMPACTED_AFTER_MS = 3_600_000;
  private static final long RELEASED_AFTER_MS = 600_000;
  private static final int ACCOUNTS_MOST = 1_000;
  private static final long ACCOUNT_BYTES_MOST = 64L << 20;

  private final ReckonerServices services;
  private final ReckonedTables configured;
  private final Inbox inbox;
  private final CommitLogs logs;
  private final ReleasedLogs released;
  private final SnapshotRequests requests;
  private final SnapshotTaker snapshots;
  private final AnnouncementsReader announcements;
  private final OrderedShow show;
  private final ForeignLedgers foreign;
  private final Deciding deciding;
  private final OwnGroups groups;
  private final FencedPauses pauses;
  private final Map<String, Instant> newestCompletion = new HashMap<>();
  private volatile ReckonerHealth health = ReckonerHealth.NONE;

  /** The claimed ledger; empty at first, and when it is unknown whether an entry was appended. */
  private Optional<OwnedLedger> owned = Optional.empty();

  /** The accounts of the last read of the inbox. */
  private List<Inbox.Received> accounts = List.of();

  private List<StoragePath> requested = List.of();

  /** Announcements that were read after the ledger's last entry. */
  private Optional<Announced> announced = Optional.empty();

  /** Number of the entry with the last snapshot that this reckoner has taken. */
  private long lastSnapshot;

  private long claimedMs;
  private long readInboxAtMs;
  private long requestsAtMs;
  private long appendedMs;
  private long compactAtMs;
  private long releaseAtMs;

  /** Does nothing until the first cycle. The settings have no tables, but the configured groups. */
  public Reckoner(ReckonerServices services, LedgerSettings settings, Subscription subscription) {
    this.services = services;
    this.inbox =
        new Inbox(services.storage(), services.folders(), ACCOUNTS_MOST, ACCOUNT_BYTES_MOST);
    this.requests = new SnapshotRequests(services.storage(), services.folders());
    this.snapshots = new SnapshotTaker(services);
    this.announcements = new AnnouncementsReader(services.announcements(), services.monotonic());
    this.logs = new CommitLogs(services, settings.rules());
    this.released = new ReleasedLogs(services.storage(), services.folders());
    this.foreign = new ForeignLedgers(services.storage(), services.folders());
    this.show = new OrderedShow(services, logs);
    this.deciding = new Deciding(services);
    this.groups = new OwnGroups(services, foreign, settings.groups());
    this.configured =
        new ReckonedTables(subscription, settings, groups, new FormerTables(services));
    this.pauses = new FencedPauses(services);
  }

  public ReckonerHealth health() {
    return health;
  }

  /**
   * Runs one step: takes a snapshot if one is due, computes completions, and shows them.
   *
   * @return time to wait before the next step
   * @throws IOException the store or the catalog is unavailable: call this method again after a
   *     pause, as after every failure
   * @throws CorruptLogException an operator must act: the ledger cannot be read, or is another
   *     connector's
   * @throws CatalogConflictException the catalog has an object of another owner
   */
  public Duration cycle() throws IOException, CorruptLogException, CatalogConflictException {
    Duration fenced = pauses.pause();
    if (!fenced.isZero()) {
      return fenced;
    }
    // Without a comparison of the clocks no snapshot is taken.
    boolean comparing = services.monotonic().millis() - claimedMs >= CLOCKS_COMPARED_AFTER_MS;
    if (owned.filter(ledger -> ledger.clockAgrees() || !comparing).isEmpty()) {
      owned = Optional.empty();
      claim();
    }
    if (owned.isEmpty()) {
      return pauses.pause();
    }
    show();
    announcements();
    snapshot();
    reckon();
    fold();
    health =
        health.after(
            owned,
            newestCompletion,
            services.clock().instant(),
            snapshots.problem().or(groups::problem).or(announcements::problem).or(show::problem));
    if (owned.isEmpty()) {
      return pauses.pause();
    }
    return services.monotonic().millis() >= readInboxAtMs ? Duration.ZERO : STEP;
  }

  private void claim() throws IOException, CorruptLogException {
    // Read this before the ledger: every shown entry was appended before it was shown.
    long highestShown = services.show().tables().highestShown();
    OwnedLedger.Outcome claim = services.ledger().claim(highestShown);
    claimedMs = services.monotonic().millis();
    keep(claim);
    if (owned.isPresent()) {
      if (current().unshown().stream()
          .anyMatch(each -> each.entry().entry() instanceof LedgerEntry.Acknowledge)) {
        pauses.fencedByOperator();
      }
      announced = Optional.empty();
      show.claimed(current().ledger().number());
      logs.claimed();
      readInboxAtMs = claimedMs;
      appendedMs = claimedMs;
      readInbox();
    }
  }

  private void keep(OwnedLedger.Outcome outcome) {
    if (outcome instanceof OwnedLedger.Outcome.Owned still) {
      owned = Optional.of(still.ledger());
    } else if (outcome instanceof OwnedLedger.Outcome.Fenced fenced) {
      fenced(fenced.reason());
    }
  }

  /** Reads the accounts. The inbox reports each problem once, so every read logs them. */
  private Inbox.Look readInbox() throws IOException {
    Inbox.Look look = inbox.look();
    look.problems().forEach(LOG::warn);
    accounts = look.accounts();
    return look;
  }

  private void fenced(String reason) {
    owned = Optional.empty();
    Duration pause = pauses.fenced();
    LOG.warn(
        "{}: another reckoner has claimed the ledger: {}. This reckoner claims it again in {} ms. This is normal for a moment after a rebalance, when two workers run the connector, and when an operator repairs the ledger.",
        services.folders().ledger(),
        reason,
        pause.toMillis());
  }

  private void show() throws IOException, CatalogConflictException {
    ReckonedTables.Now tables = tables();
    for (OwnedLedger.Unshown next : current().unshown()) {
      owned = Optional.of(show.show(current(), next, tables.byName()));
    }
  }

  private Assignments assigned() {
    return Assignments.after(
        current().ledger().state(),
        accounts.stream().map(Inbox.Received::assigned).toList(),
        Findings.passed(current().storeTime(), services.clock().instant()));
  }

  private ReckonedTables.Now tables() throws IOException {
    return configured.now(current().ledger().state(), assigned().topics());
  }

  private OwnedLedger current() {
    return owned.orElseThrow();
  }

  private void announcements() {
    Optional<Announced> read = announcements.look(current().ledger().state());
    if (read.isPresent()) {
      announced = read;
      readInboxAtMs = services.monotonic().millis();
    }
  }

  private void snapshot() throws IOException, CorruptLogException {
    long nowMs = services.monotonic().millis();
    if (nowMs >= requestsAtMs) {
      requested = requests.pending();
      requestsAtMs = nowMs + REQUESTS_LOOK_MS;
    }
    if (owned.isEmpty() || !current().clockAgrees()) {
      return;
    }
    Ledger ledger = current().ledger();
    Optional<Snapshot> taken =
        snapshots.take(
            ledger,
            configured.settings(),
            () -> {
              configured.subscription().list();
              return tables().settings().tables();
            },
            !requested.isEmpty() || Reckoning.asksForSnapshot(ledger, lastSnapshot));
    if (taken.isPresent()) {
      List<StoragePath> answered = requested;
      append(
          Snapshots.entry(
              ledger,
              taken.get(),
              tables().settings().tables(),
              UUID.randomUUID(),
              services.clock().instant()));
      if (owned.isPresent()) {
        lastSnapshot = current().ledger().number();
        readInboxAtMs = nowMs;
        requested = List.of();
        requests.remove(answered);
      }
    }
  }

  /**
   * Appends an entry. Drops the claim if another reckoner was faster, or if it is unknown whether
   * the entry was appended. The next claim reads the entry if it exists.
   */
  private void append(LedgerEntry entry) throws IOException, CorruptLogException {
    OwnedLedger before = current();
    owned = Optional.empty();
    keep(before.append(entry));
    if (owned.isPresent()) {
      pauses.appended();
    }
  }

  /** Reads accounts and logs, and appends the completions that follow from them. */
  private void reckon() throws IOException, CorruptLogException, CatalogConflictException {
    long nowMs = services.monotonic().millis();
    if (owned.isEmpty() || nowMs < readInboxAtMs) {
      return;
    }
    if (current().fenced()) {
      fenced("there is a later entry");
      return;
    }
    ReckonedTables.Now before = tables();
    Inbox.Look look = readInbox();
    Instant now = services.clock().instant();
    Ledger ledger = current().ledger();
    List<LogRead> read =
        logs.read(
            ledger,
            accounts,
            before.byName().values().stream().map(each -> each.table().layout()).toList());
    Assignments assigned = assigned();
    ReckonedTables.Now tables = configured.withNew(before, read, ledger, assigned.topics());
    Look catalog = new Look();
    Findings findings =
        new Findings(
            read,
            snapshots.topics(tables.nameTaken(), assigned),
            foreign.through(tables.settings().groups().values()),
            announced,
            show.accepting(ledger.state(), tables.byName()),
            catalog,
            current().storeTime());
    Decision decision = deciding.decide(ledger, tables, findings, now);
    long sinceAppendedMs = nowMs - appendedMs;
    boolean worthIt =
        decision.changed()
            && (logs.full()
                || decision.isUrgent(ledger.state())
                || sinceAppendedMs >= APPENDED_AFTER_MS);
    boolean otherReason =
        sinceAppendedMs >= REASON_AFTER_MS && decision.hasOtherReasons(ledger.state());
    boolean appended = worthIt || otherReason;
    if (appended) {
      append(decision.entry(UUID.randomUUID(), now));
      appendedMs = nowMs;
      announced = Optional.empty();
      if (owned.isEmpty()) {
        return;
      }
      decision
          .completions()
          .forEach(each -> newestCompletion.put(each.total().table().toString(), now));
      show();
    }
    int deleted = appended || !decision.changed() ? deleteDone() : 0;
    boolean more =
        (logs.full() && appended)
            || decision.completions().size() == LedgerEntry.Reckoning.COMPLETIONS_MOST
            || (look.more() && deleted > 0);
    readInboxAtMs = more ? nowMs : nowMs + pauseBetweenReads(catalog);
  }

  private long pauseBetweenReads(Look catalog) {
    LedgerState state = current().ledger().state();
    return catalog.isCatalogUnavailable()
            || !state.pending().isEmpty()
            || OwnGroups.waitForOthers(state)
        ? PENDING_READ_MS
        : IDLE_READ_MS;
  }

  /** Deletes the accounts up to which the ledger has read all logs, or never will. */
  private int deleteDone() throws IOException {
    LedgerState state = current().ledger().state();
    List<StoragePath> done =
        accounts.stream()
            .filter(received -> received.isDone(state, logs.refuted()))
            .map(Inbox.Received::file)
            .toList();
    inbox.delete(done);
    return done.size();
  }

  private void fold() throws IOException, CatalogConflictException {
    if (owned.isEmpty()) {
      return;
    }
    Instant now = services.clock().instant();
    owned = Optional.of(current().fold(now));
    long nowMs = services.monotonic().millis();
    if (nowMs >= releaseAtMs && current().unshown().isEmpty()) {
      releaseAtMs = nowMs + RELEASED_AFTER_MS;
      released.put(current().ledger());
    }
    if (nowMs >= compactAtMs) {
      compactAtMs = nowMs + COMPACTED_AFTER_MS;
      // A time has passed only if it has passed by the reckoner's clock and the store's.
      services.show().compact(current().storeTime().filter(now::isAfter).orElse(now));
    }
  }
}
