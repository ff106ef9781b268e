package io.tidemark.store.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.ByLength;
import io.tidemark.store.partition.CustomPartitioned;
import io.tidemark.store.partition.FieldAndTimePartitioned;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.partition.TopicPartitioned;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The recorded layout of a table, and the parts of it that are compared. */
class LayoutFileTest {
  private static final TableLayout TABLE = new TableLayout(new StoragePath("/topics/quotes"));
  private static final StoragePath DIRECTORY = TABLE.metadataDirectory();
  private static final String PATH = "'dt'=yyyy-MM-dd";

  private final MemoryStorage storage = new MemoryStorage();
  private final LayoutFile file = new LayoutFile(storage, TABLE);

  @Test
  void everyLayoutIsReadAsItWasWritten() throws Exception {
    assertThat(file.read()).isEmpty();
    for (PartitionSpec each :
        List.of(
            PartitionSpec.NONE,
            FieldPartitioned.parse("region, stop.line"),
            new TopicPartitioned(),
            new FieldAndTimePartitioned(
                FieldPartitioned.parse("region"), daily("Asia/Tokyo", Locale.US, 24)),
            CustomPartitioned.load(ByLength.class.getName(), Map.of()),
            daily("Europe/Berlin", Locale.GERMANY, 24))) {
      assertThat(file.put(RecordedLayout.of(each))).isEqualTo(RecordedLayout.of(each));
      assertThat(new LayoutFile(storage, TABLE).read()).contains(RecordedLayout.of(each));
      storage.delete(DIRECTORY.child("layout.json"));
    }
  }

  @Test
  void firstLayoutStays() throws Exception {
    file.put(RecordedLayout.of(PartitionSpec.NONE));

    assertThat(file.put(RecordedLayout.of(FieldPartitioned.parse("region"))))
        .isEqualTo(RecordedLayout.of(PartitionSpec.NONE));
  }

  @Test
  void differenceIsToldByItsSetting() {
    RecordedLayout existing = RecordedLayout.of(daily("UTC", Locale.US, 24));

    assertThat(existing.firstDifference(RecordedLayout.of(daily("UTC", Locale.US, 24)))).isEmpty();
    assertThat(existing.firstDifference(RecordedLayout.of(daily("Asia/Tokyo", Locale.US, 24))))
        .contains("timezone");
    assertThat(existing.firstDifference(RecordedLayout.of(daily("UTC", Locale.GERMANY, 24))))
        .contains("locale");
    assertThat(existing.firstDifference(RecordedLayout.of(daily("UTC", Locale.US, 48))))
        .contains("partition.duration.ms");
    assertThat(existing.firstDifference(RecordedLayout.of(PartitionSpec.NONE)))
        .contains("partitioner.class");
    FieldPartitioned byRegion = FieldPartitioned.parse("region");
    RecordedLayout mixed =
        RecordedLayout.of(new FieldAndTimePartitioned(byRegion, daily("UTC", Locale.US, 24)));
    assertThat(mixed.firstDifference(RecordedLayout.of(byRegion))).contains("partitioner.class");
    assertThat(
            mixed.firstDifference(
                RecordedLayout.of(
                    new FieldAndTimePartitioned(byRegion, daily("Asia/Tokyo", Locale.US, 24)))))
        .contains("timezone");
    assertThat(mixed.byTime()).isPresent();
    assertThat(
            RecordedLayout.of(FieldPartitioned.parse("a.b"))
                .firstDifference(RecordedLayout.of(FieldPartitioned.parse("a_b"))))
        .contains("partition.field.name");
  }

  @Test
  void settingOfALaterBuildIsReadAndNotCompared() throws Exception {
    storage.makeDirectories(DIRECTORY);
    put(
        "layout.json",
        """
        {"version": 1, "columns": ["dt"], "unknown": 1, "settings": {
          "partitioner.class": "TimeBasedPartitioner", "path.format": "'dt'=yyyy-MM-dd",
          "partition.duration.ms": "86400000", "timezone": "Asia/Tokyo", "locale": "en-US",
          "calendar": "japanese"}}
        """);

    assertThat(
            file.read()
                .orElseThrow()
                .firstDifference(RecordedLayout.of(daily("Asia/Tokyo", Locale.US, 24))))
        .isEmpty();
  }

  @Test
  void damagedOrNewerFileIsRefusedWithItsPlaceAndACure() throws Exception {
    storage.makeDirectories(DIRECTORY);
    for (String text :
        List.of(
            "",
            "{",
            "[]",
            "{\"version\":1}",
            "{\"version\":1,\"columns\":[],\"settings\":{}}",
            """
            {"version": 1, "columns": ["dt"], "settings": {
              "partitioner.class": "TimeBasedPartitioner", "path.format": "'dt'=yyyy-MM-dd"}}
            """)) {
      put("layout.json", text);
      assertThatThrownBy(file::read)
          .as("%s", text)
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("/topics/quotes/.tidemark/layout.json")
          .hasMessageContaining("Restore it from a copy");
      storage.delete(DIRECTORY.child("layout.json"));
    }
    put("layout.json", "{\"version\":2}");
    assertThatThrownBy(file::read)
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining("has version 2");
  }

  @Test
  void whatAStoppedTaskLeftIsRemoved() throws Exception {
    storage.makeDirectories(DIRECTORY);
    put(".layout.json.0b1e7a52-6c0e-4e0f-9f5e-3d1c5a3f7b11.tmp", "{");

    file.put(RecordedLayout.of(PartitionSpec.NONE));

    assertThat(storage.list(DIRECTORY))
        .extracting(StoredFile::path)
        .extracting(StoragePath::name)
        .containsExactly("layout.json");
  }

  private static TimePartitioned daily(String zone, Locale locale, int hours) {
    return new TimePartitioned(
        PathFormat.parse(PATH, locale),
        ZoneId.of(zone),
        Duration.ofHours(hours),
        Optional.empty(),
        TimestampField.Unit.MILLIS);
  }

  private void put(String name, String text) throws IOException {
    try (OutputStream out = storage.create(DIRECTORY.child(name))) {
      out.write(text.getBytes(UTF_8));
    }
  }
}
