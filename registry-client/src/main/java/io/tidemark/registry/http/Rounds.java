package io.tidemark.registry.http;

import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.http.Reply.Failure;
import io.tidemark.registry.http.Reply.Found;
import io.tidemark.registry.http.Reply.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Tries the endpoints in rounds until one responds or a limit of the settings is reached. Safe for
 * use by many threads if the given random generator is.
 */
final class Rounds {

  /** Waits between two rounds. */
  @FunctionalInterface
  interface Sleeper {

    /** Returns true when the time has passed, false if the client was closed meanwhile. */
    boolean sleep(long ms) throws InterruptedException;
  }

  private final HttpSettings settings;
  private final Transport transport;
  private final LongSupplier nanoClock;
  private final RandomGenerator random;
  private final Sleeper sleeper;

  /** The index of the endpoint that responded last: the next lookup begins there. */
  private final AtomicInteger preferred;

  /** When the lookup began of which all requests are; empty if each request is a lookup. */
  private final OptionalLong begun;

  Rounds(
      HttpSettings settings,
      Transport transport,
      LongSupplier nanoClock,
      RandomGenerator random,
      Sleeper sleeper) {
    this(
        settings, transport, nanoClock, random, sleeper, new AtomicInteger(), OptionalLong.empty());
  }

  private Rounds(
      HttpSettings settings,
      Transport transport,
      LongSupplier nanoClock,
      RandomGenerator random,
      Sleeper sleeper,
      AtomicInteger preferred,
      OptionalLong begun) {
    this.settings = settings;
    this.transport = transport;
    this.nanoClock = nanoClock;
    this.random = random;
    this.sleeper = sleeper;
    this.preferred = preferred;
    this.begun = begun;
  }

  /** Returns the same client with one round in each lookup. */
  Rounds once() {
    return new Rounds(
        settings.once(), transport, nanoClock, random, sleeper, preferred, OptionalLong.empty());
  }

  /** Returns the same client for the requests of one lookup, which begins now. */
  Rounds lookup() {
    OptionalLong now = OptionalLong.of(nanoClock.getAsLong());
    return new Rounds(settings, transport, nanoClock, random, sleeper, preferred, now);
  }

  /** Sends a request, with retries, and returns the parsed response. */
  <T> T send(Request<T> request)
      throws RegistryRefusedException, RegistryUnavailableException, InterruptedException {
    long start = begun.orElseGet(nanoClock);
    if (begun.isPresent() && elapsedMs(start) >= settings.totalTimeoutMs()) {
      throw new RegistryUnavailableException(
          "a schema with all that it refers to was not read within "
              + settings.totalTimeoutMs()
              + " ms. See the registry's load, or raise schema.registry.total.timeout.ms.",
          0,
          null);
    }
    for (int round = 1; ; round++) {
      List<Failure<?>> failures = new ArrayList<>();
      int first = preferred.get();
      for (int i = 0; i < settings.endpoints().size(); i++) {
        int index = (first + i) % settings.endpoints().size();
        long leftMs = settings.totalTimeoutMs() - elapsedMs(start);
        if (leftMs <= 0 && !failures.isEmpty()) {
          break;
        }
        Reply<T> reply =
            transport.send(
                settings.endpoints().get(index),
                request,
                Math.max(1, Math.min(leftMs, settings.requestTimeoutMs())));
        if (reply instanceof Failure<T> failure) {
          failures.add(failure);
        } else {
          preferred.set(index);
          if (reply instanceof Refused<T> refused) {
            throw refused.refusal();
          }
          return ((Found<T>) reply).value();
        }
      }
      long waitMs = waitMs(round, failures);
      boolean again =
          failures.stream().anyMatch(Failure::mayPass)
              && round < settings.rounds()
              && elapsedMs(start) + waitMs < settings.totalTimeoutMs();
      if (!again || !sleeper.sleep(waitMs)) {
        throw unavailable(failures, round, elapsedMs(start));
      }
    }
  }

  private long waitMs(int round, List<Failure<?>> failures) {
    long ceilingMs =
        Math.min(settings.maxBackoffMs(), (long) settings.backoffMs() << Math.min(round - 1, 30));
    long askedMs = failures.stream().mapToLong(Failure::retryAfterMs).max().orElse(0);
    return Math.max(askedMs, random.nextLong(ceilingMs + 1));
  }

  private long elapsedMs(long start) {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - start);
  }

  private static RegistryUnavailableException unavailable(
      List<Failure<?>> failures, int rounds, long elapsedMs) {
    StringBuilder message = new StringBuilder();
    for (Failure<?> failure : failures) {
      message.append(failure.problem()).append(' ');
    }
    message.append(rounds == 1 ? "Tried once" : "Tried " + rounds + " times");
    message.append(" in ").append(elapsedMs).append(" ms.");
    Failure<?> last = failures.get(failures.size() - 1);
    return new RegistryUnavailableException(message.toString(), last.code(), last.cause());
  }
}
