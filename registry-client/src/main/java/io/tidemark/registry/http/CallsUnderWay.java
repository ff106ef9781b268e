package io.tidemark.registry.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls in progress of one client. Closing the client ends them: the JDK's HTTP client of Java
 * 17 cannot be closed. Safe for use by many threads.
 */
final class CallsUnderWay {
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A call in the thread that began it. */
  final class Call implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private boolean ended;
    private boolean cut;

    private Call() {}

    private synchronized void cut() {
      if (!ended) {
        cut = true;
        thread.interrupt();
      }
    }

    /** Returns whether closing the client has interrupted the call. */
    synchronized boolean wasCut() {
      return cut;
    }

    /** Ends the call, in its thread; clears an interruption that was meant for the call. */
    @Override
    public void close() {
      calls.remove(this);
      synchronized (this) {
        ended = true;
        if (cut) {
          Thread.interrupted();
        }
      }
    }
  }

  /** Begins a call; throws if the client is closed. */
  Call begin() {
    Call call = new Call();
    calls.add(call);
    if (closed) {
      call.close();
      throw new IllegalStateException("the client is closed");
    }
    return call;
  }

  /** Ends all calls, and prevents new ones. */
  void close() {
    closed = true;
    calls.forEach(Call::cut);
  }
}
