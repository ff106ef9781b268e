package io.tidemark.connect.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The schedules detect a store that does not give the guarantees of {@link Storage}. */
class StoreGuaranteesTest {
  private static final long SCHEDULES = 1_000;

  /** One of the first seeds that find the store out. */
  private static final long FIRST = 195;

  @Test
  void renameThatReplacesIsFoundOut() {
    assertFoundOut(
        storage ->
            renaming(
                storage,
                (source, target) -> {
                  if (storage.find(source).isPresent()) {
                    storage.delete(target);
                  }
                  storage.rename(source, target);
                }));
  }

  private static void assertFoundOut(UnaryOperator<Storage> bug) {
    assertThat(LongStream.range(FIRST, FIRST + SCHEDULES).anyMatch(seed -> !good(seed, bug)))
        .isTrue();
  }

  private static boolean good(long seed, UnaryOperator<Storage> bug) {
    try {
      return Schedule.run(seed, bug).good();
    } catch (AssertionError | RuntimeException e) {
      return false;
    }
  }

  private interface Rename {
    void run(StoragePath source, StoragePath target) throws IOException;
  }

  /** A store with another rename. */
  private static Storage renaming(Storage storage, Rename rename) {
    return (Storage)
        Proxy.newProxyInstance(
            Storage.class.getClassLoader(),
            new Class<?>[] {Storage.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("rename")) {
                rename.run((StoragePath) arguments[0], (StoragePath) arguments[1]);
                return null;
              }
              try {
                return method.invoke(storage, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
