package io.tidemark.connect.health;

import io.tidemark.store.MonotonicClock;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts and measures the calls of one service by one task. */
public final class ServiceCalls {
  private final Service service;
  private final String address;
  private final MonotonicClock clock;
  private final Set<Call> underWay = ConcurrentHashMap.newKeySet();
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder remembered = new LongAdder();

  /** Creates counters at 0. {@code address} is the service's address in the configuration. */
  public ServiceCalls(Service service, String address, MonotonicClock clock) {
    this.service = service;
    this.address = address;
    this.clock = clock;
  }

  /** A call that has begun and has not ended. {@code what} is its name, such as {@code list}. */
  public record UnderWay(String what, long lastsMs) {}

  /** One call. Not thread-safe. */
  public final class Call implements AutoCloseable {
    private final String what;
    private final long beganMs = clock.millis();
    private final long beganNanos = System.nanoTime();
    private boolean isAnswered;

    private Call(String what) {
      this.what = what;
    }

    /** Records a response of the service, even if it is that an object does not exist. */
    public void answer() {
      isAnswered = true;
    }

    /** Ends the call. A call without a response counts as failed. */
    @Override
    public void close() {
      nanos.add(System.nanoTime() - beganNanos);
      (isAnswered ? answered : failed).increment();
      underWay.remove(this);
    }
  }

  public Call begin(String what) {
    Call call = new Call(what);
    underWay.add(call);
    return call;
  }

  public void remembered() {
    remembered.increment();
  }

  public long timesRemembered() {
    return remembered.sum();
  }

  public Service service() {
    return service;
  }

  public String address() {
    return address;
  }

  public long answered() {
    return answered.sum();
  }

  /** Calls that got no response, or were refused. */
  public long failed() {
    return failed.sum();
  }

  /** The duration of all calls, summed. */
  public long nanos() {
    return nanos.sum();
  }

  public Optional<UnderWay> longest() {
    long nowMs = clock.millis();
    return underWay.stream()
        .map(call -> new UnderWay(call.what, nowMs - call.beganMs))
        .max(Comparator.comparingLong(UnderWay::lastsMs));
  }
}
