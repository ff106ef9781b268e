package io.tidemark.store.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.OperatorConsent;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Small files of tables, in version 1, which no fixture of a log has: every later build reads them.
 * The files are never changed. Missing ones are written as {@code LedgerFixturesTest} describes.
 */
class TableFolderFixturesTest {
  private static final Path FIXTURES =
      Path.of("src", "test", "resources", "fixtures", "table-folders-version-1");

  private static final TableName QUOTES = new TableName("default", "quotes");
  private static final StoragePath LOG = new StoragePath("/logs/quotes");
  private static final TableLayout PRESENT = TableLayout.of(new StoragePath("/topics"), "quotes");
  private static final TableLayout FORMER =
      new TableLayout(new StoragePath("/former/quotes"), "default+quotes");
  private static final UUID CLAIM = UUID.fromString("3f63ae2c-05be-4a38-a3f8-6082e176aeb5");
  private static final LogIdentity FIRST =
      new LogIdentity(
          UUID.fromString("1b4e28ba-2fa1-41d2-883f-0016d3cca427"),
          "former",
          "hdfs://namenode:8020/logs/former",
          "Vees2J0ZQKWDb9U0lNythg");
  private static final LogIdentity SECOND =
      new LogIdentity(
          UUID.fromString("6fa459ea-ee8a-3ca4-894e-db77e160355e"),
          "quotes",
          "hdfs://namenode:8020/logs/quotes",
          "Vees2J0ZQKWDb9U0lNythg");

  private static final Map<String, RecordedLayout> LAYOUTS =
      Map.of(
          "by-time",
          layout(
              List.of("dt", "hour"),
              "partitioner.class",
              "TimeBasedPartitioner",
              "path.format",
              "'dt'=yyyy-MM-dd/'hour'=HH",
              "partition.duration.ms",
              "3600000",
              "timezone",
              "Europe/Berlin",
              "locale",
              "en-US"),
          "by-fields",
          layout(
              List.of("region", "line"),
              "partitioner.class",
              "FieldPartitioner",
              "partition.field.name",
              "region,stop.line"),
          "by-field-and-time",
          layout(
              List.of("region", "dt"),
              "partitioner.class",
              "FieldAndTimeBasedPartitioner",
              "partition.field.name",
              "region",
              "path.format",
              "'dt'=yyyy-MM-dd",
              "partition.duration.ms",
              "86400000",
              "timezone",
              "UTC",
              "locale",
              "en-US"),
          "by-topic-partition",
          layout(List.of("partition"), "partitioner.class", "DefaultPartitioner"),
          "by-users-class",
          layout(List.of("shop"), "partitioner.class", "com.example.ShopPartitioner"));

  private final MemoryStorage storage = new MemoryStorage();
  private final StagingDirectories staging =
      new StagingDirectories(storage, "quotes", new TopicPartition("quotes", 0));
  private final MarkerFiles markers = new MarkerFiles(storage, PRESENT);
  private final TableOwner owner = new TableOwner(storage, PRESENT);

  private static RecordedLayout layout(List<String> columns, String... settings) {
    Map<String, String> all = new LinkedHashMap<>();
    for (int each = 0; each < settings.length; each += 2) {
      all.put(settings[each], settings[each + 1]);
    }
    return new RecordedLayout(columns, all);
  }

  private static TableLayout of(String name) {
    return TableLayout.of(new StoragePath("/layouts"), name);
  }

  @BeforeEach
  void restoreFixtures() throws Exception {
    if (Boolean.getBoolean("tidemark.docs.write") && !Files.exists(FIXTURES)) {
      putFiles();
      copyOut(new StoragePath("/"));
      assertThat(storage.deleteTree(new StoragePath("/topics"))).isTrue();
      assertThat(storage.deleteTree(new StoragePath("/logs"))).isTrue();
      assertThat(storage.deleteTree(new StoragePath("/layouts"))).isTrue();
    }
    try (Stream<Path> files = Files.walk(FIXTURES)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        StoragePath file =
            new StoragePath("/" + FIXTURES.relativize(each).toString().replace('\\', '/'));
        storage.makeDirectories(file.parent());
        try (OutputStream out = storage.create(file)) {
          out.write(Files.readAllBytes(each));
        }
      }
    }
  }

  private void putFiles() throws Exception {
    markers.landsWithoutCatalog(staging.ofClaim(1, CLAIM));
    owner.own("quotes", FIRST, OperatorConsent.NONE);
    owner.own("quotes", SECOND, consent(FIRST));
    new LogTables(storage, LOG).add(QUOTES, FORMER, "quotes");
    new LogTables(storage, LOG).add(QUOTES, PRESENT, "quotes");
    for (Map.Entry<String, RecordedLayout> each : LAYOUTS.entrySet()) {
      assertThat(new LayoutFile(storage, of(each.getKey())).put(each.getValue())).isNotNull();
    }
  }

  private static OperatorConsent consent(LogIdentity to) {
    return new OperatorConsent(
        Set.of(OperatorConsent.step("table", PRESENT.root(), "quotes", to.uuid())));
  }

  private void copyOut(StoragePath directory) throws IOException {
    for (StoredFile file : storage.list(directory)) {
      if (file.directory()) {
        copyOut(file.path());
        continue;
      }
      Path target = FIXTURES.resolve(file.path().value().substring(1));
      Files.createDirectories(target.getParent());
      try (InputStream in = storage.open(file.path())) {
        Files.write(target, in.readAllBytes());
      }
    }
  }

  private List<String> names(StoragePath directory) throws IOException {
    return storage.list(directory).stream().map(file -> file.path().name()).toList();
  }

  @Test
  void claimThatLandedWithoutACatalogIsRegisteredByALaterOne() throws Exception {
    String claim = "4395e5f43b5a58c1-00000000000000000001-3f63ae2c-05be-4a38-a3f8-6082e176aeb5";
    assertThat(markers.landedWithoutCatalog()).containsExactly(claim);
    StagingDirectories.OfClaim later = staging.ofClaim(2, UUID.randomUUID());
    assertThat(markers.mayHoldMore(QUOTES, later)).isTrue();

    markers.registered(QUOTES, later);
    assertThat(markers.landedWithoutCatalog()).isEmpty();
    assertThat(markers.mayHoldMore(QUOTES, later)).isFalse();
  }

  @Test
  void ownerWithTheHighestNumberIsValid() throws Exception {
    assertThat(names(PRESENT.metadataDirectory().child("logs")))
        .containsExactlyInAnyOrder("quotes.json", "quotes+2.json");
    assertThat(owner.owners()).containsExactly(SECOND);
    owner.own("quotes", SECOND, OperatorConsent.NONE);
    assertThatThrownBy(() -> owner.own("quotes", FIRST, OperatorConsent.NONE))
        .isInstanceOf(LogRefusedException.class)
        .hasMessageContaining("hdfs://namenode:8020/logs/quotes")
        .hasMessageContaining("quotes+2.json");

    owner.own("quotes", FIRST, consent(SECOND));
    assertThat(names(PRESENT.metadataDirectory().child("logs"))).contains("quotes+3.json");
    assertThat(owner.owners()).containsExactly(FIRST);
  }

  @Test
  void bothRootsOfATableAreKnown() throws Exception {
    LogTables tables = new LogTables(storage, LOG);
    assertThat(names(LOG.child("+tables"))).hasSize(2).contains("default.quotes.json");
    assertThat(tables.roots(QUOTES)).containsExactlyInAnyOrder(PRESENT, FORMER);
    assertThat(tables.of("quotes")).containsExactlyInAnyOrder(PRESENT, FORMER);
    assertThat(tables.firstTopic(QUOTES)).contains("quotes");

    tables.add(QUOTES, PRESENT, "quotes");
    tables.add(QUOTES, FORMER, "quotes");
    assertThat(names(LOG.child("+tables"))).hasSize(2);
  }

  @Test
  void layoutOfEachPartitionerIsRead() throws Exception {
    for (Map.Entry<String, RecordedLayout> each : LAYOUTS.entrySet()) {
      Optional<RecordedLayout> read = new LayoutFile(storage, of(each.getKey())).read();
      assertThat(read).as(each.getKey()).contains(each.getValue());
    }
  }
}
