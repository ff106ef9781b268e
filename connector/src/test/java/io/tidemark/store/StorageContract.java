package io.tidemark.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guarantees of every {@link Storage}. A subclass tests one implementation. */
public abstract class StorageContract {
  private static final int WRITERS = 8;

  private Storage storage;
  private StoragePath directory;

  /** A store of the kind under test. */
  protected abstract Storage newStorage() throws IOException;

  /** The number of times that eight writers race for one name. */
  protected abstract int rounds();

  @BeforeEach
  void openStorage() throws IOException {
    storage = newStorage();
    directory = new StoragePath("/contract/" + System.nanoTime());
    storage.makeDirectories(directory);
  }

  @AfterEach
  void closeStorage() throws IOException {
    storage.close();
  }

  @Test
  void ofEightRacingWritersExactlyOneWins() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try {
      CyclicBarrier start = new CyclicBarrier(WRITERS);
      for (int round = 0; round < rounds(); round++) {
        StoragePath target = directory.child("entry-" + round);
        List<Future<Boolean>> outcomes = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          StoragePath source = directory.child("temporary-" + round + "-" + writer);
          write(source, "writer " + writer);
          outcomes.add(
              pool.submit(
                  () -> {
                    start.await();
                    return wins(source, target);
                  }));
        }
        List<Integer> winners = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          if (outcomes.get(writer).get()) {
            winners.add(writer);
          } else {
            assertThat(read(directory.child("temporary-" + round + "-" + writer)))
                .isEqualTo("writer " + writer);
          }
        }
        assertThat(winners).as("winners of round %s", round).hasSize(1);
        assertThat(read(target)).isEqualTo("writer " + winners.get(0));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private boolean wins(StoragePath source, StoragePath target) throws IOException {
    try {
      storage.rename(source, target);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  @Test
  void renamedFileLeavesItsOldName() throws IOException {
    StoragePath source = write(directory.child("source"), "bytes");
    StoragePath target = directory.child("target");

    storage.rename(source, target);

    assertThat(storage.find(source)).isEmpty();
    assertThat(storage.find(target).map(StoredFile::bytes)).contains(5L);
    assertThat(read(target)).isEqualTo("bytes");
  }

  @Test
  void renameOntoAnExistingFileLeavesBothIntact() throws IOException {
    StoragePath source = write(directory.child("source"), "new");
    StoragePath target = write(directory.child("target"), "old");

    assertThatThrownBy(() -> storage.rename(source, target))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(read(source)).isEqualTo("new");
    assertThat(read(target)).isEqualTo("old");
  }

  @Test
  void renameOntoADirectoryIsRefused() throws IOException {
    StoragePath source = write(directory.child("source"), "new");
    StoragePath target = directory.child("target");
    storage.makeDirectories(target);

    assertThatThrownBy(() -> storage.rename(source, target))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(read(source)).isEqualTo("new");
    assertThat(storage.list(target)).isEmpty();
  }

  @Test
  void renameOfAMissingFileSaysSoInOneLine() {
    assertThatThrownBy(() -> storage.rename(directory.child("none"), directory.child("target")))
        .isInstanceOf(NoSuchFileException.class)
        .satisfies(failure -> assertThat(failure.getMessage()).hasLineCount(1));
  }

  @Test
  void renameIntoAMissingDirectorySaysSoAndKeepsTheFile() throws IOException {
    StoragePath source = write(directory.child("source"), "bytes");

    assertThatThrownBy(() -> storage.rename(source, directory.child("missing/target")))
        .isInstanceOf(NoSuchFileException.class);

    assertThat(read(source)).isEqualTo("bytes");
    assertThat(storage.find(directory.child("missing"))).isEmpty();
  }

  @Test
  void createInAMissingDirectorySaysSoAndMakesNone() throws IOException {
    assertThatThrownBy(() -> storage.create(directory.child("missing/file")).close())
        .isInstanceOf(NoSuchFileException.class);
    assertThat(storage.find(directory.child("missing"))).isEmpty();
  }

  @Test
  void createNeverReplaces() throws IOException {
    StoragePath file = write(directory.child("file"), "old");

    assertThatThrownBy(() -> storage.create(file).close())
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(read(file)).isEqualTo("old");
  }

  @Test
  void openOfAMissingFileSaysSo() {
    assertThatThrownBy(() -> storage.open(directory.child("none")).close())
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void listingHasFilesAndDirectoriesInTheOrderOfNames() throws IOException {
    write(directory.child("b"), "12");
    write(directory.child("%5Fa+0+g1"), "1");
    storage.makeDirectories(directory.child("c=1%3A2/d"));

    assertThat(storage.list(directory))
        .extracting(StoredFile::path, StoredFile::directory, StoredFile::bytes)
        .containsExactly(
            tuple(directory.child("%5Fa+0+g1"), false, 1L),
            tuple(directory.child("b"), false, 2L),
            tuple(directory.child("c=1%3A2"), true, 0L));
  }

  /**
   * The time is that of the store's clock, which is this machine's clock in the tests. Some disks
   * keep whole seconds only.
   */
  @Test
  void fileTellsWhenItWasWritten() throws Exception {
    StoragePath file = directory.child("file");
    OutputStream out = storage.create(file);
    out.write(1);
    Thread.sleep(1_100);
    long before = System.currentTimeMillis();
    out.write(2);
    out.close();
    long after = System.currentTimeMillis();

    long modified = storage.find(file).orElseThrow().modifiedMs();
    assertThat(modified).isBetween(before - 1_000, after + 1_000);
    Thread.sleep(1_100);
    StoragePath renamed = directory.child("renamed");
    storage.rename(file, renamed);
    assertThat(storage.find(renamed).orElseThrow().modifiedMs()).isEqualTo(modified);
    assertThat(storage.list(directory)).containsExactly(StoredFile.file(renamed, 2, modified));
  }

  @Test
  void listingOfAMissingDirectoryIsEmpty() throws IOException {
    assertThat(storage.list(directory.child("missing"))).isEmpty();
  }

  @Test
  void deleteTellsWhetherItRemovedTheFile() throws IOException {
    StoragePath file = write(directory.child("file"), "bytes");

    assertThat(storage.delete(file)).isTrue();
    assertThat(storage.delete(file)).isFalse();
    assertThat(storage.find(file)).isEmpty();
  }

  @Test
  void deleteTreeTellsWhetherItRemovedTheDirectory() throws IOException {
    StoragePath tree = directory.child("tree");
    storage.makeDirectories(tree.child("a/b"));
    write(tree.child("a/b/file"), "bytes");

    assertThat(storage.deleteTree(tree)).isTrue();
    assertThat(storage.deleteTree(tree)).isFalse();
    assertThat(storage.find(tree)).isEmpty();
    assertThat(storage.find(directory)).isPresent();
  }

  @Test
  void removedDirectoryStopsThoseWhoStillWriteThere() throws IOException {
    StoragePath staging = directory.child("staging");
    storage.makeDirectories(staging);
    StoragePath file = staging.child("file");
    OutputStream zombie = storage.create(file);
    zombie.write("before".getBytes(UTF_8));

    assertThat(storage.deleteTree(staging)).isTrue();

    assertThatThrownBy(
            () -> {
              zombie.write("after".getBytes(UTF_8));
              zombie.close();
            })
        .isInstanceOf(IOException.class);
    assertThat(storage.find(file)).isEmpty();
    assertThat(storage.find(staging)).isEmpty();
    assertThatThrownBy(() -> storage.create(staging.child("next")).close())
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void directoriesAreMadeOnceAndAgain() throws IOException {
    storage.makeDirectories(directory.child("a/b"));
    storage.makeDirectories(directory.child("a/b"));

    assertThat(storage.find(directory.child("a/b")).map(StoredFile::directory)).contains(true);
  }

  @Test
  void directoryHasTheTimeAtWhichSomethingWasCreatedInIt() throws Exception {
    StoragePath above = directory.child("above");
    storage.makeDirectories(above.child("a"));
    Thread.sleep(1_100);
    long between = System.currentTimeMillis() - 50;
    storage.makeDirectories(above.child("b"));
    assertThat(modifiedMs(above)).isBetween(between, System.currentTimeMillis() + 1_000);
    assertThat(modifiedMs(above.child("b"))).isGreaterThanOrEqualTo(between);
    assertThat(modifiedMs(above.child("a"))).isLessThan(between);
    Thread.sleep(1_100);
    long later = System.currentTimeMillis() - 50;
    storage.rename(write(directory.child("file"), "bytes"), above.child("a/file"));

    assertThat(modifiedMs(above.child("a"))).isGreaterThanOrEqualTo(later);
    assertThat(modifiedMs(above)).isLessThan(later);
  }

  private long modifiedMs(StoragePath path) throws IOException {
    return storage.find(path).orElseThrow().modifiedMs();
  }

  @Test
  void closingTwiceIsHarmless() throws IOException {
    OutputStream out = storage.create(directory.child("file"));
    out.write(1);
    out.close();
    out.close();

    assertThat(storage.find(directory.child("file")).orElseThrow().bytes()).isEqualTo(1);
  }

  private StoragePath write(StoragePath file, String text) throws IOException {
    try (OutputStream out = storage.create(file)) {
      out.write(text.getBytes(UTF_8));
    }
    return file;
  }

  private String read(StoragePath file) throws IOException {
    try (InputStream in = storage.open(file)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
