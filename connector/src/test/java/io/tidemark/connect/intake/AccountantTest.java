package io.tidemark.connect.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.connect.health.Waits;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.LogFolding;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The times at which tasks account for entries, with the test's clock. */
final class AccountantTest {
  private final List<Account> written = new ArrayList<>();
  private final PriorityQueue<Due> timer = new PriorityQueue<>(Comparator.comparing(Due::atMs));
  private Map<TopicPartition, LogFolding.Released> released = Map.of();
  private long nowMs;
  private boolean away;
  private boolean broken;

  private record Due(long atMs, Runnable work) {}

  private final Accountant accountant =
      new Accountant(
          new Accounts() {
            @Override
            public void put(Account account) throws IOException {
              if (broken) {
                throw new NoClassDefFoundError("broken");
              }
              if (away) {
                throw new IOException("the store is away");
              }
              written.add(account);
            }

            @Override
            public Map<TopicPartition, LogFolding.Released> released() {
              return released;
            }

            @Override
            public boolean countTopic(String topic) {
              return !topic.equals("clicks");
            }
          },
          SettingsDraft.settings("sales", new Claimant("sales", 2, "4711@w2"), draft -> {}),
          new Retries(
              Runnable::run,
              this::runAfter,
              new Random(1),
              5_000,
              new Waits(Map.of(), () -> 0, Clock.systemUTC()),
              "",
              () -> true),
          this::runAfter,
          () -> nowMs);

  private void runAfter(long pauseMs, Runnable work) {
    timer.add(new Due(nowMs + pauseMs, work));
  }

  private void passes(long ms) {
    long until = nowMs + ms;
    for (Due next = timer.peek(); next != null && next.atMs() <= until; next = timer.peek()) {
      timer.remove();
      nowMs = next.atMs();
      next.work().run();
    }
    nowMs = until;
  }

  private CompletableFuture<Void> settled(int topicPartition, long number, String... unseen) {
    return accountant.settled(
        new TopicPartition("orders", topicPartition),
        number,
        new UUID(topicPartition, number),
        Stream.of(unseen).map(AccountantTest::hivePartition).toList());
  }

  private void settles(int topicPartition, long number) {
    CompletableFuture<Void> unused = settled(topicPartition, number);
  }

  private static HivePartitionId hivePartition(String path) {
    return new HivePartitionId(new TableName("default", "orders"), HivePartition.parse(path));
  }

  private List<List<Long>> numbers() {
    return written.stream()
        .map(account -> account.logs().stream().map(LogPointer::number).toList())
        .toList();
  }

  private LogPointer last() {
    return written.get(written.size() - 1).logs().get(0);
  }

  @Test
  void unseenHivePartitionsOfAnEarlierEntryJoinTheAccountOfALaterOne() {
    settles(0, 5);
    CompletableFuture<Void> earlier = settled(0, 4, "h=1");
    passes(Accountant.GATHER_MS);
    assertThat(earlier).isCompleted();
    assertThat(last().number()).isEqualTo(5);
    assertThat(last().unseen()).containsExactly(hivePartition("h=1"));
  }

  @Test
  void entriesOfASecondAreOneAccountWithTheNewestOfEachLog() {
    CompletableFuture<Void> first = settled(0, 1);
    passes(Accountant.GATHER_MS / 2);
    CompletableFuture<Void> second = settled(1, 2);
    assertThat(written).isEmpty();
    assertThat(first).isNotDone();
    passes(Accountant.GATHER_MS / 2);
    assertThat(numbers()).containsExactly(List.of(1L, 2L));
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(written.get(0).log()).isEqualTo("sales");
    assertThat(written.get(0).task()).isEqualTo(2);

    passes(60_000);
    assertThat(written).as("nothing is written twice").hasSize(1);
    settles(0, 3);
    passes(Accountant.GATHER_MS);
    settles(0, 4);
    passes(500);
    settles(1, 5);
    assertThat(numbers()).containsExactly(List.of(1L, 2L), List.of(3L, 2L));
    passes(500);
    assertThat(numbers()).containsExactly(List.of(1L, 2L), List.of(3L, 2L), List.of(4L, 5L));
    assertThat(last().attempt()).isEqualTo(new UUID(0, 4));
  }

  @Test
  void hivePartitionsThatReadersDoNotSeeStaySinceTheFirstEntry() {
    settles(0, 7);
    assertThat(settled(0, 8, "n=1", "n=2")).isNotDone();
    settles(0, 9);
    passes(1_000);

    assertThat(last().since()).isEqualTo(7);
    assertThat(last().number()).isEqualTo(9);
    assertThat(last().unseen())
        .containsExactlyInAnyOrder(hivePartition("n=1"), hivePartition("n=2"));
  }

  @Test
  void tooManyHivePartitionsThatReadersDoNotSeeAreLeftToTheCatalog() {
    settles(0, 1);
    String[] many =
        IntStream.rangeClosed(0, LogPointer.UNSEEN_MOST)
            .mapToObj(each -> "n=" + each)
            .toArray(String[]::new);
    CompletableFuture<Void> first = settled(0, 2, many);
    passes(1_000);
    assertThat(first).isCompleted();
    assertThat(last().since()).as("all up to entry 2 are looked up").isEqualTo(3);
    assertThat(last().unseen()).isEmpty();

    settles(0, 3);
    passes(1_000);
    assertThat(last().since()).isEqualTo(3);
  }

  @Test
  void topicThatIsNotCountedIsNotAccountedFor() {
    TopicPartition clicks = new TopicPartition("clicks", 0);
    assertThat(accountant.settled(clicks, 1, new UUID(0, 1), List.of())).isCompleted();
    accountant.assign(List.of(clicks));
    passes(2 * Accountant.AGAIN_MS);
    accountant.again();
    passes(Accountant.AGAIN_MS);
    assertThat(written).isEmpty();
  }

  @Test
  void ledgerThatIsAwayIsWaitedForAndGetsOneAccount() {
    away = true;
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (long number = 1; number <= 1_000; number++) {
      waiting.add(settled(0, number, "n=1"));
      passes(1_000);
    }
    assertThat(waiting)
        .as("also after ten minutes")
        .allSatisfy(each -> assertThat(each).isNotDone());
    assertThat(timer).as("one try is on its way, however many wait").hasSize(1);
    away = false;
    passes(10_000);
    assertThat(numbers()).containsExactly(List.of(1_000L));
    assertThat(waiting).allSatisfy(each -> assertThat(each).isCompleted());
  }

  @Test
  void entriesAreAccountedForAfterTheirWriterHasFailed() {
    broken = true;
    CompletableFuture<Void> first = settled(0, 1);
    assertThatThrownBy(() -> passes(1_000)).isInstanceOf(NoClassDefFoundError.class);
    broken = false;
    CompletableFuture<Void> second = settled(0, 2);
    passes(10_000);

    assertThat(numbers()).containsExactly(List.of(2L));
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
  }

  /** A topic-partition whose log cannot be opened has no entries, but it exists. */
  @Test
  void whatATaskHasIsReportedAtOnceAndOnEachChangeAndEachHour() {
    accountant.assign(
        List.of(
            new TopicPartition("orders", 3),
            new TopicPartition("orders", 0),
            new TopicPartition("orders-eu", 1),
            new TopicPartition("clicks", 0)));
    passes(Accountant.GATHER_MS);
    assertThat(numbers()).containsExactly(List.of());
    assertThat(written.get(0).assigned())
        .isEqualTo(Map.of("orders", List.of(0, 3), "orders-eu", List.of(1)));

    accountant.assign(List.of(new TopicPartition("orders", 0)));
    accountant.forget(List.of(new TopicPartition("orders", 7)));
    passes(60_000);
    assertThat(written).hasSize(1);
    away = true;
    accountant.forget(List.of(new TopicPartition("orders", 0)));
    passes(60_000);
    away = false;
    passes(10_000);
    settles(3, 1);
    passes(1_000);
    passes(Accountant.AGAIN_MS);
    accountant.again();
    passes(1_000);

    assertThat(numbers()).containsExactly(List.of(), List.of(), List.of(1L), List.of(1L));
    assertThat(written.subList(1, 4))
        .allSatisfy(
            each ->
                assertThat(each.assigned())
                    .isEqualTo(Map.of("orders", List.of(3), "orders-eu", List.of(1))));
    accountant.forget(List.of(new TopicPartition("orders", 3), new TopicPartition("orders-eu", 1)));
    passes(1_000);
    assertThat(written.get(4))
        .isEqualTo(new Account("sales", 2, "4711@w2", new TreeMap<>(), List.of(), List.of()));
  }

  @Test
  void logsOfRevokedTopicPartitionsAreInNoLaterAccount() {
    settles(0, 7);
    settles(1, 3);
    settles(2, 5);
    passes(1_000);
    accountant.forget(List.of(new TopicPartition("orders", 2)));
    passes(1_000);
    written.clear();
    accountant.again();
    passes(60_000);
    assertThat(written).isEmpty();
    passes(Accountant.AGAIN_MS);
    accountant.again();
    accountant.again();
    passes(2_000);
    assertThat(numbers()).containsExactly(List.of(7L, 3L));
  }

  @Test
  void releasedEntriesAreReadOnceAMinute() throws Exception {
    TopicPartition log = new TopicPartition("orders", 0);
    assertThat(accountant.released(log)).isEqualTo(LogFolding.Released.NONE);
    released = Map.of(log, new LogFolding.Released(5, Optional.of(new UUID(0, 5))));
    passes(Accountant.RELEASED_MS - 1);
    assertThat(accountant.released(log)).isEqualTo(LogFolding.Released.NONE);
    passes(1);
    assertThat(accountant.released(log).number()).isEqualTo(5);
    assertThat(accountant.released(new TopicPartition("clicks", 0)))
        .isEqualTo(LogFolding.Released.ALL);
  }
}
