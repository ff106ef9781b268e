package io.tidemark.connect.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.decide.Accounts;
import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.AccountedState;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.connect.health.Waits;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The times at which tasks account for entries, with the test's clock. */
final class AccountantTest {
  private final List<Account> written = new ArrayList<>();
  private final PriorityQueue<Due> timer = new PriorityQueue<>(Comparator.comparing(Due::atMs));
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
            public boolean countTopic(String topic) {
              return !topic.equals("clicks");
            }
          },
          PipelineSettings.of("sales", new Claimant("sales", 2, "4711@w2"), draft -> {}),
          new Retries(
              Runnable::run,
              this::runAfter,
              new Random(1),
              5_000,
              new Waits(Map.of(), () -> 0, Clock.systemUTC())),
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

  private static AccountedEntry claim(int topicPartition, long number) {
    return claim("orders", topicPartition, number);
  }

  private static AccountedEntry claim(String topic, int topicPartition, long number) {
    return new AccountedEntry.Claim(
        topic,
        topicPartition,
        number,
        new UUID(topicPartition, number),
        new AccountedState(new Generation(1, "cluster", "topic"), 0, 0, RecordCounts.NONE));
  }

  private List<List<Long>> numbers() {
    return written.stream()
        .map(account -> account.entries().stream().map(AccountedEntry::number).toList())
        .toList();
  }

  @Test
  void entriesOfASecondAreOneAccount() {
    CompletableFuture<Void> first = accountant.account(claim(0, 1));
    passes(Accountant.GATHER_MS / 2);
    CompletableFuture<Void> second = accountant.account(claim(1, 2));
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
    accountant.account(claim(0, 3)).isDone();
    passes(Accountant.GATHER_MS);
    accountant.account(claim(0, 4)).isDone();
    passes(500);
    accountant.account(claim(1, 5)).isDone();
    assertThat(numbers()).containsExactly(List.of(1L, 2L), List.of(3L));
    passes(500);
    assertThat(numbers()).containsExactly(List.of(1L, 2L), List.of(3L), List.of(4L, 5L));
  }

  @Test
  void topicThatIsNotCountedIsNotAccountedFor() {
    CompletableFuture<Void> clicks = accountant.account(claim("clicks", 0, 1));
    assertThat(clicks).isCompleted();
    passes(2 * Accountant.AGAIN_MS);
    accountant.again();
    passes(Accountant.AGAIN_MS);
    assertThat(written).isEmpty();
  }

  @Test
  void ledgerThatIsAwayIsWaitedForAndGetsOneAccount() {
    away = true;
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (long number = 1; number <= 100; number++) {
      waiting.add(accountant.account(claim(0, number)));
      passes(1_000);
    }
    assertThat(waiting).allSatisfy(each -> assertThat(each).isNotDone());
    assertThat(timer).as("one try is on its way, however many wait").hasSize(1);
    away = false;
    passes(10_000);
    assertThat(numbers().stream().flatMap(List::stream)).hasSize(100).doesNotHaveDuplicates();
    assertThat(written).hasSize(1);
    assertThat(waiting).allSatisfy(each -> assertThat(each).isCompleted());
  }

  @Test
  void entriesAreAccountedForAfterTheirWriterHasFailed() {
    broken = true;
    CompletableFuture<Void> first = accountant.account(claim(0, 1));
    assertThatThrownBy(() -> passes(1_000)).isInstanceOf(NoClassDefFoundError.class);
    broken = false;
    CompletableFuture<Void> second = accountant.account(claim(0, 2));
    passes(10_000);

    assertThat(numbers().stream().flatMap(List::stream)).containsExactly(1L, 2L);
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
  }

  /** The reckoner refuses accounts of more than 64 MiB. */
  @Test
  void entriesOfManyHivePartitionsAreSeveralAccounts() {
    away = true;
    for (long number = 1; number <= 25; number++) {
      accountant.account(batch(number, 2_000)).isDone();
    }
    accountant.account(batch(26, Accountant.SUMS_MOST + 1)).isDone();
    accountant.account(claim(0, 27)).isDone();
    away = false;
    passes(60_000);

    assertThat(numbers().stream().flatMap(List::stream))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 27).boxed().toList());
    assertThat(numbers()).extracting(List::size).containsExactly(10, 10, 5, 1, 1);
  }

  private static AccountedEntry batch(long number, int hivePartitions) {
    RecordCounts counts = new RecordCounts(hivePartitions, 0, 0, 0, 0);
    List<HivePartitionSum> sums = new ArrayList<>();
    for (int each = 0; each < hivePartitions; each++) {
      sums.add(
          new HivePartitionSum(
              new TableName("default", "orders"),
              HivePartition.parse("n=" + each),
              1,
              10,
              1,
              0,
              0));
    }
    return new AccountedEntry.Batch(
        "orders",
        0,
        number,
        new UUID(0, number),
        new AccountedState(new Generation(1, "cluster", "topic"), 0, hivePartitions, counts),
        new OffsetRange(0, hivePartitions),
        counts,
        NotLanded.NOTHING,
        sums,
        List.of(),
        BatchIdCounts.NONE);
  }

  @Test
  void afterTenMinutesNobodyWaitsForTheLedger() {
    away = true;
    CompletableFuture<Void> early = accountant.account(claim(0, 1));
    passes(Accountant.PATIENCE_MS - 10_000);
    assertThat(early).isNotDone();
    passes(20_000);
    assertThat(early).isCompleted();
    assertThat(written).isEmpty();

    CompletableFuture<Void> late = accountant.account(claim(0, 2));
    passes(10_000);
    assertThat(late).as("the ledger is away still").isCompleted();
    away = false;
    CompletableFuture<Void> back = accountant.account(claim(0, 3));
    passes(10_000);
    assertThat(back).isCompleted();
    assertThat(numbers()).containsExactly(List.of(3L));
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
    accountant.account(claim(3, 1)).isDone();
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
    assertThat(written.get(4).assigned()).isEmpty();
  }

  @Test
  void newestEntryOfEachTopicPartitionIsAccountedForAgainEachHour() {
    accountant.account(claim(0, 7)).isDone();
    accountant.account(claim(0, 6)).isDone(); // They may come in any order.
    accountant.account(claim(1, 3)).isDone();
    accountant.account(claim(2, 5)).isDone();
    passes(1_000);
    written.clear();
    accountant.forget(List.of(new TopicPartition("orders", 2)));
    accountant.again();
    passes(60_000);
    assertThat(written).isEmpty();
    passes(Accountant.AGAIN_MS);
    accountant.again();
    accountant.again();
    passes(2_000);
    assertThat(numbers()).hasSize(1);
    assertThat(numbers().get(0)).containsExactlyInAnyOrder(7L, 3L);
  }
}
