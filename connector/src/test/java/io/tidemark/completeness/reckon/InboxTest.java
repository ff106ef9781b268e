package io.tidemark.completeness.reckon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");

  private Instant now = EIGHT;
  private final InstantSource clock = () -> now;
  private final MemoryStorage memory = new MemoryStorage(clock.withZone(ZoneOffset.UTC));
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final LedgerDirectories folders =
      new LedgerDirectories(new StoragePath("/ledger"), "sales");
  private final Inbox tasks = new Inbox(storage, folders, 100, 1 << 20);
  private final Inbox inbox = new Inbox(storage, folders, 100, 1 << 20);

  private static Account account(String log, int task) {
    return new Account(
        log,
        task,
        "4711@w2",
        new TreeMap<>(),
        List.of(new LogPointer("orders", task, 1, new UUID(1, task), 1, List.of())),
        List.of());
  }

  private void put(int task) throws IOException {
    assertThat(tasks.put(account("sales", task), now)).isNotNull();
  }

  private StoragePath putText(String name, byte[] text) throws IOException {
    StoragePath file = new StoragePath("/ledger/logs/sales/inbox").child(name);
    memory.makeDirectories(file.parent());
    try (OutputStream out = memory.create(file)) {
      out.write(text);
    }
    return file;
  }

  private static List<Integer> of(Inbox.Look look) {
    return look.accounts().stream().map(each -> each.account().task()).toList();
  }

  @Test
  void accountsAreReadOldestFirstWithTheStoresTimeAndDeletedOnceTaken() throws Exception {
    tasks.put(account("sales", 2), EIGHT.plusSeconds(7)); // this task's clock is ahead
    now = EIGHT.plusSeconds(2);
    put(1);

    Inbox.Look look = inbox.look();
    assertThat(of(look)).containsExactly(1, 2);
    assertThat(look.accounts())
        .extracting(Inbox.Received::at)
        .containsExactly(EIGHT.plusSeconds(2), EIGHT);
    assertThat(look.accounts().get(0).account()).isEqualTo(account("sales", 1));
    assertThat(of(inbox.look())).as("until it is deleted").hasSize(2);

    inbox.delete(List.of(look.accounts().get(0).file()));
    inbox.delete(List.of(look.accounts().get(0).file()));
    assertThat(of(inbox.look())).containsExactly(2);
    assertThat(look.more()).isFalse();
  }

  @Test
  void inboxThatIsNotThereIsEmpty() throws Exception {
    assertThat(inbox.look()).isEqualTo(new Inbox.Look(List.of(), List.of(), false));
  }

  @Test
  void damagedAccountIsReportedOnceStaysAndHidesNoOther() throws Exception {
    StoragePath file = putText("00000000000001-" + new UUID(1, 1) + ".json", "{".getBytes(UTF_8));
    put(1);

    Inbox.Look look = inbox.look();
    assertThat(of(look)).containsExactly(1);
    assertThat(look.problems())
        .singleElement()
        .asString()
        .contains(
            "memory:" + file + ": the account cannot be read", "was damaged", "stays in the inbox")
        .doesNotContain("\n");
    assertThat(inbox.look().problems()).isEmpty();
    assertThat(memory.find(file)).isPresent();
    assertThat(new Inbox(storage, folders, 100, 1 << 20).look().problems()).hasSize(1);
  }

  @Test
  void damagedAccountsDoNotFillALook() throws Exception {
    Inbox small = new Inbox(storage, folders, 2, 1 << 20);
    for (int i = 1; i <= 4; i++) {
      assertThat(putText("0000000000000" + i + "-" + new UUID(1, i) + ".json", new byte[] {7}))
          .isNotNull();
    }
    put(1);

    List<Integer> found = new ArrayList<>();
    for (int looks = 0; looks < 3; looks++) {
      found.addAll(of(small.look()));
    }
    assertThat(found).containsExactly(1);
  }

  @Test
  void accountOfAnotherLogIsNotTaken() throws Exception {
    assertThat(
            putText(
                "00000000000001-" + new UUID(1, 1) + ".json",
                Account.FORMAT.write(account("other", 1))))
        .isNotNull();

    Inbox.Look look = inbox.look();
    assertThat(look.accounts()).isEmpty();
    assertThat(look.problems())
        .singleElement()
        .asString()
        .contains("an account of the log \"other\", not of \"sales\"");
  }

  @Test
  void lookReadsNoMoreFilesAndBytesThanItMay() throws Exception {
    for (int task = 1; task <= 5; task++) {
      now = now.plusSeconds(1);
      put(task);
    }
    long length = Account.FORMAT.write(account("sales", 1)).length;
    Inbox byFiles = new Inbox(storage, folders, 2, 1 << 20);
    Inbox byBytes = new Inbox(storage, folders, 100, 3 * length + 1);

    assertThat(of(byFiles.look())).containsExactly(1, 2);
    assertThat(byFiles.look().more()).isTrue();
    assertThat(of(byBytes.look())).containsExactly(1, 2, 3);
    assertThat(byBytes.look().more()).isTrue();
    Inbox tooSmall = new Inbox(storage, folders, 100, length - 1);
    assertThat(tooSmall.look().problems()).hasSize(5).allMatch(each -> each.contains("at most"));
  }

  @Test
  void whateverCallFailsAnAccountComesWholeOrNotAtAll() throws Exception {
    for (boolean before : List.of(true, false)) {
      int failed = 0;
      for (int call = 1; ; call++) {
        memory.deleteTree(folders.root());
        int[] calls = {0};
        int at = call;
        if (before) {
          storage.failBefore(any -> ++calls[0] == at);
        } else {
          storage.failAfter(any -> ++calls[0] == at);
        }
        try {
          put(1);
          storage.heal();
          break;
        } catch (IOException e) {
          failed++;
        }
        storage.heal();
        assertThat(of(inbox.look())).hasSizeLessThanOrEqualTo(1);
        assertThat(inbox.look().problems()).isEmpty();
        put(1);
        assertThat(of(inbox.look())).hasSizeBetween(1, 2).containsOnly(1);
      }
      assertThat(failed).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void lookThatFailsIsRepeatedAndLosesNothing() throws Exception {
    put(1);
    StoragePath file = inbox.look().accounts().get(0).file();
    storage.failBefore(call -> call.startsWith("open"));
    assertThat(of(inbox.look())).as("opened once").containsExactly(1);
    put(2);
    assertThatThrownBy(inbox::look).isInstanceOf(IOException.class);
    storage.heal();
    assertThat(of(inbox.look())).containsExactlyInAnyOrder(1, 2);
    storage.failAfter(call -> call.startsWith("delete"));
    assertThatThrownBy(() -> inbox.delete(List.of(file))).isInstanceOf(IOException.class);
    storage.heal();
    inbox.delete(List.of(file));
    assertThat(of(inbox.look())).containsExactly(2);
  }

  @Test
  void temporaryFileOfADeadTaskGoesAfterADay() throws Exception {
    StoragePath left = putText(".00000000000001-x.json.y.tmp", new byte[] {1});
    now = now.plus(Duration.ofDays(1));
    put(1);
    assertThat(of(inbox.look())).containsExactly(1);
    assertThat(memory.find(left)).as("for a day").isPresent();

    now = now.plusSeconds(1);
    put(2);
    assertThat(of(inbox.look())).containsExactly(1, 2);
    assertThat(memory.list(left.parent())).extracting(StoredFile::path).doesNotContain(left);
  }
}
