package io.tidemark.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.store.batch.BatchId;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values of the header for announced batches. They depend on the header converter of the framework.
 */
final class BatchIdHeaderTest {
  private static final String NAME = "tidemark.batch";

  private final BatchIdHeader header = new BatchIdHeader(NAME);

  static Stream<Arguments> ids() {
    return Stream.of(
        Arguments.of("nightly-21".getBytes(UTF_8), "nightly-21"),
        Arguments.of("\u20ac".getBytes(UTF_8), "\u20ac"),
        Arguments.of("x".repeat(64).getBytes(UTF_8), "x".repeat(64)),
        Arguments.of("nightly-21", "nightly-21"),
        Arguments.of((byte) 7, "7"),
        Arguments.of((short) 7, "7"),
        Arguments.of(20_261_121, "20261121"),
        Arguments.of(-1L, "-1"),
        Arguments.of(1.5, "1.5"),
        Arguments.of(new BigDecimal("1.50"), "1.50"),
        Arguments.of(
            new BigInteger("123456789012345678901234567890"), "123456789012345678901234567890"),
        Arguments.of(true, "true"));
  }

  @ParameterizedTest
  @MethodSource("ids")
  void idMayBeBytesTextOrWhatTheConverterMadeOfText(Object value, String id) {
    assertThat(header.read(record(value))).isEqualTo(BatchId.of(id));
  }

  static Stream<Arguments> noIds() {
    return Stream.of(
        Arguments.of(
            "x".repeat(65).getBytes(UTF_8), "has 65 bytes, but the id of a batch has at most 64"),
        Arguments.of("\u20ac".repeat(22), "has 66 bytes, but the id of a batch has at most 64"),
        Arguments.of(new byte[0], "is empty"),
        Arguments.of("", "is empty"),
        Arguments.of(null, "is empty"),
        Arguments.of(new byte[] {(byte) 0xc3, '('}, "has 2 bytes that are not UTF-8"),
        Arguments.of("\ud83d", "which is not UTF-8"),
        Arguments.of(Instant.EPOCH, "is a java.time.Instant"),
        Arguments.of(Map.of("a", 1), "header.converter=" + ConnectorConfig.BYTE_ARRAY_CONVERTER),
        Arguments.of(List.of("a"), "the header converter has decoded it"));
  }

  @ParameterizedTest
  @MethodSource("noIds")
  void otherHeadersFailNoRecordAndSayWhy(@Nullable Object value, String problem) {
    BatchId id = Objects.requireNonNull(header.read(record(value)));

    assertThat(id.isUsable()).isFalse();
    assertThat(id.problem()).startsWith("the header tidemark.batch ").contains(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nightly-21", "20261121", "true", "batch 7", "7f00c1de-53b4-4f86-a5ab"})
  void idsComeThroughTheFrameworksDefaultConverterAsTheyWereSent(String id) {
    assertThat(header.read(record(decoded(id)))).isEqualTo(BatchId.of(id));
  }

  /** docs/COMPLETENESS.md warns of this. */
  @Test
  void defaultConverterMakesOtherValuesOfSomeTexts() {
    assertThat(header.read(record(decoded("007")))).isEqualTo(BatchId.of("7"));
    assertThat(header.read(record(decoded("2026-11-21"))))
        .satisfies(id -> assertThat(id.problem()).contains("java.util.Date"));
  }

  private static Object decoded(String text) {
    try (SimpleHeaderConverter converter = new SimpleHeaderConverter()) {
      converter.configure(Map.of());
      return converter.toConnectHeader("quotes", NAME, text.getBytes(UTF_8)).value();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void recordsOfOneBatchShareTheId() {
    BatchId first = header.read(record("a".getBytes(UTF_8)));
    assertThat(header.read(record("a".getBytes(UTF_8)))).isSameAs(first);
    assertThat(header.read(record("b".getBytes(UTF_8)))).isEqualTo(BatchId.of("b"));
    assertThat(header.read(record("b"))).isEqualTo(BatchId.of("b"));
    assertThat(header.read(record("a"))).isEqualTo(BatchId.of("a"));
    assertThat(header.read(record(null))).isNotNull();
    assertThat(header.read(record("a"))).isEqualTo(BatchId.of("a"));
  }

  @Test
  void recordWithoutTheHeaderHasNoIdAndTheLastHeaderCounts() {
    assertThat(header.read(record())).isNull();
    ConnectHeaders headers = new ConnectHeaders();
    headers.addString("other", "a");
    assertThat(header.read(with(headers))).isNull();
    headers.addString(NAME, "b").addString(NAME, "c").addString("other", "d");
    assertThat(header.read(with(headers))).isEqualTo(BatchId.of("c"));
  }

  @Test
  void headerIsReadOnlyWhereBatchesAreAnnouncedAndCompletenessIsKept() {
    assertThat(BatchIdHeader.of(config(Map.of()))).isEmpty();
    assertThat(BatchIdHeader.of(config(Map.of("completeness.batch.header", "batch")))).isEmpty();
    assertThat(
            BatchIdHeader.of(
                config(
                    Map.of(
                        "completeness.batches.topic", "batches", "completeness.enabled", "false"))))
        .isEmpty();

    Map<String, String> announced = Map.of("completeness.batches.topic", "batches");
    assertThat(BatchIdHeader.of(config(announced)).orElseThrow().read(record("a")))
        .isEqualTo(BatchId.of("a"));
    Map<String, String> renamed = new HashMap<>(announced);
    renamed.put("completeness.batch.header", "batch");
    assertThat(BatchIdHeader.of(config(renamed)).orElseThrow().read(record("a"))).isNull();
  }

  private static ConnectorConfig config(Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.put("name", "quotes");
    all.put("topics", "quotes");
    all.put("kafka.bootstrap.servers", "localhost:1");
    all.put("schema.registry.url", "http://localhost:1");
    all.put("store.url", "file:///tmp");
    return new ConnectorConfig(all);
  }

  private static SinkRecord record() {
    return with(new ConnectHeaders());
  }

  private static SinkRecord record(@Nullable Object value) {
    ConnectHeaders headers = new ConnectHeaders();
    headers.add(NAME, new SchemaAndValue(null, value));
    return with(headers);
  }

  private static SinkRecord with(ConnectHeaders headers) {
    return new SinkRecord("quotes", 0, null, null, null, new byte[0], 7, null, null, headers);
  }
}
