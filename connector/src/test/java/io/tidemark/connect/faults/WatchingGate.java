package io.tidemark.connect.faults;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * The gate of a process that reports its calls to watchers. It reports a change when it has taken
 * effect in the service, even if the caller gets an error.
 *
 * @param asked receives the names of calls that change nothing
 * @param changed receives the names of changes that succeeded
 */
record WatchingGate(CallGate gate, Consumer<String> asked, Consumer<String> changed)
    implements CallGate {

  @Override
  public <T> T ask(String name, Call<T> call) throws IOException {
    return gate.ask(
        name,
        () -> {
          T answer = call.run();
          asked.accept(name);
          return answer;
        });
  }

  @Override
  public <T> T change(String name, Call<T> call) throws IOException {
    return gate.change(
        name,
        () -> {
          T answer = call.run();
          changed.accept(name);
          return answer;
        });
  }
}
