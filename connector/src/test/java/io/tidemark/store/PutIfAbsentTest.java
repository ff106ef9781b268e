package io.tidemark.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The client may lose the answer of a call, and repeat the call at another name node. */
final class PutIfAbsentTest {
  private static final StoragePath DIRECTORY = new StoragePath("/events");
  private static final String NAME = "42.json";
  private static final byte[] OURS = "ours".getBytes(UTF_8);

  private final MemoryStorage memory = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final PutIfAbsent files = new PutIfAbsent(storage, DIRECTORY);

  @Test
  void ofTwoWritersTheFirstPutsTheFile() throws IOException {
    assertThat(files.put(NAME, OURS)).isTrue();
    assertThat(files.put(NAME, "theirs".getBytes(UTF_8))).isFalse();

    assertThat(content()).isEqualTo("ours");
    assertThat(memory.list(DIRECTORY)).hasSize(1);
  }

  /** The first call left an empty file, which the second call found. */
  @Test
  void repeatedCreateIsNoFileOfAnotherWriter() throws IOException {
    storage.repeat(call -> call.startsWith("create"));
    assertThatThrownBy(() -> files.put(NAME, OURS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/events/42.json was not written")
        .hasMessageContaining("The call is retried");
    assertThat(memory.list(DIRECTORY)).isEmpty();
    storage.heal();

    assertThat(files.put(NAME, OURS)).isTrue();
    assertThat(content()).isEqualTo("ours");
  }

  @Test
  void repeatedCreateEnsuresNothing() throws IOException {
    storage.repeat(call -> call.startsWith("create"));
    assertThatThrownBy(() -> files.ensure(NAME, OURS)).isInstanceOf(IOException.class);
    storage.heal();

    files.ensure(NAME, OURS);
    assertThat(content()).isEqualTo("ours");
  }

  @Test
  void repeatedRenameHasPutTheFile() throws IOException {
    storage.repeat(call -> call.startsWith("rename"));

    boolean first = files.put(NAME, OURS);

    assertThat(first).as("the file must be read").isFalse();
    assertThat(content()).isEqualTo("ours");
    assertThat(memory.list(DIRECTORY)).hasSize(1);
  }

  @Test
  void lostAnswerOfARenameIsRetried() throws IOException {
    storage.failAfter(call -> call.startsWith("rename"));
    assertThatThrownBy(() -> files.put(NAME, OURS)).isInstanceOf(IOException.class);
    storage.heal();

    assertThat(files.put(NAME, OURS)).isFalse();
    assertThat(content()).isEqualTo("ours");
  }

  /** A create that failed may leave its file, which has no bytes. */
  @Test
  void lostAnswerOfACreateIsRetried() throws IOException {
    storage.failAfter(call -> call.startsWith("create"));
    assertThatThrownBy(() -> files.put(NAME, OURS)).isInstanceOf(IOException.class);
    storage.heal();

    files.ensure(NAME, OURS);

    assertThat(content()).isEqualTo("ours");
    files.removeLeftovers(memory.list(DIRECTORY), List.of(NAME));
    assertThat(memory.list(DIRECTORY)).hasSize(1);
  }

  @Test
  void repeatedRenamePutsOneFileIntoAMailbox() throws IOException {
    Mailbox mailbox = new Mailbox(storage, DIRECTORY);
    storage.repeat(call -> call.startsWith("rename"));

    StoragePath put = mailbox.put(Instant.ofEpochMilli(1), OURS);

    assertThat(mailbox.list()).extracting(StoredFile::path).containsExactly(put);
  }

  private String content() throws IOException {
    try (InputStream in = memory.open(DIRECTORY.child(NAME))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
