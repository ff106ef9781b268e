package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.reckon.CatalogLook;
import io.tidemark.completeness.reckon.LedgerLog;
import io.tidemark.completeness.reckon.OperatorRepair;
import io.tidemark.completeness.reckon.Reckoner;
import io.tidemark.completeness.reckon.ReckonerServices;
import io.tidemark.completeness.show.LedgerShow;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.store.Storage;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.TableCatalog;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A reckoner in a process of its own. It makes its rounds like the reckoner's thread of a worker.
 * Several may exist, and one may sleep while another one writes the ledger.
 */
final class SimulatedReckoner {
  private static final String DATABASE = "ledgers";
  private static final Duration RETENTION = Duration.ofDays(90);
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final int LONGEST_PAUSE = 6;

  private final World world;
  private final SimulatedProcess process;
  private final LedgerLog ledger;
  private final LedgerTables tables;
  private final Reckoner reckoner;
  private int failures;

  /** Why the last cycle failed. */
  private Optional<String> failure = Optional.empty();

  SimulatedReckoner(
      World world,
      SimulatedProcess process,
      WatchingGate gate,
      LedgerSettings settings,
      Duration skewMost) {
    this.world = world;
    this.process = process;
    Storage storage = new GatedStorage(world.storageOf(process), gate);
    Optional<TableCatalog> catalog =
        world.connector().withCatalog()
            ? Optional.of(new GatedCatalog(world.catalog(), gate))
            : Optional.empty();
    ledger = new LedgerLog(storage, World.LEDGER, World.LOG_ID, "worker", process.wall(), skewMost);
    tables = new LedgerTables(storage, catalog, DATABASE, World.LEDGER);
    LedgerShow show =
        new LedgerShow(
            settings.lateness(), settings.rules(), false, tables, RETENTION, Optional.empty());
    reckoner =
        new Reckoner(
            new ReckonerServices(
                storage,
                World.LEDGER,
                World.LOGS,
                ledger,
                world.operator().endOffsets(gate),
                world.announcements().map(batches -> batches.topic(gate)),
                catalog.map(seen -> catalogLook(storage, seen)),
                show,
                process.wall(),
                world.simulation().monotonic(),
                new Random(world.simulation().random().nextLong()),
                Runnable::run),
            settings,
            new SimulatedSubscription(world, gate));
  }

  private CatalogLook catalogLook(Storage storage, TableCatalog catalog) {
    return new CatalogLook(
        storage,
        catalog,
        new Registrar(storage, catalog, table -> Map.of(), world.simulation().monotonic()));
  }

  /** Starts its rounds. */
  void start() {
    process.runAfter(1, this::cycle);
  }

  SimulatedProcess process() {
    return process;
  }

  /** Why it fails, for operators; empty if it does not. */
  Optional<String> failure() {
    return failure;
  }

  private void cycle() {
    long pauseMs;
    try {
      pauseMs = reckoner.cycle().toMillis();
      failures = 0;
      failure = Optional.empty();
    } catch (IOException | CorruptLogException | CatalogConflictException e) {
      pauseMs = FIRST_PAUSE_MS << Math.min(failures++, LONGEST_PAUSE);
      failure = Optional.of(String.valueOf(e.getMessage()));
    }
    process.runAfter(Math.max(1, pauseMs), this::cycle);
  }

  /** The part of {@code tidemark repair} that changes the ledger. */
  OperatorRepair repair() {
    return new OperatorRepair(ledger, tables, process.wall());
  }
}
