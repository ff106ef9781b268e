package io.tidemark.completeness.reckon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupDeclarationsTest {
  private static final StoragePath LEDGER = new StoragePath("/ledger");
  private static final StoragePath FILE = LEDGER.child("groups/nightly.json");

  private final MemoryStorage memory = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(memory);

  private GroupDeclarations of(String log) {
    return new GroupDeclarations(storage, new LedgerDirectories(LEDGER, log));
  }

  @Test
  void groupThatTwoConnectorsDeclareIsTheFirstOnes() throws Exception {
    assertThat(of("sales").declare("nightly")).isEmpty();
    assertThat(of("payments").declare("nightly"))
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains(
                        "memory:/ledger/groups/nightly.json", "the log sales", "Rename the group"));
    assertThat(of("sales").declare("nightly")).as("again").isEmpty();
    assertThat(of("payments").declare("hourly")).isEmpty();
  }

  @Test
  void ofTwoThatDeclareAtOnceOneHasIt() throws Exception {
    boolean[] done = {false};
    storage.failBefore(
        call -> {
          if (call.equals("rename " + FILE.value()) && !done[0]) {
            done[0] = true;
            try {
              assertThat(of("payments").declare("nightly")).isEmpty();
            } catch (IOException | CorruptLogException e) {
              throw new AssertionError(e);
            }
          }
          return false;
        });
    assertThat(of("sales").declare("nightly")).isPresent();
  }

  @Test
  void declarationWhoseAnswerWasLostIsOurs() throws Exception {
    storage.failAfter(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> of("sales").declare("nightly")).isInstanceOf(IOException.class);
    storage.heal();
    assertThat(of("sales").declare("nightly")).isEmpty();
  }

  @Test
  void damagedDeclarationIsNobodys() throws Exception {
    memory.makeDirectories(FILE.parent());
    try (OutputStream out = memory.create(FILE)) {
      out.write("{\"version\":1}".getBytes(UTF_8));
    }
    assertThatThrownBy(() -> of("sales").declare("nightly"))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("memory:/ledger/groups/nightly.json: the declaration");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../logs", ".hidden", "a/b", "größe"})
  void groupWhoseNameIsNoFilesNameIsRefused(String name) {
    assertThatThrownBy(() -> of("sales").declare(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("completeness.groups");
  }
}
