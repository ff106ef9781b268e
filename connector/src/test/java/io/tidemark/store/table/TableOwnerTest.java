package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.OperatorConsent;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableOwnerTest {
  private static final TableLayout LAYOUT = TableLayout.of(new StoragePath("/topics"), "quotes");
  private static final LogIdentity OURS = identity("ours");
  private static final LogIdentity THEIRS = identity("theirs");

  private static LogIdentity identity(String logId) {
    return new LogIdentity(
        UUID.nameUUIDFromBytes(logId.getBytes(UTF_8)), logId, "memory:/logs/" + logId, "cluster");
  }

  private final MemoryStorage storage = new MemoryStorage();
  private final TableOwner owner = new TableOwner(storage, LAYOUT);

  @Test
  void sameLogOwnsItsTopicAgainAndAgain() throws Exception {
    owner.own("quotes", OURS, OperatorConsent.NONE);
    new TableOwner(storage, LAYOUT).own("quotes", OURS, OperatorConsent.NONE);

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
      assertThatThrownBy(
              () -> new TableOwner(faulty, LAYOUT).own(topic, OURS, OperatorConsent.NONE))
          .isInstanceOf(IOException.class);
    }

    owner.own("quotes", OURS, OperatorConsent.NONE);
    assertThat(storage.list(LAYOUT.metadataDirectory().child("logs"))).hasSize(2);

    owner.own("quotes-eu", OURS, OperatorConsent.NONE);
    assertThat(storage.list(LAYOUT.metadataDirectory().child("logs")))
        .extracting(file -> file.path().name())
        .containsExactly("quotes-eu.json", "quotes.json");
  }

  @Test
  void whatWasLeftBesideAFormerOwnersFileIsRemoved() throws Exception {
    var faulty = new FaultyStorage(storage);
    faulty.failBefore(call -> call.startsWith("rename"));
    assertThatThrownBy(
            () -> new TableOwner(faulty, LAYOUT).own("quotes", OURS, OperatorConsent.NONE))
        .isInstanceOf(IOException.class);
    List<StoredFile> left = storage.list(LAYOUT.metadataDirectory().child("logs"));
    owner.own("quotes", OURS, OperatorConsent.NONE);
    try (OutputStream out = storage.create(left.get(0).path())) { // its creation was late
      out.write(new byte[1]);
    }
    UUID step = stepOf(() -> owner.own("quotes", THEIRS, OperatorConsent.NONE));

    owner.own("quotes", THEIRS, new OperatorConsent(Set.of(step)));
    assertThat(storage.list(LAYOUT.metadataDirectory().child("logs")))
        .extracting(file -> file.path().name())
        .containsExactly("quotes+2.json", "quotes.json");
  }

  @Test
  void secondLogOfTheSameTopicIsRefusedAndBothAreNamed() throws Exception {
    owner.own("quotes", OURS, OperatorConsent.NONE);

    assertThatThrownBy(() -> owner.own("quotes", THEIRS, OperatorConsent.NONE))
        .isInstanceOf(LogRefusedException.class)
        .hasMessageStartingWith(
            "memory:/topics/quotes/.tidemark/logs/quotes.json: the topic quotes")
        .hasMessageContaining(
            "the log directory \"ours\" (memory:/logs/ours, Kafka cluster cluster, UUID ")
        .hasMessageContaining("the log directory \"theirs\" (memory:/logs/theirs");
  }

  @Test
  void logIsKnownByItsUuidWhateverAddressItsStoreHas() throws Exception {
    owner.own("quotes", OURS, OperatorConsent.NONE);
    LogIdentity moved =
        new LogIdentity(OURS.uuid(), "renamed", "hdfs://nameservice/logs2/renamed", "other");

    owner.own("quotes", moved, OperatorConsent.NONE);

    assertThat(storage.list(LAYOUT.metadataDirectory().child("logs"))).hasSize(1);
  }

  @Test
  void operatorGivesTheTableToAnotherLogByTheUuidThatTheErrorPrints() throws Exception {
    owner.own("quotes", OURS, OperatorConsent.NONE);
    UUID step = stepOf(() -> owner.own("quotes", THEIRS, OperatorConsent.NONE));
    OperatorConsent consent = new OperatorConsent(Set.of(step));

    owner.requireNone("quotes", THEIRS.logs(), consent);
    owner.own("quotes", THEIRS, consent);
    owner.own("quotes", THEIRS, OperatorConsent.NONE);

    assertThatThrownBy(() -> owner.own("quotes", OURS, consent))
        .as("the consent was for the one way only")
        .isInstanceOf(LogRefusedException.class);
    assertThatThrownBy(() -> owner.requireNone("quotes", OURS.logs(), consent))
        .isInstanceOf(LogRefusedException.class);
  }

  private static UUID stepOf(ThrowableAssert.ThrowingCallable refused) {
    Matcher printed =
        Pattern.compile("operator\\.consent=([0-9a-f-]{36})")
            .matcher(String.valueOf(catchThrowable(refused).getMessage()));
    assertThat(printed.find()).isTrue();
    return UUID.fromString(printed.group(1));
  }

  @Test
  void allTopicsOfATableComeFromOneLog() throws Exception {
    owner.own("quotes", OURS, OperatorConsent.NONE);
    owner.own("quotes-eu", OURS, OperatorConsent.NONE);

    assertThatThrownBy(() -> owner.own("quotes-us", THEIRS, OperatorConsent.NONE))
        .isInstanceOf(LogRefusedException.class)
        .hasMessageContaining("topic quotes is landed in this table by the log directory \"ours\"")
        .hasMessageContaining("must not land topics such as quotes-us in this table")
        .hasMessageContaining("name another table for quotes-us");
    owner.own("quotes-us", OURS, OperatorConsent.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[]",
        "{\"logId\": \"ours\"}",
        "{\"version\":1,\"logId\":\"ours\",\"logs\":\"memory:/logs/ours\",\"clusterId\":\"c\"}"
      })
  void unreadableOwnerIsRefused(String json) throws Exception {
    put("quotes.json", json);

    assertThatThrownBy(() -> owner.own("quotes", OURS, OperatorConsent.NONE))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("the log that owns the table cannot be read")
        .hasMessageContaining("is in the log's identity.json");
  }

  private void put(String name, String json) throws IOException {
    StoragePath logs = LAYOUT.metadataDirectory().child("logs");
    storage.makeDirectories(logs);
    try (OutputStream out = storage.create(logs.child(name))) {
      out.write(json.getBytes(UTF_8));
    }
  }
}
