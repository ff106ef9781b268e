package io.tidemark.benchmarks.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.registry.RegisteredSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LookupsTest {
  private final RegistryHost host;

  LookupsTest() throws IOException {
    host = new RegistryHost();
  }

  @AfterEach
  void stop() {
    host.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyContenderFindsTheSchemaOfAnId(LookupContender contender) throws Exception {
    try (Lookups lookups = contender.open(host.url(), 8, Optional.empty())) {
      assertThat(text(lookups.schema(7))).isEqualToIgnoringWhitespace(RegistryHost.schema(7));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyContenderAnswersAHitFromItsCache(LookupContender contender) throws Exception {
    try (Lookups lookups = contender.open(host.url(), 8, Optional.empty())) {
      lookups.schema(7);
      long requests = host.requests();

      lookups.schema(7);

      assertThat(host.requests()).isEqualTo(requests);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "OURS.*", mode = EnumSource.Mode.MATCH_ANY)
  void aThousandThreadsAskForOneColdIdOnce(LookupContender contender) throws Exception {
    new LookupFork(contender, host.url(), Optional.empty()).ask(Question.ONE_COLD_ID);

    assertThat(host.requests()).isEqualTo(1);
  }

  @Test
  void theCopyOnDiskIsConfirmedByOneRequest(@TempDir Path directory) throws Exception {
    Optional<Path> copy = Optional.of(directory.resolve("schemas"));
    try (Lookups lookups = LookupContender.OURS.open(host.url(), 8, copy)) {
      lookups.schema(7);
    }
    long requests = host.requests();

    try (Lookups lookups = LookupContender.OURS.open(host.url(), 8, copy)) {
      assertThat(text(lookups.schema(7))).isEqualTo(RegistryHost.schema(7));
    }
    assertThat(host.requests()).isEqualTo(requests + 1);
  }

  @Test
  void anAnswerIsReadAsItWasPrinted() {
    LookupFork.Answer answer = new LookupFork.Answer(41.5, 0.25);

    assertThat(LookupFork.Answer.parse(answer.toString())).isEqualTo(answer);
  }

  private static String text(Object schema) {
    return schema instanceof RegisteredSchema registered
        ? registered.schema().toString()
        : schema.toString();
  }
}
