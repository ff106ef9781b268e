package io.tidemark.connect.faults;

import io.tidemark.connect.intake.Scheduling;
import io.tidemark.store.Storage;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/**
 * The process of a worker: an executor of its work, the gate of its calls, and the clock of its
 * host, which can be set. The process can sleep and wake as a zombie. It can also die; after that
 * it does nothing.
 */
final class SimulatedProcess implements Executor, Scheduling.Timer, CallGate {
  /** A late call takes effect within this time. */
  static final long LATE_MS = 3_000;

  private static final long SLEEP_MS = 8_000;

  private final Simulation simulation;
  private final BiFunction<SimulatedProcess, String, Fate> fates;
  private int sleeps;
  private boolean dead;
  private int fallenAsleep;
  private long clockAheadMs;
  private int atOnce;
  private Optional<Storage> formerActive = Optional.empty();

  SimulatedProcess(Simulation simulation, BiFunction<SimulatedProcess, String, Fate> fates) {
    this.simulation = simulation;
    this.fates = fates;
  }

  /** Ends the work of a process that dies. */
  private static final class Died extends Error {
    private static final long serialVersionUID = 1L;

    Died() {
      super("the process is dead", null, false, false);
    }
  }

  boolean awake() {
    return sleeps == 0;
  }

  boolean dead() {
    return dead;
  }

  /** The number of times that it fell asleep. */
  int fallenAsleep() {
    return fallenAsleep;
  }

  void fallAsleep() {
    sleeps++;
    fallenAsleep++;
  }

  void wake() {
    sleeps--;
  }

  void die() {
    dead = true;
  }

  /** The former active name node, if the process reads from it. */
  Optional<Storage> formerActive() {
    return formerActive;
  }

  void readFrom(Optional<Storage> nameNode) {
    formerActive = nameNode;
  }

  /** The process no longer reads from this former active name node. */
  void leave(Optional<Storage> nameNode) {
    if (formerActive.equals(nameNode)) {
      formerActive = Optional.empty();
    }
  }

  /** The clock of its host, as people read it. */
  Clock wall() {
    return simulation.wall(() -> clockAheadMs);
  }

  /** Sets the clock of its host forward, or back if negative. */
  void setClock(long byMs) {
    clockAheadMs += byMs;
    simulation.clockWasSet();
  }

  /** Corrects the clock of its host. */
  void correctClock() {
    clockAheadMs = 0;
  }

  /**
   * Runs this number of the next pieces of work immediately, inside of the call that submits them.
   */
  void workAtOnce(int pieces) {
    atOnce = pieces;
  }

  @Override
  public void execute(Runnable work) {
    if (atOnce > 0) {
      atOnce--;
      run(work);
    } else {
      simulation.soon(this, () -> run(work));
    }
  }

  @Override
  public void runAfter(long pauseMs, Runnable work) {
    simulation.after(pauseMs, this, () -> run(work));
  }

  /** Runs something as this process, which may die during it. */
  void run(Runnable work) {
    if (!dead) {
      try {
        work.run();
      } catch (Died e) {
        if (!dead) {
          throw e;
        }
      }
    }
  }

  @Override
  public <T> T ask(String name, Call<T> call) throws IOException {
    return through(name, call, false);
  }

  @Override
  public <T> T change(String name, Call<T> call) throws IOException {
    return through(name, call, true);
  }

  private <T> T through(String name, Call<T> call, boolean changes) throws IOException {
    live();
    switch (fates.apply(this, name)) {
      case SUCCEEDS -> {
        return call.run();
      }
      case FAILS -> throw new IOException(name + ": no answer");
      case LOSES_ITS_ANSWER -> {
        if (changes) {
          call.run();
        }
        throw new IOException(name + ": the answer was lost");
      }
      case REPEATED -> {
        if (changes) {
          call.run();
        }
        if (changes && (name.startsWith("storage ") || name.startsWith("catalog "))) {
          return call.run();
        }
        throw new IOException(name + ": the answer was lost");
      }
      case TAKES_EFFECT_LATE -> {
        if (changes) {
          simulation.after(simulation.random().nextLong(LATE_MS), () -> effectOf(call));
        }
        throw new IOException(name + ": timed out");
      }
      case SLEEPS_BEFORE -> {
        simulation.sleep(this, SLEEP_MS);
        live();
        return call.run();
      }
      case SLEEPS_AFTER -> {
        T answer = call.run();
        simulation.sleep(this, SLEEP_MS);
        live();
        return answer;
      }
      case DIES_BEFORE -> die();
      case DIES_AFTER -> {
        call.run();
        die();
      }
    }
    throw new Died();
  }

  private void live() {
    if (dead) {
      throw new Died();
    }
  }

  private static void effectOf(Call<?> call) {
    try {
      call.run();
    } catch (IOException e) {
      // Nobody waits for the answer any more.
    }
  }
}
