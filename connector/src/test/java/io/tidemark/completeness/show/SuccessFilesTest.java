package io.tidemark.completeness.show;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

class SuccessFilesTest {
  private static final TableLayout ORDERS = new TableLayout(new StoragePath("/topics/orders"));
  private static final StoragePath HOUR = ORDERS.partitionDirectory(Ledgers.HOUR_7);

  private final MemoryStorage memory = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final SuccessFiles files = new SuccessFiles(storage);

  @Test
  void manifestStandsInTheHivePartition() throws Exception {
    memory.makeDirectories(HOUR);

    files.put(ORDERS, Ledgers.manifest(42), false);

    assertThat(memory.list(HOUR))
        .extracting(file -> file.path().name())
        .containsExactly("_SUCCESS");
    assertThat(files.read(HOUR)).contains(Ledgers.manifest(42));
  }

  @Test
  void manifestOfTheFirstCompletionStays() throws Exception {
    memory.makeDirectories(HOUR);
    files.put(ORDERS, Ledgers.manifest(42), false);

    files.put(ORDERS, Ledgers.manifest(57), false);
    files.put(ORDERS, Ledgers.manifest(57), true);

    assertThat(files.read(HOUR)).contains(Ledgers.manifest(42));
  }

  @Test
  void hivePartitionWithoutDirectoryGetsNone() throws Exception {
    files.put(ORDERS, Ledgers.manifest(42), false);
    files.put(ORDERS, Ledgers.manifest(42), true);

    assertThat(memory.find(HOUR)).isEmpty();
    assertThat(files.read(HOUR)).isEmpty();
  }

  @Test
  void whatAnInterruptedReckonerLeftIsRemoved() throws Exception {
    memory.makeDirectories(HOUR);
    storage.failBefore(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> files.put(ORDERS, Ledgers.manifest(42), false))
        .isInstanceOf(IOException.class);
    storage.heal();
    assertThat(memory.list(HOUR)).hasSize(1);

    files.put(ORDERS, Ledgers.manifest(42), true);

    assertThat(memory.list(HOUR))
        .extracting(file -> file.path().name())
        .containsExactly("_SUCCESS");
  }

  @Test
  void lostAnswerIsHarmless() throws Exception {
    memory.makeDirectories(HOUR);
    storage.failAfter(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> files.put(ORDERS, Ledgers.manifest(42), false))
        .isInstanceOf(IOException.class);
    storage.heal();

    files.put(ORDERS, Ledgers.manifest(42), true);
    assertThat(files.read(HOUR)).contains(Ledgers.manifest(42));
  }

  @Test
  void fileOfAnotherProgramIsNeitherReplacedNorTakenForAManifest() throws Exception {
    memory.makeDirectories(HOUR);
    StoragePath file = HOUR.child("_SUCCESS");
    try (OutputStream out = memory.create(file)) {
      out.write("spark".getBytes(UTF_8));
    }

    files.put(ORDERS, Ledgers.manifest(42), false);

    assertThat(memory.find(file).map(StoredFile::bytes)).contains(5L);
    assertThatThrownBy(() -> files.read(HOUR))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("_SUCCESS");
  }
}
