package io.tidemark.connect.health;

import io.tidemark.connect.time.MonotonicClock;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The calls of one service by one task: how many, how long, and which are under way. */
public final class ServiceCalls {
  private final Service service;
  private final String address;
  private final MonotonicClock clock;
  private final Set<Call> underWay = ConcurrentHashMap.newKeySet();
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder remembered = new LongAdder();

  /** None yet; {@code address} is the service's, as the configuration has it. */
  public ServiceCalls(Service service, String address, MonotonicClock clock) {
    this.service = service;
    this.address = address;
    this.clock = clock;
  }

  /**
   * A call that has begun, and has not ended.
   *
   * @param what is asked. Example: {@code list}
   * @param lastsMs for so long
   */
  public record UnderWay(String what, long lastsMs) {}

  /** One call; used by the thread that makes it. */
  public final class Call implements AutoCloseable {
    private final String what;
    private final long beganMs = clock.millis();
    private final long beganNanos = System.nanoTime();
    private boolean isAnswered;

    private Call(String what) {
      this.what = what;
    }

    /** The service has answered, be it that there is no such thing. */
    public void answer() {
      isAnswered = true;
    }

    /** Ends it: without an answer it has failed. */
    @Override
    public void close() {
      nanos.add(System.nanoTime() - beganNanos);
      (isAnswered ? answered : failed).increment();
      underWay.remove(this);
    }
  }

  /** Begins a call. */
  public Call begin(String what) {
    Call call = new Call(what);
    underWay.add(call);
    return call;
  }

  /** What would be asked is known: no call is made. */
  public void remembered() {
    remembered.increment();
  }

  /** How often no call had to be made, so far. */
  public long timesRemembered() {
    return remembered.sum();
  }

  /** Whose calls they are. */
  public Service service() {
    return service;
  }

  /** The service's, as the configuration has it. */
  public String address() {
    return address;
  }

  /** Calls that were answered, so far. */
  public long answered() {
    return answered.sum();
  }

  /** Calls that were not, so far. */
  public long failed() {
    return failed.sum();
  }

  /** How long all of them took, added up. */
  public long nanos() {
    return nanos.sum();
  }

  /** The call that has waited longest for its answer. */
  public Optional<UnderWay> longest() {
    long nowMs = clock.millis();
    return underWay.stream()
        .map(call -> new UnderWay(call.what, nowMs - call.beganMs))
        .max(Comparator.comparingLong(UnderWay::lastsMs));
  }
}
