package io.tidemark.store.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.PartitionSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The list of a log's tables. */
class LogTablesTest {
  private static final StoragePath LOG = new StoragePath("/logs/quotes");
  private static final StoragePath LIST = LOG.child("+tables");
  private static final TableName QUOTES = new TableName("default", "quotes");

  private final MemoryStorage storage = new MemoryStorage();
  private final LogTables tables = new LogTables(storage, LOG);

  @Test
  void tableIsListedOnceUnderItsName() throws Exception {
    tables.add(QUOTES, at("/topics/quotes"), "quotes");
    tables.add(QUOTES, at("/topics/quotes"), "quotes");
    new LogTables(storage, LOG).add(QUOTES, at("/topics/quotes"), "quotes");

    assertThat(names()).containsExactly("default.quotes.json");
    assertThat(new LogTables(storage, LOG).of("quotes"))
        .containsExactly(new TableLayout(new StoragePath("/topics/quotes")));
    assertThat(tables.of("news")).isEmpty();
  }

  @Test
  void tableThatWasMovedIsListedInBothPlaces() throws Exception {
    tables.add(QUOTES, at("/topics/quotes"), "quotes");
    tables.add(QUOTES, at("/elsewhere/quotes"), "quotes");
    tables.add(QUOTES, at("/elsewhere/quotes"), "quotes");

    assertThat(names()).hasSize(2).allMatch(name -> name.startsWith("default.quotes"));
    assertThat(new LogTables(storage, LOG).of("quotes"))
        .extracting(TableLayout::root)
        .containsExactlyInAnyOrder(
            new StoragePath("/topics/quotes"), new StoragePath("/elsewhere/quotes"));
  }

  @Test
  void topicThatWasFirstToHaveATablesNameIsKnownToAll() throws Exception {
    assertThat(tables.firstTopic(QUOTES)).isEmpty();
    tables.add(QUOTES, at("/topics/quotes"), "quotes");
    tables.add(QUOTES, at("/topics/Quotes"), "Quotes");

    assertThat(tables.firstTopic(QUOTES)).contains("quotes");
    assertThat(new LogTables(storage, LOG).firstTopic(QUOTES)).contains("quotes");
  }

  @Test
  void tableOfTwoTopicsIsListedForBoth() throws Exception {
    tables.add(QUOTES, at("/topics/quotes"), "quotes-eu");
    tables.add(QUOTES, at("/topics/quotes"), "quotes-us");

    LogTables again = new LogTables(storage, LOG);
    assertThat(again.of("quotes-eu")).isEqualTo(again.of("quotes-us")).hasSize(1);
  }

  /** A configured location can cause this, if two names are equal only in Hive. */
  @Test
  void oneRootForTwoNamesIsNoSharedTable() throws Exception {
    TableLayout first = TableLayout.at("/warehouse/quotes_eu", "quotes-eu");
    TableLayout second = TableLayout.at("/warehouse/quotes_eu", "quotes.eu");
    tables.add(QUOTES, first, "quotes-eu");
    tables.add(QUOTES, second, "quotes.eu");

    LogTables again = new LogTables(storage, LOG);
    again.requireOwnName(QUOTES, first, "quotes-eu", topic -> List.of());
    assertThatThrownBy(() -> again.requireOwnName(QUOTES, second, "quotes.eu", topic -> List.of()))
        .isInstanceOf(TableTakenException.class)
        .hasMessageContaining("quotes-eu had it first");
    assertThat(again.of("quotes.eu")).containsExactly(second);
    assertThat(again.topics()).containsExactlyInAnyOrder("quotes-eu", "quotes.eu");
  }

  /** Any of the topics may come first under the new configuration. */
  @Test
  void tableOfTwoTopicsMayMove() throws Exception {
    TableLayout before = at("/topics/shared+quotes");
    TableLayout now = TableLayout.at("/warehouse/quotes", "shared+quotes");
    for (String topic : List.of("quotes-eu", "quotes-us")) {
      tables.add(QUOTES, before, topic);
    }
    Function<String, List<Table>> configured =
        topic -> List.of(new Table(QUOTES, now, PartitionSpec.NONE, TableOptions.DEFAULT));

    tables.add(QUOTES, now, "quotes-us");
    tables.requireOwnName(QUOTES, now, "quotes-us", configured);
    tables.add(QUOTES, now, "quotes-eu");
    tables.requireOwnName(QUOTES, now, "quotes-eu", configured);
  }

  /** Otherwise Hive would show the rows of both topics in each table. */
  @Test
  void tablesOfTwoTopicsDoNotLieInEachOther() throws Exception {
    TableName news = new TableName("default", "news");
    for (String place : List.of("/w/quotes", "/w/quotes/news", "/w")) {
      LogTables of = new LogTables(new MemoryStorage(), LOG);
      of.add(QUOTES, at("/w/quotes"), "quotes");
      of.add(news, at(place), "news");

      assertThatThrownBy(
              () ->
                  of.requireOwnPlace(
                      news,
                      at(place),
                      "news",
                      topic ->
                          List.of(
                              new Table(
                                  QUOTES,
                                  at("/w/quotes"),
                                  PartitionSpec.NONE,
                                  TableOptions.DEFAULT))))
          .as(place)
          .isInstanceOf(TableTakenException.class)
          .hasMessageContaining("table.default.news.hive.table.location");
      // The other table has moved since, or is the same table by now.
      of.requireOwnPlace(
          news,
          at(place),
          "news",
          topic ->
              List.of(
                  new Table(QUOTES, at("/elsewhere"), PartitionSpec.NONE, TableOptions.DEFAULT)));
      of.requireOwnPlace(
          news,
          at(place),
          "news",
          topic -> List.of(new Table(news, at(place), PartitionSpec.NONE, TableOptions.DEFAULT)));
    }
  }

  @Test
  void longNamesAreCutAndDoNotMeet() throws Exception {
    for (String end : List.of("a", "b")) {
      TableName name = new TableName("d".repeat(128), "t".repeat(127) + end);
      tables.add(name, at("/topics/" + end), end);
    }

    assertThat(names()).hasSize(2).allMatch(name -> name.length() <= 255);
    assertThat(tables.of("a")).hasSize(1);
  }

  @Test
  void whatAStoppedTaskLeftIsRemoved() throws Exception {
    storage.makeDirectories(LIST);
    put(".default.quotes.json.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp", "{");

    tables.add(QUOTES, at("/topics/quotes"), "quotes");

    assertThat(names()).containsExactly("default.quotes.json");
  }

  @Test
  void damagedFileIsRefusedWithItsPlaceAndACure() throws Exception {
    storage.makeDirectories(LIST);
    for (String text : List.of("", "{", "[]", "{\"version\":1}")) {
      put("default.quotes.json", text);
      assertThatThrownBy(() -> new LogTables(storage, LOG).of("quotes"))
          .as("%s", text)
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("/logs/quotes/+tables/default.quotes.json")
          .hasMessageContaining("Restore it from a copy");
      storage.delete(LIST.child("default.quotes.json"));
    }
  }

  @Test
  void fileThatAnOperatorRemovedIsWrittenAgainByATaskThatKnewIt() throws Exception {
    tables.add(QUOTES, at("/topics/quotes"), "quotes");
    storage.delete(LIST.child("default.quotes.json"));

    tables.add(QUOTES, at("/topics/quotes"), "quotes");

    assertThat(names()).containsExactly("default.quotes.json");
    assertThat(tables.of("quotes")).hasSize(1);
  }

  @Test
  void newerFileIsRefusedWithBothVersions() throws Exception {
    storage.makeDirectories(LIST);
    put("default.quotes.json", "{\"version\":2}");

    assertThatThrownBy(() -> tables.of("quotes"))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining(
            "has version 2, which this connector does not know: it reads version 1")
        .hasMessageContaining("Deploy that version");
  }

  private static TableLayout at(String root) {
    return new TableLayout(new StoragePath(root));
  }

  private List<String> names() throws IOException {
    return storage.list(LIST).stream().map(StoredFile::path).map(StoragePath::name).toList();
  }

  private void put(String name, String text) throws IOException {
    try (OutputStream out = storage.create(LIST.child(name))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
