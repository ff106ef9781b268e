package io.tidemark.connect.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.SchemaRegistry;
import io.tidemark.store.LocalStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.table.TableCatalog;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredServiceTest {

  @Test
  void everyRequestIsMeasured() {
    Set<String> methods =
        Stream.of(Storage.class, TopicMetadata.class, TableCatalog.class, SchemaRegistry.class)
            .flatMap(type -> Stream.of(type.getMethods()))
            .map(Method::getName)
            .collect(Collectors.toSet());
    methods.removeAll(Set.of("location", "close", "remembers", "contradictions"));

    assertThat(MeasuredService.NAMES).containsOnlyKeys(methods);
  }

  @Test
  void failureOfTheClientIsThrownAsItIs(@TempDir Path directory) throws Exception {
    ServiceCalls calls = new ServiceCalls(Service.STORE, "here", () -> 0);
    try (Storage storage = MeasuredService.of(Storage.class, new LocalStorage(directory), calls)) {
      StoragePath file = new StoragePath("/file");
      OutputStream created = storage.create(file);
      created.write(new byte[] {1});
      created.close();

      assertThatThrownBy(() -> storage.create(file)).isInstanceOf(FileAlreadyExistsException.class);
    }
    assertThat(calls.failed()).isZero();
    assertThat(calls.answered()).isEqualTo(4);
  }
}
