package io.tidemark.connect.faults;

import java.io.IOException;
import java.util.function.Consumer;

/**
 * The gate of a process, whose calls are watched from the side of the services: a change when it
 * has taken effect, whether its caller learns of it or not.
 *
 * @param asked hears of calls that change nothing, by their names
 * @param changed hears of changes that succeeded
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
