package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.reckon.Inbox;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.OperatorRepair;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The reckoners of a {@link World}. Each worker has one that runs the connector, or that does not
 * know yet that it no longer runs it. There are none before the first one is started.
 */
final class SimulatedReckoners {
  private static final Duration SKEW_MOST = Duration.ofMinutes(1);
  private static final long COVERED_WITHIN_MS = 600_000;
  private static final StoragePath ENTRIES = World.LEDGER.ledger().child("log");
  private static final StoragePath INBOX = World.LEDGER.ledger().child("inbox");

  private static final String APPENDS = "storage rename " + ENTRIES + "/";
  private static final String READS_LOG = "storage open " + World.LOGS + "/";

  private final World world;
  private final LedgerSettings settings;
  private final CompletionCheck check;
  private final List<SimulatedReckoner> reckoners = new ArrayList<>();
  private final Set<Hazard> reached = EnumSet.noneOf(Hazard.class);

  /** The last reckoner that appended an entry. */
  private Optional<SimulatedProcess> appended = Optional.empty();

  private boolean stopped;
  private final List<Account> accounts = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  SimulatedReckoners(World world, LedgerSettings settings) {
    this.world = world;
    this.settings = settings;
    this.check = new CompletionCheck(world, settings, SKEW_MOST);
  }

  CompletionCheck check() {
    return check;
  }

  /** Tables and times that were not complete in time. */
  List<String> missing() {
    return missing;
  }

  Set<Hazard> reached() {
    Set<Hazard> all = EnumSet.copyOf(reached);
    all.addAll(check.reached());
    return all;
  }

  List<SimulatedReckoner> living() {
    return reckoners.stream().filter(each -> !each.process().dead()).toList();
  }

  private List<SimulatedReckoner> awake() {
    return living().stream().filter(each -> each.process().awake()).toList();
  }

  /** Another worker runs the connector. The former workers continue until they are informed. */
  void start() {
    if (stopped) {
      return;
    }
    SimulatedReckoner started = reckoner(world.startProcess());
    reckoners.add(started);
    started.start();
  }

  /** A copy of the ledger's files, and what the ledger knew and stated then. */
  record Copy(CopiedTree files, LedgerKnowledge knowledge, Map<String, Instant> through) {}

  Copy copy() {
    return new Copy(
        CopiedTree.of(world.storage(), World.LEDGER.ledger()),
        check.knowledge().copy(),
        check.throughs());
  }

  /** The ledger as it was before the first entry. */
  Copy none() {
    return new Copy(CopiedTree.none(World.LEDGER.ledger()), check.knowledge().blank(), Map.of());
  }

  /**
   * An operator replaces the ledger by an older copy, while no worker runs the connector and no
   * call is on its way.
   */
  void restore(Copy older) {
    if (stopped) {
      return;
    }
    stopped = true;
    living().forEach(each -> each.process().die());
    world
        .simulation()
        .after(
            SimulatedProcess.LATE_MS,
            () -> {
              older.files().replace(world.storage());
              if (!older.files().hasFiles()) {
                older.knowledge().begins();
              }
              check.restored(older.knowledge(), older.through());
              reached.add(Hazard.OLDER_LEDGER);
              stopped = false;
              start();
            });
  }

  private SimulatedReckoner reckoner(SimulatedProcess process) {
    boolean withCatalog = world.connector().withCatalog();
    return new SimulatedReckoner(
        world,
        process,
        new WatchingGate(process, this::asked, name -> changed(process, withCatalog, name)),
        settings,
        SKEW_MOST);
  }

  private void asked(String name) {
    if (name.startsWith(READS_LOG)) {
      reached.add(Hazard.GAP_READ);
    }
  }

  private void changed(SimulatedProcess process, boolean withCatalog, String name) {
    if (!name.startsWith(APPENDS) || name.contains("checkpoint")) {
      return;
    }
    String file = name.substring(APPENDS.length());
    long number = Long.parseLong(file.substring(0, file.indexOf('.')));
    check.appended(number, entry(file), withCatalog);
    appended = Optional.of(process);
  }

  private LedgerEntry entry(String file) {
    try (InputStream in = world.storage().open(ENTRIES.child(file))) {
      return LedgerEntry.FORMAT.read(in.readAllBytes(), file);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** Puts a reckoner to sleep. If another one has appended when it wakes, it is a zombie. */
  void sleep(long ms) {
    List<SimulatedReckoner> awake = awake();
    if (!awake.isEmpty()) {
      SimulatedProcess process = awake.get(0).process();
      process.fallAsleep();
      world
          .simulation()
          .after(
              ms,
              () -> {
                process.wake();
                if (appended.filter(last -> last != process).isPresent()) {
                  reached.add(Hazard.ZOMBIE_RECKONER);
                }
              });
    }
  }

  /** The first worker that runs the connector dies. */
  void die() {
    living().stream().findFirst().ifPresent(each -> each.process().die());
  }

  void setClock(long byMs) {
    awake().stream().findFirst().ifPresent(each -> each.process().setClock(byMs));
  }

  /** Lets a new worker run the connector if no reachable worker does. */
  void replaceAbsent() {
    if (!stopped && !reckoners.isEmpty() && awake().isEmpty()) {
      start();
    }
  }

  /** True if a table does not wait for new records of the topic. */
  boolean mayEnd(String topic) {
    return !settings.rules().of(topic).idleHolds();
  }

  /** A task has put an account. */
  void accounted(Account account) {
    check.knowledge().accounted(account);
    accounts.add(account);
  }

  /** An account that was put before arrives again, late and in another order. */
  void putAgain() {
    if (accounts.isEmpty()) {
      return;
    }
    try {
      Account again = accounts.get(world.simulation().random().nextInt(accounts.size()));
      StoragePath unused =
          new Inbox(world.storage(), World.LEDGER, 0, 0)
              .put(again, Instant.ofEpochMilli(world.simulation().nowMs()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    reached.add(Hazard.ACCOUNTED_AGAIN);
  }

  /** An operator removes the oldest account that no reckoner has taken. */
  void loseAccount() {
    try {
      for (StoredFile file : world.storage().list(INBOX)) {
        if (file.path().name().endsWith(".json")) {
          check.knowledge().lost(Account.FORMAT.read(world.storage(), file.path()));
          world.storage().delete(file.path());
          return;
        }
      }
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** What an operator may change in the ledger. All calls of the operator succeed. */
  OperatorRepair repair() {
    return reckoner(new SimulatedProcess(world.simulation(), (process, call) -> Fate.SUCCEEDS))
        .repair();
  }

  /** True if the ledger has read a log of a known topic only up to an earlier entry. */
  boolean isBefore(TopicPartition topicPartition, long number) {
    LedgerState read;
    try {
      read =
          new LedgerLog(
                  world.storage(),
                  World.LEDGER,
                  World.LOG_ID,
                  "reader",
                  world.simulation().wall(() -> 0),
                  SKEW_MOST)
              .read()
              .state();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
    Position at = read.topic(topicPartition.topic()).at().get(topicPartition.partition());
    return read.topics().containsKey(topicPartition.topic())
        && (at == null ? 0 : at.number()) < number
        && read.holds().stream().noneMatch(hold -> hold.kind() == HoldKind.GAP);
  }

  /** True if a reckoner sleeps. It continues as a zombie when it wakes. */
  boolean sleeping() {
    return living().size() > awake().size();
  }

  /** Lets one last worker run the connector. */
  void restart() {
    living().forEach(each -> each.process().die());
    start();
  }

  /**
   * Changes the configuration. Reckoners that are informed of it end; the others will be zombies.
   */
  void reconfigure() {
    awake().forEach(each -> each.process().die());
    start();
  }

  /**
   * Lets time pass until all tables are complete through the present, and all announced batches are
   * judged. Meanwhile an operator carries out what the ledger says.
   */
  void awaitCovered() {
    long begunMs = world.simulation().nowMs();
    long interval = settings.interval().toMillis();
    Instant tick = Instant.ofEpochMilli(begunMs - begunMs % interval);
    CompletenessOperator operator = new CompletenessOperator(world, this);
    world.simulation().after(COVERED_WITHIN_MS / 2, world.after()::inform);
    while (isHeld(tick)) {
      if (world.simulation().nowMs() - begunMs > COVERED_WITHIN_MS) {
        missing.add(
            "not complete through %s, nothing said of %s, cures %s: %s"
                .formatted(tick, check.unjudged(), operator, check.state()));
        return;
      }
      operator.act();
      // Only here: tasks say more about removed logs, but none runs if no topic is left.
      living().forEach(each -> each.failure().ifPresent(world.operator()::read));
      world.simulation().run(AfterFaults.STEP_MS);
    }
    reached.addAll(operator.reached());
  }

  /** True if a table that has topics is not complete, or an announced batch is not judged. */
  private boolean isHeld(Instant tick) {
    return !check.unjudged().isEmpty()
        || world.after().expected().stream()
            .flatMap(each -> world.tables().all(each.topic()).stream())
            .map(table -> table.name().toString())
            .distinct()
            .anyMatch(table -> check.through(table).isBefore(tick));
  }
}
