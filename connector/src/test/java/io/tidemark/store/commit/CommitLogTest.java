package io.tidemark.store.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.AppendOutcome.Appended;
import io.tidemark.store.log.AppendOutcome.Collided;
import io.tidemark.store.log.AppendOutcome.Withdrawn;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.log.OutcomeUnknownException;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommitLogTest {
  private static final StoragePath DIRECTORY = new StoragePath("/logs/quotes/quotes/3");
  private static final TopicIdentity TOPIC = new TopicIdentity("cluster-1", "topic-1");
  private static final TopicIdentity MADE_AGAIN = new TopicIdentity("cluster-1", "topic-2");
  private static final Claimant ANN = new Claimant("quotes", 0, "ann");
  private static final Claimant BOB = new Claimant("quotes", 0, "bob");
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T07:00:00Z"), ZoneOffset.UTC);

  private final MemoryStorage memory = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final CommitLog log = new CommitLog(storage, DIRECTORY);
  private final Map<UUID, Long> claims = new HashMap<>();

  @BeforeEach
  void create() throws IOException {
    log.create();
  }

  @Test
  void entryComesBackAsItWasWritten() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(owned, 0, 250);

    assertThat(owned.commit(batch)).isInstanceOf(Appended.class);

    assertThat(log.after(0)).extracting(NumberedEntry::number).containsExactly(1L, 2L);
    assertThat(log.last()).contains(new NumberedEntry<>(2, batch));
  }

  @Test
  void entryOfAMillionRangesIsReadAgain() throws Exception {
    long first = 1_000_000_000_000_000_000L;
    int each = 1_100_000;
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    OffsetRanges even = everySecond(first, each);
    OffsetRanges odd = everySecond(first + 1, each);
    CommitEntry.Batch batch =
        owned.draft(
            UUID.randomUUID(),
            new OffsetRange(first, first + 2L * each),
            0,
            new NotLanded(OffsetRanges.NONE, even, odd, OffsetRanges.NONE),
            List.of(),
            List.of(),
            BatchIdCounts.NONE);

    assertThat(owned.commit(batch)).isInstanceOf(Appended.class);

    assertThat(log.read(2).entry().equals(batch)).isTrue();
  }

  @Test
  void commitIsAFileARenameAndAListing() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    List<String> calls = new ArrayList<>();
    storage.failBefore(
        call -> {
          calls.add(call.replaceAll("\\.[-0-9a-f]{36}", ".UUID"));
          return false;
        });

    owned.commit(batch(owned, 0, 250));

    assertThat(calls)
        .containsExactly(
            "create " + DIRECTORY + "/.00000000000000000002.UUID.UUID.tmp",
            "rename " + DIRECTORY + "/00000000000000000002.json",
            "list " + DIRECTORY);
  }

  @Test
  void newClaimFencesTheFormerOwner() throws Exception {
    OwnedLog ann = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    assertThat(ann.commit(batch(ann, 0, 10))).isInstanceOf(Appended.class);
    OwnedLog bob = OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK);

    AppendOutcome<CommitEntry> late = ann.commit(batch(ann, 10, 20));

    assertThat(late).isInstanceOf(Collided.class);
    assertThat(((Collided<CommitEntry>) late).winner().entry().attempt()).isEqualTo(bob.claim());
    assertThat(bob.state().next()).isEqualTo(10);
    assertThat(bob.commit(batch(bob, 10, 20))).isInstanceOf(Appended.class);
  }

  @Test
  void claimRightAfterACommitIsSeenBeforePublishing() throws Exception {
    OwnedLog ann = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(ann, 0, 10);
    storage.failAfter(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> ann.commit(batch)).isInstanceOf(OutcomeUnknownException.class);
    storage.heal();
    OwnedLog bob = OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK);

    AppendOutcome<CommitEntry> outcome = ann.resolve(batch);

    assertThat(outcome).isInstanceOf(Appended.class);
    assertThat(((Appended<CommitEntry>) outcome).fencedBy().orElseThrow().entry().attempt())
        .isEqualTo(bob.claim());
    assertThat(bob.state().next()).isEqualTo(10);
  }

  @Test
  void lostAnswerOfARenameIsSettledAsAppended() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(owned, 0, 10);
    storage.failAfter(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> owned.commit(batch)).isInstanceOf(OutcomeUnknownException.class);
    storage.heal();

    assertThat(owned.resolve(batch)).isInstanceOf(Appended.class);
    assertThat(owned.state().next()).isEqualTo(10);
  }

  /** The second call finds no source, because the first one has moved it. */
  @Test
  void renameThatTheClientRepeatedIsAppendedOnce() throws Exception {
    storage.repeat(call -> call.startsWith("rename"));

    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    assertThat(owned.commit(batch(owned, 0, 10))).isInstanceOf(Appended.class);

    assertThat(names()).containsExactly("00000000000000000001.json", "00000000000000000002.json");
    assertThat(owned.state().next()).isEqualTo(10);
  }

  /** The second call finds the file of the first one, and no writer. */
  @Test
  void createThatTheClientRepeatedLeavesNoEntryAndNoFile() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(owned, 0, 10);
    storage.repeat(call -> call.startsWith("create"));
    assertThatThrownBy(() -> owned.commit(batch)).isInstanceOf(IOException.class);
    storage.heal();

    assertThat(owned.commit(batch)).isInstanceOf(Appended.class);

    assertThat(names()).containsExactly("00000000000000000001.json", "00000000000000000002.json");
  }

  @Test
  void foldWhoseRenameTheClientRepeatedIsDone() throws Exception {
    OwnedLog ann =
        landed(OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10, 20);
    storage.repeat(call -> call.startsWith("rename"));

    fold(ann, 1);

    assertThat(names())
        .containsExactly("00000000000000000002.checkpoint.json", "00000000000000000003.json");
  }

  @Test
  void renameThatNeverArrivedIsWithdrawnAndTheNumberStaysFree() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(owned, 0, 10);
    storage.failBefore(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> owned.commit(batch)).isInstanceOf(OutcomeUnknownException.class);
    assertThatThrownBy(
            () -> {
              storage.failBefore(call -> call.startsWith("delete"));
              owned.resolve(batch);
            })
        .isInstanceOf(OutcomeUnknownException.class);
    storage.heal();

    assertThat(owned.resolve(batch)).isInstanceOf(Withdrawn.class);
    assertThat(owned.state().next()).isEqualTo(LogState.UNKNOWN);
    assertThat(owned.commit(batch)).isInstanceOf(Appended.class);
  }

  @Test
  void lateRenameOfAnEarlierTryFindsNoHalfWrittenEntry() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(owned, 0, 10);
    List<StoragePath> written = new ArrayList<>();
    storage.failBefore(
        call -> {
          if (call.startsWith("create ")) {
            written.add(new StoragePath(call.substring("create ".length())));
          }
          return call.startsWith("rename");
        });
    assertThatThrownBy(() -> owned.commit(batch)).isInstanceOf(OutcomeUnknownException.class);
    storage.heal();
    assertThat(owned.resolve(batch)).isInstanceOf(Withdrawn.class);

    AtomicInteger late = new AtomicInteger();
    storage.failAfter(
        call -> {
          if (call.startsWith("create ")) {
            late.incrementAndGet();
            assertThatThrownBy(
                    () ->
                        memory.rename(
                            written.get(0), log.directory().child("00000000000000000002.json")))
                .isInstanceOf(NoSuchFileException.class);
          }
          return false;
        });
    assertThat(owned.commit(batch)).isInstanceOf(Appended.class);
    assertThat(late).hasValue(1);
    assertThat(log.read(2).entry().equals(batch)).isTrue();
  }

  @Test
  void collisionWithOurOwnEntryIsSuccess() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(owned, 0, 10);
    assertThat(log.append(2, batch)).isInstanceOf(Appended.class);

    assertThat(owned.commit(batch)).isInstanceOf(Appended.class);
  }

  @Test
  void topicMadeAgainStartsTheNextGeneration() throws Exception {
    OwnedLog first = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    assertThat(first.commit(batch(first, 0, 10))).isInstanceOf(Appended.class);

    OwnedLog second = OwnedLog.claim(log, () -> MADE_AGAIN, ANN, OperatorConsent.NONE, CLOCK);

    assertThat(second.state().generation()).isEqualTo(new Generation(2, "cluster-1", "topic-2"));
    assertThat(second.state().next()).isEqualTo(LogState.UNKNOWN);
    assertThat(first.commit(batch(first, 10, 20))).isInstanceOf(Collided.class);
  }

  @Test
  void brokerThatDoesNotKnowYetThatTheTopicWasMadeAgainBeginsNoGeneration() throws Exception {
    OwnedLog first = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    assertThat(first.commit(batch(first, 0, 10))).isInstanceOf(Appended.class);
    OwnedLog second = OwnedLog.claim(log, () -> MADE_AGAIN, ANN, OperatorConsent.NONE, CLOCK);
    assertThat(second.commit(batch(second, 0, 5))).isInstanceOf(Appended.class);

    assertThatThrownBy(() -> OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("which an earlier generation of the log had");

    assertThat(log.after(0)).hasSize(4);
    assertThat(
            OwnedLog.claim(log, () -> MADE_AGAIN, ANN, OperatorConsent.NONE, CLOCK).state().next())
        .isEqualTo(5);
  }

  @Test
  void topicMadeAgainWhileAClaimReadsTheLogBeginsItsGeneration() throws Exception {
    AtomicBoolean madeAgain = new AtomicBoolean();
    storage.failBefore(
        call -> {
          madeAgain.set(true);
          return false;
        });

    OwnedLog owned =
        OwnedLog.claim(
            log, () -> madeAgain.get() ? MADE_AGAIN : TOPIC, ANN, OperatorConsent.NONE, CLOCK);

    assertThat(owned.state().generation().isOf(MADE_AGAIN)).isTrue();
  }

  @Test
  void damagedEntryIsRefusedWithItsPlace() throws Exception {
    for (String text :
        List.of("", "{", "[]", "{\"version\": 1, \"type\": \"batch\"}", "{\"version\": 1}")) {
      put(text);
      assertThatThrownBy(log::last)
          .as("text: %s", text)
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("/logs/quotes/quotes/3/00000000000000000001.json");
      assertThat(storage.delete(DIRECTORY.child("00000000000000000001.json"))).isTrue();
    }
  }

  @Test
  void missingEntryIsRefused() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    assertThat(owned.commit(batch(owned, 0, 10))).isInstanceOf(Appended.class);
    assertThat(owned.commit(batch(owned, 10, 20))).isInstanceOf(Appended.class);
    assertThat(storage.delete(DIRECTORY.child("00000000000000000002.json"))).isTrue();

    assertThatThrownBy(() -> log.after(0))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("entry 2 is missing");
  }

  @Test
  void foldedEntriesAreGoneAndTheAccountStays() throws Exception {
    OwnedLog ann =
        landed(
            OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10, 20, 30, 40);

    fold(ann, 2);

    assertThat(names())
        .containsExactly(
            "00000000000000000003.checkpoint.json",
            "00000000000000000004.json",
            "00000000000000000005.json");
    assertThat(log.after(0)).extracting(NumberedEntry::number).containsExactly(4L, 5L);
    assertThat(log.last().orElseThrow().entry().state().counts().landed()).isEqualTo(40);
    OwnedLog bob = OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK);
    assertThat(bob.number()).isEqualTo(6);
    assertThat(bob.state().next()).isEqualTo(40);
  }

  @Test
  void logOfACheckpointAloneGoesOnBehindIt() throws Exception {
    OwnedLog ann =
        landed(OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10, 20);
    fold(ann, 1);
    assertThat(storage.delete(DIRECTORY.child("00000000000000000003.json"))).isTrue();

    OwnedLog bob = OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK);

    assertThat(bob.number()).isEqualTo(3);
    assertThat(bob.state().next()).isEqualTo(10);
  }

  @Test
  void entriesThatAreNotDoneAreNotFolded() throws Exception {
    landed(OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10, 20, 30, 40);
    LogFolding folder = new LogFolding(log, 1, CLOCK, () -> LogFolding.Released.ALL);

    folder.fold(1);
    assertThat(log.checkpoint()).isZero();

    folder.fold(3);
    assertThat(log.after(0)).extracting(NumberedEntry::number).containsExactly(3L, 4L, 5L);
  }

  @Test
  void lateEntryAtAFoldedNumberIsNoPartOfTheLog() throws Exception {
    OwnedLog zombie =
        landed(OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10);
    OwnedLog bob =
        landed(OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK), 10, 20, 30);
    fold(bob, 1);
    assertThat(log.checkpoint()).isEqualTo(4);

    AppendOutcome<CommitEntry> late = zombie.commit(batch(zombie, 10, 20));

    assertThat(((Appended<CommitEntry>) late).fencedBy()).isPresent();
    assertThat(log.after(0)).extracting(NumberedEntry::number).containsExactly(5L);
    assertThat(bob.commit(batch(bob, 30, 40))).isInstanceOf(Appended.class);
    log.removeLeftovers(bob.number());
    assertThat(names()).doesNotContain("00000000000000000003.json");
  }

  @Test
  void entryThatWasFoldedBeforeItsAnswerCameIsTheNextOwners() throws Exception {
    OwnedLog ann = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    CommitEntry.Batch batch = batch(ann, 0, 10);
    storage.failAfter(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> ann.commit(batch)).isInstanceOf(OutcomeUnknownException.class);
    storage.heal();
    OwnedLog bob =
        landed(OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK), 10, 20, 30);
    fold(bob, 1);

    assertThat(ann.resolve(batch)).isInstanceOf(Collided.class);
    assertThat(log.last().orElseThrow().entry().state().counts().landed()).isEqualTo(30);
  }

  @Test
  void checkpointStandsBeforeAnyEntryGoes() throws Exception {
    OwnedLog ann =
        landed(OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10, 20);
    storage.failBefore(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> fold(ann, 1)).isInstanceOf(IOException.class);
    storage.heal();

    assertThat(log.after(0)).extracting(NumberedEntry::number).containsExactly(1L, 2L, 3L);
  }

  @Test
  void foldThatStoppedHalfWayIsFinishedLater() throws Exception {
    OwnedLog ann =
        landed(OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10, 20);
    storage.failBefore(call -> call.startsWith("delete"));
    assertThatThrownBy(() -> fold(ann, 1)).isInstanceOf(IOException.class);
    storage.heal();
    assertThat(log.after(0)).extracting(NumberedEntry::number).containsExactly(3L);

    log.removeLeftovers(3);

    assertThat(names())
        .containsExactly("00000000000000000002.checkpoint.json", "00000000000000000003.json");
  }

  @Test
  void twoConnectorsCannotShareALog() throws Exception {
    new LogOwner("quotes", "quotes").establish(storage, new StoragePath("/logs/quotes"));
    new LogOwner("quotes", "quotes").establish(storage, new StoragePath("/logs/quotes"));

    assertThatThrownBy(
            () ->
                new LogOwner("quotes", "copy").establish(storage, new StoragePath("/logs/quotes")))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("belongs to connector \"quotes\", not to connector \"copy\"");
  }

  @Test
  void offsetsInAnotherConnectorsLogAreNotAltered() throws Exception {
    StoragePath root = new StoragePath("/logs/quotes");
    LogOwner copy = new LogOwner("quotes", "copy");
    copy.requireIfExists(storage, root);
    assertThat(LogOwner.existsIn(storage, root)).as("something was put there").isFalse();

    new LogOwner("quotes", "quotes").establish(storage, root);

    assertThatThrownBy(() -> copy.requireIfExists(storage, root))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("belongs to connector \"quotes\", not to connector \"copy\"");
  }

  @Test
  void listingThatComesInPagesBesideFoldingIsNoDamagedLog() throws Exception {
    landed(OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK), 0, 10, 20, 30);
    var listings = new AtomicInteger();
    Storage paged =
        (Storage)
            Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) -> {
                  Object answer = method.invoke(storage, arguments);
                  if (!method.getName().equals("list") || listings.incrementAndGet() > 1) {
                    return answer;
                  }
                  // Its first page was read before entries 1 and 2 existed.
                  return ((List<?>) answer).subList(2, ((List<?>) answer).size());
                });

    assertThat(new CommitLog(paged, DIRECTORY).after(0))
        .extracting(NumberedEntry::number)
        .containsExactly(1L, 2L, 3L, 4L);
    assertThat(listings).hasValue(2);
  }

  @Test
  void whatAStoppedTaskLeftBesideTheIdentityIsRemovedOnceItStands() throws Exception {
    StoragePath root = new StoragePath("/logs/quotes");
    LogOwner owner = new LogOwner("quotes", "quotes");
    storage.failBefore(call -> call.startsWith("rename /logs/quotes/identity"));
    assertThatThrownBy(() -> owner.establish(storage, root)).isInstanceOf(IOException.class);
    storage.heal();
    assertThat(hidden(root)).hasSize(1);

    owner.establish(storage, root);

    assertThat(hidden(root)).isEmpty();
  }

  private List<StoredFile> hidden(StoragePath directory) throws IOException {
    return storage.list(directory).stream()
        .filter(file -> file.path().name().startsWith("."))
        .toList();
  }

  /** Commits batches that end at the given offsets, published and registered. */
  private OwnedLog landed(OwnedLog owned, long first, long... nexts) throws Exception {
    for (long next : nexts) {
      assertThat(owned.commit(batch(owned, first, next))).isInstanceOf(Appended.class);
      owned.published(owned.number());
      owned.registered(owned.number());
      first = next;
    }
    return owned;
  }

  private void fold(OwnedLog landed, int retained) throws Exception {
    new LogFolding(log, retained, CLOCK, () -> LogFolding.Released.ALL).fold(landed.number());
  }

  private List<String> names() throws IOException {
    return storage.list(DIRECTORY).stream().map(file -> file.path().name()).toList();
  }

  @Test
  void topicWithTheNameOfTheIdentityFileHasALogBesideIt() throws Exception {
    CommitLog named =
        CommitLog.of(
            storage, new StoragePath("/logs"), "quotes", new TopicPartition("identity.json", 0));

    new LogOwner("quotes", "quotes").establish(storage, new StoragePath("/logs/quotes"));
    OwnedLog.claim(named, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    new LogOwner("quotes", "quotes").establish(storage, new StoragePath("/logs/quotes"));

    assertThat(named.directory().value()).isEqualTo("/logs/quotes/%69dentity.json/0");
    assertThat(named.last()).isPresent();
  }

  /** The log was restored from a copy, and continued, before the late file of the other branch. */
  @Test
  void entryThatFollowsAnotherBranchOfTheLogIsRefused() throws Exception {
    OwnedLog lost = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    lost.commit(batch(lost, 0, 10));
    CommitEntry.Batch late = batch(lost, 10, 20);
    storage.delete(DIRECTORY.child("00000000000000000002.json"));
    OwnedLog restored = OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK);
    assertThat(restored.number()).isEqualTo(2);

    log.append(3, late);
    assertThatThrownBy(() -> OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("entry 3 does not follow entry 2: before is")
        .hasMessageContaining(restored.claim().toString());
  }

  @Test
  void checkpointNamesTheEntryThatItReplaced() throws Exception {
    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    for (int i = 0; i < 3; i++) {
      owned.commit(batch(owned, 10L * i, 10L * i + 10));
    }
    CommitEntry second = log.read(2).entry();
    new LogFolding(log, 2, CLOCK, () -> LogFolding.Released.ALL).fold(4);

    CommitEntry checkpoint = log.all().get(0).entry();
    assertThat(checkpoint.identity()).isEqualTo(second.attempt());
    assertThat(log.read(3).entry().before()).contains(checkpoint.identity());
    Succession.require(DIRECTORY, log.all());
  }

  /** This version keeps what a newer version of the connector has written, in all later entries. */
  @Test
  void unknownFieldOfTheStateSurvivesTenEntriesASkipANewGenerationAndAFold() throws Exception {
    OwnedLog written = OwnedLog.claim(log, () -> TOPIC, ANN, OperatorConsent.NONE, CLOCK);
    ObjectMapper json = new ObjectMapper();
    ObjectNode newer = (ObjectNode) json.readTree(CommitEntry.FORMAT.write(log.read(1).entry()));
    newer.put("version", 2).put("colour", "blue");
    ((ObjectNode) newer.path("state")).putObject("later").put("epoch", 42);
    storage.delete(DIRECTORY.child("00000000000000000001.json"));
    put(newer.toString());
    assertThat(written.number()).isEqualTo(1);

    OwnedLog owned = OwnedLog.claim(log, () -> TOPIC, BOB, OperatorConsent.NONE, CLOCK);
    for (int i = 0; i < 10; i++) {
      assertThat(owned.commit(batch(owned, 10L * i, 10L * i + 10))).isInstanceOf(Appended.class);
    }
    OffsetRange range = new OffsetRange(100, 110);
    log.append(
        13,
        new CommitEntry.Skip(
            UUID.randomUUID(),
            Optional.of(log.read(12).entry().attempt()),
            owned.state().after(range, new RecordCounts(0, 0, 10, 0, 0)),
            CLOCK.instant(),
            range));
    OwnedLog.claim(
        log,
        () -> new TopicIdentity(TOPIC.clusterId(), "made-again"),
        ANN,
        OperatorConsent.NONE,
        CLOCK);
    new LogFolding(log, 1, CLOCK, () -> LogFolding.Released.ALL).fold(14);

    assertThat(log.checkpoint()).isEqualTo(13);
    for (String file :
        List.of("00000000000000000013.checkpoint.json", "00000000000000000014.json")) {
      try (InputStream in = storage.open(DIRECTORY.child(file))) {
        JsonNode entry = json.readTree(in.readAllBytes());
        assertThat(entry.path("state").path("later").toString()).isEqualTo("{\"epoch\":42}");
        assertThat(entry.has("colour")).isFalse();
      }
    }
    assertThat(log.last().orElseThrow().entry().state().generation().number()).isEqualTo(2);
  }

  private void put(String text) throws IOException {
    try (OutputStream out = storage.create(DIRECTORY.child("00000000000000000001.json"))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static OffsetRanges everySecond(long first, int count) {
    return OffsetRanges.of(LongStream.range(0, count).map(i -> first + 2 * i).toArray());
  }

  private CommitEntry.Batch batch(OwnedLog owned, long first, long next) {
    UUID attempt = UUID.randomUUID();
    StoragePath staged =
        new StoragePath("/topics/quotes/.staging")
            .child(
                "c-%020d-%s"
                    .formatted(
                        claims.computeIfAbsent(owned.claim(), claim -> owned.number()),
                        owned.claim()));
    DataFile file =
        new DataFile(
            new TableName("default", "quotes"),
            staged.child(attempt + "-1.avro"),
            new StoragePath("/topics/quotes/dt=2026-11-21/quotes+3.avro"),
            HivePartition.parse("dt=2026-11-21"),
            next - first,
            4711,
            "snappy",
            1,
            List.of("1", "2"),
            first,
            next - 1,
            0,
            1);
    DataFile unpartitioned =
        new DataFile(
            new TableName("default", "quotes"),
            staged.child(attempt + "-2.avro"),
            new StoragePath("/topics/quotes/quotes+3.avro"),
            HivePartition.WHOLE_TABLE,
            0,
            4711,
            "snappy",
            1,
            List.of(),
            first,
            next - 1,
            -1,
            -1);
    return owned.draft(
        attempt,
        new OffsetRange(first, next),
        next - first,
        NotLanded.NOTHING,
        List.of(new TableRoot(file.table(), new StoragePath("/topics/quotes"))),
        List.of(file, unpartitioned),
        BatchIdCounts.NONE);
  }
}
