package io.tidemark.connect.faults;

import java.io.IOException;

/** A gate between a caller and a service. It decides the {@link Fate} of each call. */
interface CallGate {

  /** A call to the service, which returns the service's answer. */
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

  /** Makes a call that changes something. The change takes effect now, later or never. */
  <T> T change(String name, Call<T> call) throws IOException;

  /** Does the same as {@link #change(String, Call)}, without an answer. */
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
