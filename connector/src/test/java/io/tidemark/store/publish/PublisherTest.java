package io.tidemark.store.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;

class PublisherTest {
  private static final UUID ATTEMPT = UUID.fromString("0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11");
  private static final StoragePath STAGED = new StoragePath("/topics/quotes/.staging/c/1.avro");
  private static final StoragePath SECOND = new StoragePath("/topics/trades/.staging/c/2.avro");
  private static final StoragePath TARGET =
      new StoragePath("/topics/quotes/dt=2026-11-21/quotes.avro");

  private final FaultyStorage storage = new FaultyStorage(new MemoryStorage());
  private final Publisher publisher = new Publisher(storage);

  @Test
  void publishingTwiceIsPublishingOnce() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
    publisher.publish(entry, Optional.of(STAGED.parent()));
    publisher.publish(entry, Optional.of(STAGED.parent()));
    assertThat(storage.find(TARGET)).isPresent();
    assertThat(storage.find(STAGED)).isEmpty();
  }

  @Test
  void renameWhoseAnswerWasLostIsFoundDoneByIdentity() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
    storage.makeDirectories(TARGET.parent());
    storage.failAfter(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> publisher.publish(entry, Optional.of(STAGED.parent())))
        .isInstanceOf(IOException.class);
    storage.heal();

    publisher.publish(entry, Optional.of(STAGED.parent()));

    assertThat(storage.find(TARGET)).isPresent();
  }

  @Test
  void everyCallThatTheClientRepeatedPublishesTheFile() throws Exception {
    for (String repeated : List.of("create", "rename", "delete")) {
      NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
      storage.makeDirectories(TARGET.parent());
      storage.repeat(call -> call.startsWith(repeated));

      publisher.publish(entry, Optional.of(STAGED.parent()));

      storage.heal();
      assertThat(storage.find(TARGET)).as(repeated).isPresent();
      assertThat(storage.find(STAGED)).as(repeated).isEmpty();
      storage.deleteTree(new StoragePath("/topics"));
    }
  }

  @Test
  void fileOfAnotherEntryBlocksTheTable() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
    put(TARGET, UUID.randomUUID());

    assertThatThrownBy(() -> publisher.publish(entry, Optional.of(STAGED.parent())))
        .isInstanceOf(PublishingRefusedException.class)
        .hasMessageContaining("another file has this name")
        .hasMessageContaining("Move the other file away");
    assertThat(storage.find(STAGED)).isPresent();
  }

  @Test
  void fileThatIsNoAvroFileBlocksTheTable() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
    storage.makeDirectories(TARGET.parent());
    storage.create(TARGET).close();

    assertThatThrownBy(() -> publisher.publish(entry, Optional.of(STAGED.parent())))
        .isInstanceOf(PublishingRefusedException.class)
        .hasMessageContaining("not of this connector");
  }

  @Test
  void fileThatIsMissingWithItsStagingDirectoryIsToldAsLost() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
    assertThat(storage.deleteTree(STAGED.parent())).isTrue();

    assertThatThrownBy(() -> publisher.publishAgain(entry))
        .isInstanceOf(PublishingRefusedException.class)
        .hasMessageContaining("neither the staged nor the published file exists")
        .hasMessageContaining("Restore " + STAGED);
  }

  @Test
  void publishedFileThatWasRemovedSinceStaysRemoved() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
    publisher.publish(entry, Optional.of(STAGED.parent()));
    assertThat(storage.delete(TARGET)).isTrue();

    publisher.publishAgain(entry);

    assertThat(storage.find(TARGET)).isEmpty();
  }

  @Test
  void stagedFileThatIsMissingBeforeItsOwnerHasPublishedItIsToldAsLost() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(put(STAGED, ATTEMPT));
    assertThat(storage.delete(STAGED)).isTrue();

    assertThatThrownBy(() -> publisher.publish(entry, Optional.of(STAGED.parent())))
        .isInstanceOf(PublishingRefusedException.class)
        .hasMessageContaining("Restore " + STAGED);
  }

  /** With a mark of this owner, the next claim would discard the records. */
  @Test
  void stagedFileThatItsOwnerMissesIsStillToldAfterARestart() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(3, file("quotes", STAGED, put(STAGED, ATTEMPT)));
    assertThat(storage.delete(STAGED)).isTrue();
    assertThatThrownBy(() -> publisher.publish(entry, Optional.of(STAGED.parent())))
        .isInstanceOf(PublishingRefusedException.class);

    String error = refused(entry);

    assertThat(error).contains("Restore " + STAGED);
    storage.create(new StoragePath(markIn(error))).close();
    publisher.publishAgain(entry);
  }

  @Test
  void markThatTheErrorNamesDiscardsTheRecordsOfAnyTableOfTheEntry() throws Exception {
    NumberedEntry<CommitEntry> entry = ofTwoTables();
    assertThat(storage.delete(SECOND)).isTrue();

    storage.create(new StoragePath(markIn(refused(entry)))).close();

    publisher.publishAgain(entry);
    assertThat(storage.find(TARGET)).isPresent();
  }

  @Test
  void directoryAndMarkThatTheErrorNamesDiscardTheRecordsOfALostFile() throws Exception {
    NumberedEntry<CommitEntry> entry = entry(3, file("quotes", STAGED, put(STAGED, ATTEMPT)));
    assertThat(storage.deleteTree(STAGED.parent())).isTrue();
    String error = refused(entry);
    assertThat(error)
        .contains("removed from " + STAGED.parent())
        .contains("create that directory and the empty file");

    storage.makeDirectories(STAGED.parent());
    assertThat(refused(entry)).contains("create the empty file " + markIn(error));
    storage.create(new StoragePath(markIn(error))).close();

    publisher.publishAgain(entry);
    assertThat(storage.find(TARGET)).isEmpty();
  }

  /** An operator creates the directory before the file is restored. */
  @Test
  void directoryThatIsRestoredEmptyDiscardsNothing() throws Exception {
    NumberedEntry<CommitEntry> entry = ofTwoTables();
    assertThat(storage.deleteTree(SECOND.parent())).isTrue();
    assertThat(refused(entry)).contains("Restore " + SECOND);

    storage.makeDirectories(SECOND.parent());

    assertThat(refused(entry)).contains("Restore " + SECOND);
    assertThat(put(SECOND, ATTEMPT)).isPositive();
    publisher.publishAgain(entry);
    assertThat(storage.find(TARGET)).isPresent();
  }

  /** A user may drop a Hive partition while the other files of its entry wait for the store. */
  @Test
  void publishedFileThatWasDroppedDoesNotKeepTheOthersFromBeingPublished() throws Exception {
    NumberedEntry<CommitEntry> entry = ofTwoTables();
    storage.makeDirectories(TARGET.parent());
    storage.create(StagingDirectories.marker(STAGED.parent(), 7)).close();
    storage.rename(STAGED, TARGET);
    assertThat(storage.delete(TARGET)).isTrue();

    publisher.publish(entry, Optional.of(STAGED.parent()));

    assertThat(storage.find(SECOND)).isEmpty();
    assertThat(storage.find(TARGET)).isEmpty();
  }

  private NumberedEntry<CommitEntry> ofTwoTables() throws IOException {
    return entry(
        3,
        file("quotes", STAGED, put(STAGED, ATTEMPT)),
        file("trades", SECOND, put(SECOND, ATTEMPT)));
  }

  private String refused(NumberedEntry<CommitEntry> entry) {
    return String.valueOf(
        catchThrowableOfType(PublishingRefusedException.class, () -> publisher.publishAgain(entry))
            .getMessage());
  }

  /** Returns the path of the mark that an error names. */
  private static String markIn(String error) {
    return error.replaceAll(".*the empty file (\\S+\\d).*", "$1");
  }

  /** Writes an Avro file of an entry and returns its length. */
  private long put(StoragePath path, UUID attempt) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>())) {
      writer.setMeta(AvroFormat.ENTRY_KEY, attempt.toString());
      writer.create(Schema.create(Schema.Type.LONG), bytes).append(1L);
    }
    storage.makeDirectories(path.parent());
    try (OutputStream out = storage.create(path)) {
      out.write(bytes.toByteArray());
    }
    return bytes.size();
  }

  private static NumberedEntry<CommitEntry> entry(long bytes) {
    return entry(LogState.UNKNOWN, file("quotes", STAGED, bytes));
  }

  private static DataFile file(String table, StoragePath staged, long bytes) {
    return new DataFile(
        new TableName("default", table),
        staged,
        new StoragePath("/topics/" + table + "/dt=2026-11-21/" + table + ".avro"),
        HivePartition.parse("dt=2026-11-21"),
        1,
        bytes,
        "null",
        1,
        List.of("1"),
        0,
        0,
        0,
        0);
  }

  private static NumberedEntry<CommitEntry> entry(int leaderEpoch, DataFile... files) {
    return new NumberedEntry<>(
        7,
        new CommitEntry.Batch(
            ATTEMPT,
            Optional.of(UUID.randomUUID()),
            new LogState(
                new Generation(1, "cluster-1", "topic-1"),
                0,
                files.length,
                new RecordCounts(files.length, 0, 0, 0, 0),
                0,
                0,
                leaderEpoch,
                List.of(),
                List.of(),
                Map.of()),
            Instant.EPOCH,
            UUID.randomUUID(),
            new OffsetRange(0, files.length),
            new RecordCounts(files.length, 0, 0, 0, 0),
            NotLanded.NOTHING,
            Stream.of(files)
                .map(file -> new TableRoot(file.table(), file.path().parent().parent()))
                .toList(),
            List.of(files),
            BatchIdCounts.NONE));
  }
}
