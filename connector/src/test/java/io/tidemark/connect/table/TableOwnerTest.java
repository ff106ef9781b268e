package io.tidemark.connect.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.storage.FaultyStorage;
import io.tidemark.connect.storage.MemoryStorage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableOwnerTest {
  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "quotes");
  private static final LogIdentity OURS = new LogIdentity("ours", "memory:/logs/ours", "cluster");
  private static final LogIdentity THEIRS =
      new LogIdentity("theirs", "memory:/logs/theirs", "cluster");

  private final MemoryStorage storage = new MemoryStorage();
  private final TableOwner owner = new TableOwner(storage, LAYOUT);

  @Test
  void sameLogOwnsItsTopicAgainAndAgain() throws Exception {
    owner.own("quotes", OURS);
    new TableOwner(storage, LAYOUT).own("quotes", OURS);

    assertThat(storage.list(LAYOUT.metadataDirectory().child("logs")))
        .extracting(StoredFile::path)
        .extracting(StoragePath::name)
        .containsExactly("quotes.json");
  }

  @Test
  void whatAStoppedTaskLeftIsRemovedAndWhatBelongsToAnotherTopicStays() throws Exception {
    var faulty = new FaultyStorage(storage);
    faulty.failBefore(call -> call.startsWith("rename"));
    for (String topic : List.of("quotes", "quotes-eu")) {
      assertThatThrownBy(() -> new TableOwner(faulty, LAYOUT).own(topic, OURS))
          .isInstanceOf(IOException.class);
    }

    owner.own("quotes", OURS);
    assertThat(storage.list(LAYOUT.metadataDirectory().child("logs"))).hasSize(2);

    owner.own("quotes-eu", OURS);
    assertThat(storage.list(LAYOUT.metadataDirectory().child("logs")))
        .extracting(file -> file.path().name())
        .containsExactly("quotes-eu.json", "quotes.json");
  }

  @Test
  void secondLogOfTheSameTopicIsRefusedAndBothAreNamed() throws Exception {
    owner.own("quotes", OURS);

    assertThatThrownBy(() -> owner.own("quotes", THEIRS))
        .isInstanceOf(TableOwnedException.class)
        .hasMessageStartingWith(
            "memory:/topics/quotes/.tidemark/logs/quotes.json: the topic quotes")
        .hasMessageContaining("the log \"ours\" in memory:/logs/ours (Kafka cluster cluster)")
        .hasMessageContaining("the log \"theirs\" in memory:/logs/theirs");
  }

  @Test
  void otherTopicsMayComeFromAnotherLog() throws Exception {
    owner.own("quotes", OURS);
    owner.own("quotes-eu", THEIRS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{}", "[]", "{\"logId\": \"ours\"}"})
  void unreadableOwnerIsRefused(String json) throws Exception {
    StoragePath logs = LAYOUT.metadataDirectory().child("logs");
    storage.makeDirectories(logs);
    try (OutputStream out = storage.create(logs.child("quotes.json"))) {
      out.write(json.getBytes(UTF_8));
    }

    assertThatThrownBy(() -> owner.own("quotes", OURS))
        .isInstanceOf(TableOwnedException.class)
        .hasMessageContaining("does not say which log owns the table");
  }
}
