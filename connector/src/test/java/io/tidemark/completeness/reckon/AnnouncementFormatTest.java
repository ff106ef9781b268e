package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.decide.Announcement;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnnouncementFormatTest {
  private static final Instant AT = Instant.parse("2026-11-21T08:00:00Z");

  private static Announcement read(String key, String value) throws Exception {
    return AnnouncementFormat.read(
        new AnnouncementsTopic.Sent(
            "batches-0@12",
            AT,
            Optional.of(key.getBytes(StandardCharsets.UTF_8)),
            Optional.of(value.getBytes(StandardCharsets.UTF_8))));
  }

  @Test
  void readsWhatTheDocumentationShows() throws Exception {
    assertThat(
            read(
                "nightly-21",
                "{\"version\":1,\"batch\":\"nightly-21\",\"records\":{\"orders\":1000000,\"payments\":250000},\"later\":[]}"))
        .satisfies(
            announcement -> {
              assertThat(announcement.batch()).isEqualTo("nightly-21");
              assertThat(announcement.sentAt()).isEqualTo(AT);
              assertThat(announcement.records())
                  .isEqualTo(Map.of("orders", 1_000_000L, "payments", 250_000L));
            });
  }

  @Test
  void largestCountAndTheLongestIdAreRead() throws Exception {
    String id = "ü".repeat(32);
    assertThat(
            read(
                    id,
                    "{\"version\":1,\"batch\":\"%s\",\"records\":{\"o\":9007199254740992}}"
                        .formatted(id))
                .records())
        .containsValue(1L << 53);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "n|[]|not a JSON object",
        "n|{|its value is not JSON",
        "n|{} {}|its value is not JSON",
        "n|{\"records\":{\"o\":1}}|version is missing",
        "n|{\"version\":2,\"batch\":\"n\",\"records\":{\"o\":1}}|version is 2",
        "n|{\"version\":1,\"records\":{\"o\":1}}|batch is missing",
        "n|{\"version\":1,\"batch\":7,\"records\":{\"o\":1}}|batch is 7",
        "n|{\"version\":1,\"batch\":\"\",\"records\":{\"o\":1}}|batch has 0 bytes",
        "n|{\"version\":1,\"batch\":\"m\",\"records\":{\"o\":1}}|its key is n",
        "n|{\"version\":1,\"batch\":\"n\",\"batch\":\"n\",\"records\":{\"o\":1}}|Duplicate",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{\"o\":1,\"o\":2}}|Duplicate",
        "n|{\"version\":1,\"batch\":\"n\"}|records",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{}}|1 to 1000 topics",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{\"a b\":1}}|is not a topic's name",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{\"o\":-1}}|records of o are -1",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{\"o\":1.0}}|records of o are 1.0",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{\"o\":9007199254740993}}|a count from 0",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{\"o\":99999999999999999999}}|a count from 0",
        "n|{\"version\":1,\"batch\":\"n\",\"records\":{\"o\":null}}|records of o are null",
      })
  void whatIsNoAnnouncementIsNamed(String key, String value, String problem) {
    assertThatThrownBy(() -> read(key, value))
        .isInstanceOf(AnnouncementFormat.MalformedException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void boundsAreKept() {
    String topics =
        IntStream.range(0, 1_001)
            .mapToObj(i -> "\"t" + i + "\":1")
            .collect(Collectors.joining(","));
    assertThatThrownBy(
            () -> read("n", "{\"version\":1,\"batch\":\"n\",\"records\":{%s}}".formatted(topics)))
        .hasMessageContaining("1 to 1000 topics");
    assertThatThrownBy(() -> read("n", " ".repeat(AnnouncementFormat.VALUE_BYTES_MOST + 1)))
        .hasMessageContaining("bytes; at most");
    String id = "i".repeat(65);
    assertThatThrownBy(
            () -> read(id, "{\"version\":1,\"batch\":\"%s\",\"records\":{\"o\":1}}".formatted(id)))
        .hasMessageContaining("65 bytes");
    assertThatThrownBy(() -> read("n", "[".repeat(10_000)))
        .isInstanceOf(AnnouncementFormat.MalformedException.class);
  }
}
