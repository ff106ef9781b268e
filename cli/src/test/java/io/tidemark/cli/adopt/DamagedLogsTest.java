package io.tidemark.cli.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.adopt.Decision.Verdict;
import io.tidemark.cli.adopt.OldSinkArchive.State;
import io.tidemark.store.StoragePath;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Logs of killed sinks whose bytes changed or are missing. */
class DamagedLogsTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(1);

  @AfterEach
  void stop() {
    threads.shutdown();
  }

  /** A state whose partition has a commit with pending renames. */
  private record Killed(State state, StoragePath log, int partition) {
    static Killed of(String name, int partition) throws IOException {
      State state = new OldSinkArchive("g-killed").state("g-killed/" + name);
      return new Killed(state, new StoragePath("/logs/metrics/" + partition + "/log"), partition);
    }

    byte[] bytes() {
      return state.storage().content(log);
    }
  }

  private AdoptionReport.Partition examine(Killed killed) throws Exception {
    AdoptionReport report =
        new Adoption(
                killed.state().storage(),
                killed.state().sink(),
                killed.state().kafka(),
                Consents.NONE,
                Optional.of(threads))
            .examine();
    return report.topics().get(0).partitions().get(killed.partition());
  }

  /** The first bytes of a log may be all that a copy has: the name node lists 35. */
  @Test
  void cutLogOfAnInterruptedCommitIsRefused() throws Exception {
    Killed killed = Killed.of("11", 0);
    byte[] whole = killed.bytes();
    for (int length = 0; length < whole.length; length++) {
      killed.state().storage().put(killed.log(), Arrays.copyOf(whole, length));
      assertThat(examine(killed).decision().verdict())
          .as("%d of %d bytes", length, whole.length)
          .isEqualTo(Verdict.REFUSED);
    }
  }

  /** No file of the last block was renamed, so its records can also be read again. */
  @Test
  void cutLogOfACommitThatBeganNoRenameIsReadAgain() throws Exception {
    Killed killed = Killed.of("07", 1);
    byte[] whole = killed.bytes();
    AdoptionReport.Partition before = examine(killed);
    assertThat(before.decision().next()).hasValue(350);
    assertThat(before.decision().verdict()).isEqualTo(Verdict.TO_FINISH);

    killed.state().storage().put(killed.log(), Arrays.copyOf(whole, whole.length - 1));

    AdoptionReport.Partition after = examine(killed);
    assertThat(after.decision().next()).hasValue(300);
    assertThat(after.decision().verdict()).isEqualTo(Verdict.ACCEPTED);
    assertThat(after.names().next()).isEqualTo(300);
  }

  @Test
  void changedByteNeverChangesTheNextOffsetOrADirectory() throws Exception {
    for (Killed killed : new Killed[] {Killed.of("11", 0), Killed.of("15", 1)}) {
      byte[] whole = killed.bytes();
      long next = examine(killed).decision().next().getAsLong();
      List<StoragePath> directories = directories(examine(killed).decision());
      int refused = 0;
      int step = whole.length > 4_000 ? 7 : 1;
      for (int at = 0; at < whole.length; at += step) {
        byte[] changed = whole.clone();
        changed[at] ^= 1;
        killed.state().storage().put(killed.log(), changed);
        Decision decision = examine(killed).decision();
        if (decision.verdict() == Verdict.REFUSED) {
          refused++;
        } else {
          assertThat(decision.next()).as("byte %d: %s", at, decision).hasValue(next);
          assertThat(directories(decision)).as("byte %d", at).isEqualTo(directories);
        }
      }
      assertThat(refused).isPositive();
    }
  }

  private static List<StoragePath> directories(Decision decision) {
    return decision.pending().stream().map(each -> each.target().parent()).toList();
  }
}
