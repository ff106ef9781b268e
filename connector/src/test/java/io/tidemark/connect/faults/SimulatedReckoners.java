package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.connect.faults.Verdict.Hazard;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
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
  SimulatedReckoner start() {
    SimulatedReckoner started = reckoner(world.startProcess());
    reckoners.add(started);
    started.start();
    return started;
  }

  private SimulatedReckoner reckoner(SimulatedProcess process) {
    boolean withCatalog = world.withCatalog();
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
    if (!reckoners.isEmpty() && awake().isEmpty()) {
      start();
    }
  }

  /** An operator removes the oldest account that no reckoner has taken. */
  void loseAccount() {
    try {
      for (StoredFile file : world.storage().list(INBOX)) {
        if (file.path().name().endsWith(".json")) {
          world.lost(Account.FORMAT.read(world.storage(), file.path()));
          world.storage().delete(file.path());
          return;
        }
      }
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }

  /** Acknowledges the open holds, as an operator all of whose calls succeed. */
  void acknowledge() {
    try {
      reckoner(new SimulatedProcess(world.simulation(), (process, call) -> Fate.SUCCEEDS))
          .acknowledge();
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError("an operator cannot acknowledge", e);
    }
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
   * Lets time pass until all tables are complete through the present. Meanwhile it acknowledges
   * open holds as an operator, and sends heartbeats as a producer if they are needed.
   */
  void awaitCovered() {
    long begunMs = world.simulation().nowMs();
    long interval = settings.interval().toMillis();
    Instant tick = Instant.ofEpochMilli(begunMs - begunMs % interval);
    List<String> tables =
        world.topics().stream()
            .flatMap(topic -> world.tables(topic).stream())
            .map(table -> table.name().toString())
            .distinct()
            .toList();
    while (tables.stream().anyMatch(table -> check.through(table).isBefore(tick))
        || !check.unjudged().isEmpty()) {
      if (world.simulation().nowMs() - begunMs > COVERED_WITHIN_MS) {
        missing.add(
            "not complete through %s, nothing said of %s: %s"
                .formatted(tick, check.unjudged(), check.state()));
        return;
      }
      if (settings.rules().others().idleHolds()
          || settings.rules().named().values().stream().anyMatch(TopicRules.Rule::idleHolds)) {
        world.heartbeats();
      }
      if (check.held()) {
        acknowledge();
      }
      world.simulation().run(World.SETTLING_STEP_MS);
    }
  }
}
