package io.tidemark.connect.faults;

import java.io.IOException;

/** Stands between a caller and a service, and decides what becomes of each call. */
interface CallGate {

  /** A call as the service would answer it. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** A {@link Call} without an answer. */
  interface Change {
    void run() throws IOException;
  }

  /**
   * Makes a call that changes nothing.
   *
   * @param name the service, the call and its object. Example: {@code "storage list /logs"}
   */
  <T> T ask(String name, Call<T> call) throws IOException;

  /** Makes a call that changes something, now, later or not at all. */
  <T> T change(String name, Call<T> call) throws IOException;

  /** As {@link #change(String, Call)}, without an answer. */
  default void change(String name, Change change) throws IOException {
    Call<Boolean> call =
        () -> {
          change.run();
          return true;
        };
    if (!change(name, call)) {
      throw new IllegalStateException(name + " has no answer");
    }
  }
}
